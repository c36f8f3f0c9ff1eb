#!/usr/bin/python3
"""Heads of a real network on a real photo, for boxdecode_bench: p3.npy, p4.npy, p5.npy (1 x 255 x H x W).

The network is yolo-fastest-1.1-xl (COCO, 3 x 85 channels, strides 16 and 32). Its stride-16 head at 1280x1280 has the
80x80 cells of a YOLOv4 at 640, its two heads at 640x640 the 40x40 and 20x20 ones: together 25,200 slots whose scores
are distributed as those of a trained network. Python and OpenCV come from Debian (python3-opencv).
"""
import argparse
import glob
import os
import re
import subprocess
import tempfile

import cv2
import numpy as np


def sized(cfg, side):
    text = open(cfg, encoding="utf-8").read()
    for key in ("width", "height"):
        text = re.sub(rf"^{key}\s*=\s*\d+", f"{key}={side}", text, count=1, flags=re.M)
    return text


def run(args, folder, side):
    cfg, photo, output = (os.path.join(folder, name) for name in ("model.cfg", "x.npy", f"heads{side}"))
    with open(cfg, "w", encoding="utf-8") as f:
        f.write(sized(args.model + ".cfg", side))
    image = cv2.cvtColor(cv2.resize(cv2.imread(args.photo), (side, side)), cv2.COLOR_BGR2RGB)
    np.save(photo, np.ascontiguousarray(image.astype(np.float32).transpose(2, 0, 1)[None] / 255.0))
    os.makedirs(output, exist_ok=True)
    subprocess.run([args.tessera, "run", cfg, "--weights", args.model + ".weights", "--input", photo, "--output", output,
                    "--layout", "nchw"], check=True, stdout=subprocess.DEVNULL)
    heads = [np.load(path) for path in glob.glob(os.path.join(output, "*.npy"))]
    return {head.shape[-1]: head for head in heads}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tessera", required=True, help="the program")
    parser.add_argument("--model", required=True, help="path of yolo-fastest-1.1-xl without .cfg")
    parser.add_argument("--photo", required=True)
    parser.add_argument("--output", required=True, help="folder to write to")
    args = parser.parse_args()
    os.makedirs(args.output, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        large, small = run(args, folder, 1280), run(args, folder, 640)
    for name, head in (("p3", large[80]), ("p4", small[40]), ("p5", small[20])):
        assert head.shape[1] == 255, head.shape
        np.save(os.path.join(args.output, name + ".npy"), head)


if __name__ == "__main__":
    main()
