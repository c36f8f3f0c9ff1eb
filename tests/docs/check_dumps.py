"""check_dumps.py ENGINE --program PROGRAM --root SOURCE --data DATA

Runs the dump script of ENGINE on a real network and photo and PROGRAM on what it wrote, and compares with the page: the
same boxes, scores to 0.001 and corners to 0.5 pixels, since another version or processor may compute other bits.
Exit code 77 (skipped) without the engine or the data. PYTHON names the interpreter that has the engine.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MODULES = {"onnxruntime": "cv2, onnx, onnxruntime", "opencv": "cv2"}
FILES = {
    "onnxruntime": ("dump_onnx_yolox.py", ["models/onnx/yolox_nano.onnx"], "yolox.md"),
    "opencv": ("dump_opencv_darknet.py",
               ["models/darknet/yolo-fastest-1.1.cfg", "models/darknet/yolo-fastest-1.1.weights"], "anchor-grid.md"),
}


def detections(text):
    return [[float(number) for number in re.findall(r"[-\d.]+", line)]
            for line in text.splitlines() if line.startswith("class ")]


def python_with(modules):
    for python in (os.environ.get("PYTHON"), sys.executable, "/usr/bin/python3"):
        if python and subprocess.run([python, "-c", f"import {modules}"], capture_output=True).returncode == 0:
            return python
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine", choices=FILES)
    parser.add_argument("--program", required=True)
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    args = parser.parse_args()
    script, models, page = FILES[args.engine]
    data = pathlib.Path(os.environ.get("TESSERA_DATA", args.data))
    inputs = [data / name for name in models + ["images/misc/dog.jpg"]]
    missing = [str(path) for path in inputs if not path.exists()]
    python = python_with(MODULES[args.engine])
    if missing or python is None:
        print("skipped:", ", ".join(missing) or f"no interpreter imports {MODULES[args.engine]} (set PYTHON)")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([python, args.root / "tools/boxdecode" / script, *inputs, folder], check=True, stdout=subprocess.DEVNULL)
        printed = subprocess.run([args.program, folder, "768", "576"], capture_output=True, text=True, check=True).stdout
    shown = re.search(r"^```console\n(.*?)^```$", (args.root / "docs/boxdecode" / page).read_text(), re.M | re.S).group(1)
    got, want = detections(printed), detections(shown)
    same = len(got) == len(want) > 0 and all(
        a[0] == b[0] and abs(a[1] - b[1]) <= 1e-3 and all(abs(x - y) <= 0.5 for x, y in zip(a[2:], b[2:]))
        for a, b in zip(got, want))
    print(f"{len(got)} boxes" if same else f"{page} shows\n{shown}the program prints\n{printed}")
    return 0 if same else 1


sys.exit(main())
