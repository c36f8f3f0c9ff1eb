"""What the program's tests share: running it, a folder of its own per test, photos, and a model with known answers.

The tiny model looks at one pixel per 32x32 cell of its 64x64 input: red above one half is an object of class 0, 16x16
pixels, in the middle of the cell. So the right answer to every photo here is known without any engine.
"""
import json
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest
import zlib

PROGRAM = os.environ.get("TESSERA", "tessera")
ROOT = pathlib.Path(__file__).resolve().parents[2]
IMAGES = ROOT / "testdata" / "images"

TINY_CFG = """[net]
width=64
height=64
channels=3

[convolutional]
filters=7
size=1
stride=32
pad=1
activation=linear

[yolo]
mask=0
anchors=16,16
classes=2
num=1
"""
WHITE, BLACK = (255, 255, 255), (0, 0, 0)
# Boxes of an all-white 64x64 photo, in the order of the cells.
WHITE_BOXES = [[8, 8, 24, 24], [40, 8, 56, 24], [8, 40, 24, 56], [40, 40, 56, 56]]

COCO_NAMES = (
    "person,bicycle,car,motorbike,aeroplane,bus,train,truck,boat,traffic light,fire hydrant,stop sign,parking meter,bench,"
    "bird,cat,dog,horse,sheep,cow,elephant,bear,zebra,giraffe,backpack,umbrella,handbag,tie,suitcase,frisbee,skis,"
    "snowboard,sports ball,kite,baseball bat,baseball glove,skateboard,surfboard,tennis racket,bottle,wine glass,cup,fork,"
    "knife,spoon,bowl,banana,apple,sandwich,orange,broccoli,carrot,hot dog,pizza,donut,cake,chair,sofa,pottedplant,bed,"
    "diningtable,toilet,tvmonitor,laptop,mouse,remote,keyboard,cell phone,microwave,oven,toaster,sink,refrigerator,book,"
    "clock,vase,scissors,teddy bear,hair drier,toothbrush").split(",")


def data_folder():
    """Real weights and photos, or None."""
    folder = pathlib.Path(os.environ.get("TESSERA_DATA") or os.environ.get("TESSERA_DATA_DEFAULT") or "/nonexistent")
    return folder if (folder / "models").is_dir() else None


def png(width, height, color=WHITE, rows=None):
    """A PNG file's bytes; `rows` overrides the one color: a function of y that gives the row's bytes."""
    row = rows or (lambda y: bytes(color) * width)
    raw = b"".join(b"\0" + row(y) for y in range(height))

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b"")


def write_tiny_model(folder, names=("white thing", "other")):
    """Writes tiny.cfg, tiny.weights, tiny.names; returns the options that name them."""
    biases = [0, 0, 0, 0, -10, 10, -10]  # x y w h objectness class0 class1
    weights = [0.0] * 21
    weights[4 * 3] = 20.0  # objectness from red
    (folder / "tiny.cfg").write_text(TINY_CFG)
    (folder / "tiny.weights").write_bytes(struct.pack("<iiiq28f", 0, 2, 5, 0, *biases, *weights))
    (folder / "tiny.names").write_text("".join(n + "\n" for n in names))
    return ["--model", folder / "tiny.cfg", "--names", folder / "tiny.names"]


def npy(path):
    """(shape, values) of a little-endian f32 .npy file."""
    data = pathlib.Path(path).read_bytes()
    length = struct.unpack("<H", data[8:10])[0]
    header = eval(data[10:10 + length].decode(), {"__builtins__": {}})  # NumPy's own header is a Python literal
    values = struct.unpack(f"<{(len(data) - 10 - length) // 4}f", data[10 + length:])
    return header["shape"], values


def write_npy(path, shape, values):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {tuple(shape)!r}, }}"
    header = header.ljust((10 + len(header) + 64) // 64 * 64 - 11) + "\n"
    pathlib.Path(path).write_bytes(b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header.encode() +
                                   struct.pack(f"<{len(values)}f", *values))


class Done:
    def __init__(self, process):
        self.status, self.out, self.err = process.returncode, process.stdout, process.stderr

    def json(self):
        return json.loads(self.out)


class CliTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-cli-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.environment = {**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache"), "LC_ALL": "C.UTF-8"}

    def path(self, name):
        return self.folder / name

    def write(self, name, content):
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def tiny_model(self, names=("white thing", "other")):
        return write_tiny_model(self.folder, names)

    def run_tessera(self, *arguments, status=0, stdin=b"", cwd=None, text=True):
        process = subprocess.run([PROGRAM, *map(os.fspath, arguments)], input=stdin, capture_output=True, cwd=cwd or self.folder,
                                 env=self.environment, timeout=300)
        done = Done(process)
        if text:
            done.out, done.err = done.out.decode(errors="surrogateescape"), done.err.decode(errors="surrogateescape")
        self.assertEqual(done.status, status, f"{arguments}\nstdout: {done.out[-2000:]}\nstderr: {done.err[-2000:]}")
        return done

    def assertNames(self, done, *parts):
        """stderr tells it in one line that holds all parts."""
        found = any(all(str(part) in line for part in parts) for line in done.err.splitlines())
        self.assertTrue(found, f"no line with {parts} in:\n{done.err}")


def main():
    unittest.main(verbosity=1)
