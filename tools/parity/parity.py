#!/usr/bin/python3
"""Raw heads of Tessera against OpenCV DNN and Debian's darknet, on the same weights and the same input tensor.

For every Darknet model under DATA/models/darknet, and a random-weights yolov4 at several sizes, two inputs (seeded
noise and a photo), each ISA and each thread count: the largest |difference| over a head, divided by the largest
|value| of that head in the other engine. Above --tolerance is a failure (exit 1). Heads of one ISA must be the same
bits for every thread count.

Debian's darknet divides by sqrt(variance) + 1e-6 in batch norm, OpenCV and Tessera by sqrt(variance + 1e-6). For the
comparison darknet gets weights whose variances make its form equal to theirs (with_opencv_epsilon); `as read` tells
what the difference is with the file as it stands.

Third parties come from Debian: python3-opencv (4.6), darknet. Run by `./dev parity`.
"""
import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import cv2
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))


def sections(cfg_text):
    return re.findall(r"^\[(\w+)\]", cfg_text, re.M)


def with_size(cfg_text, height, width):
    text = re.sub(r"^width\s*=\s*\d+", f"width={width}", cfg_text, count=1, flags=re.M)
    return re.sub(r"^height\s*=\s*\d+", f"height={height}", text, count=1, flags=re.M)


def input_size(cfg_text):
    return [int(re.search(rf"^{key}\s*=\s*(\d+)", cfg_text, re.M).group(1)) for key in ("height", "width", "channels")]


def head_names(cfg_text):
    """OpenCV's names of the convolutions in front of each [yolo]."""
    layers = sections(cfg_text)[1:]
    return [f"conv_{i - 1}" for i, kind in enumerate(layers) if kind == "yolo"]


def options(cfg_text):
    """The cfg as a list of (kind, {key: value})."""
    parsed = []
    for line in cfg_text.splitlines():
        line = line.split("#")[0].split(";")[0].strip()
        if line.startswith("["):
            parsed.append((line[1:line.index("]")], {}))
        elif "=" in line:
            key, value = line.split("=", 1)
            parsed[-1][1][key.strip()] = value.strip()
    return parsed


def batch_norm_variances(cfg_text):
    """(offset, count) in floats of each layer's variances in the weights file, after its header."""
    net, *layers = options(cfg_text)
    channels, offset, found = [], 0, []
    for index, (kind, o) in enumerate(layers):
        before = channels[-1] if channels else int(net[1].get("channels", 3))
        absolute = lambda n: int(n) + index if int(n) < 0 else int(n)
        if kind == "convolutional":
            filters, size, groups = int(o.get("filters", 1)), int(o.get("size", 1)), int(o.get("groups", 1))
            normalized = int(o.get("batch_normalize", 0))
            if normalized:  # biases, scales, means, variances
                found.append((offset + 3 * filters, filters))
            offset += (4 if normalized else 1) * filters + filters * before // groups * size * size
            channels.append(filters)
        elif kind == "route":
            total = sum(channels[absolute(n)] for n in o["layers"].split(","))
            channels.append(total // int(o.get("groups", 1)))
        elif kind == "scale_channels":
            channels.append(channels[absolute(o["from"])])
        else:
            channels.append(before)
    return found


def with_opencv_epsilon(weights, cfg_text, target):
    """Writes weights with v' such that sqrt(v') + 1e-6 == sqrt(v + 1e-6)."""
    raw = np.fromfile(weights, np.uint8)
    header = 20  # three int32 and a 64-bit count
    numbers = raw[header:].view("<f4").copy()
    for offset, count in batch_norm_variances(cfg_text):
        v = np.maximum(numbers[offset:offset + count].astype(np.float64), 0)
        numbers[offset:offset + count] = np.square(np.sqrt(v + 1e-6) - 1e-6)
    with open(target, "wb") as file:
        file.write(raw[:header].tobytes() + numbers.tobytes())


def run_opencv(cfg, weights, cfg_text, x):
    net = cv2.dnn.readNetFromDarknet(cfg, weights)
    net.setPreferableBackend(cv2.dnn.DNN_BACKEND_OPENCV)
    net.setInput(x)
    return [h for h in net.forward(head_names(cfg_text))]


def run_darknet(cfg, weights, shapes, x, folder):
    program = os.path.join(folder, "darknet_heads")
    if not os.path.exists(program):
        subprocess.run(["cc", os.path.join(HERE, "darknet_heads.c"), "-I/usr/lib/darknet/include", "-L/usr/lib/darknet",
                        "-ldarknet", "-Wl,-rpath,/usr/lib/darknet", "-o", program], check=True)
    x.astype("<f4").tofile(os.path.join(folder, "x.f32"))
    command = [program, cfg, weights, os.path.join(folder, "x.f32"), os.path.join(folder, "heads.f32")]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return None, "does not run it: " + (done.stderr.strip().splitlines() or ["no message"])[-1]
    if "Couldn't find activation function" in done.stderr:  # it goes on with ReLU
        return None, "does not know its activation"
    flat = np.fromfile(os.path.join(folder, "heads.f32"), "<f4")
    if flat.size != sum(int(np.prod(s)) for s in shapes):
        return None, "its heads have other sizes"
    parts = np.split(flat, np.cumsum([int(np.prod(s)) for s in shapes])[:-1])
    return [p.reshape(s) for p, s in zip(parts, shapes)], None


def run_tessera(program, cfg, weights, x, folder, *options):
    np.save(os.path.join(folder, "x.npy"), x)
    command = [program, "run", cfg, "--weights", weights, "--input", os.path.join(folder, "x.npy"), "--output", folder,
               "--layout", "nchw", "--json", *options]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return [np.load(os.path.join(folder, o["file"])) for o in report["outputs"]]


def difference(ours, theirs):
    return max(float(np.max(np.abs(a.reshape(-1) - b.reshape(-1)))) / float(np.max(np.abs(b))) for a, b in zip(ours, theirs))


def inputs_for(height, width, channels, data):
    yield "noise", np.random.default_rng(3).random((1, channels, height, width), dtype=np.float32)
    photo = os.path.join(data, "images/misc/dog.jpg")
    if channels == 3 and os.path.exists(photo):
        image = cv2.resize(cv2.imread(photo)[:, :, ::-1], (width, height)).astype(np.float32) / 255
        yield "dog.jpg", np.ascontiguousarray(image.transpose(2, 0, 1)[None])


def check_model(name, cfg, weights, args, folder):
    text = open(cfg, encoding="utf-8", errors="replace").read()
    failures = 0
    for source, x in inputs_for(*input_size(text), args.data):
        truth = run_opencv(cfg, weights, text, x)
        shapes = [h.shape for h in truth]
        darknet, why, as_read = None, "not asked", None
        if args.darknet:
            as_read, why = run_darknet(cfg, weights, shapes, x, folder)
        if as_read:
            same_function = os.path.join(folder, "same.weights")
            with_opencv_epsilon(weights, text, same_function)
            darknet, why = run_darknet(cfg, same_function, shapes, x, folder)
        for isa in args.isa:
            by_threads = [run_tessera(args.tessera, cfg, weights, x, folder, "--isa", isa, "--threads", str(t))
                          for t in args.threads]
            same_bits = all(np.array_equal(a, b) for other in by_threads[1:] for a, b in zip(by_threads[0], other))
            against_cv = difference(by_threads[0], truth)
            against_darknet = difference(by_threads[0], darknet) if darknet else None
            good = same_bits and against_cv <= args.tolerance and (darknet is None or against_darknet <= args.tolerance)
            failures += not good
            shown = f"{against_darknet:.1e} (as read {difference(by_threads[0], as_read):.1e})" if darknet else f"- ({why})"
            print(f"{'ok  ' if good else 'FAIL'} {name:34s} {source:8s} {isa:8s} opencv {against_cv:.1e}  darknet {shown}"
                  f"  bits over threads {args.threads}: {'equal' if same_bits else 'DIFFER'}", flush=True)
    return failures


def models(args, folder):
    for cfg in sorted(glob.glob(os.path.join(args.data, "models/darknet/*.cfg"))):
        yield os.path.basename(cfg)[:-4], cfg, cfg[:-4] + ".weights"
    if not args.yolov4:
        return
    base = os.path.join(folder, "yolov4")
    subprocess.run([sys.executable, os.path.join(HERE, "../models/make_darknet.py"), "yolov4", base], check=True,
                   stdout=subprocess.DEVNULL)
    text = open(base + ".cfg", encoding="utf-8").read()
    for size in args.yolov4:
        height, width = (int(n) for n in size.split("x"))
        cfg = os.path.join(folder, f"yolov4-{size}.cfg")
        with open(cfg, "w", encoding="utf-8") as file:
            file.write(with_size(text, height, width))
        yield f"yolov4 random {size}", cfg, base + ".weights"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    comma = lambda s: [part for part in s.split(",") if part]
    parser.add_argument("--tessera", default="build/tessera")
    parser.add_argument("--data", default=os.environ.get("TESSERA_DATA", "data"))
    parser.add_argument("--isa", type=comma, default=["scalar", "avx2", "avx512"])
    parser.add_argument("--threads", type=lambda s: [int(t) for t in comma(s)], default=[1, 2, 5])
    parser.add_argument("--yolov4", type=comma, default=["320x320", "416x416", "512x512", "640x640", "448x800"],
                        help="HEIGHTxWIDTH of the random-weights yolov4, comma separated; '' for none")
    parser.add_argument("--only", default="", help="models whose name contains this")
    parser.add_argument("--no-darknet", dest="darknet", action="store_false")
    parser.add_argument("--tolerance", type=float, default=1e-4)
    args = parser.parse_args()
    failures = checked = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, cfg, weights in models(args, folder):
            if args.only in name:
                failures += check_model(name, cfg, weights, args, folder)
                checked += 1
    print(f"{checked} models, {failures} comparisons failed, OpenCV {cv2.__version__}")
    return 1 if failures or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
