#!/usr/bin/env python3
"""dump_opencv_darknet.py MODEL.cfg MODEL.weights PHOTO DIR: raw heads of a Darknet network as OpenCV DNN computes them.

Writes DIR/head_I.npy (f32, H x W x C, before the sigmoid) for every [yolo] section I, in file order: the convolution in
front of it. The photo is stretched to the network's input, RGB, 0 to 1, as Darknet's own demos do. Needs numpy and
opencv 4.6 (later versions 5 read no Darknet files).
"""
import argparse
import pathlib
import re

import cv2
import numpy as np


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cfg", type=pathlib.Path)
    parser.add_argument("weights")
    parser.add_argument("photo")
    parser.add_argument("dir", type=pathlib.Path)
    args = parser.parse_args()
    text = args.cfg.read_text()
    kinds = re.findall(r"^\[(\w+)\]", text, re.MULTILINE)[1:]
    names = [f"conv_{i - 1}" for i, kind in enumerate(kinds) if kind == "yolo"]  # OpenCV's names
    width, height = (int(re.search(rf"^{key}\s*=\s*(\d+)", text, re.MULTILINE).group(1)) for key in ("width", "height"))
    net = cv2.dnn.readNetFromDarknet(str(args.cfg), args.weights)
    net.setInput(cv2.dnn.blobFromImage(cv2.imread(args.photo), 1 / 255, (width, height), swapRB=True))
    args.dir.mkdir(parents=True, exist_ok=True)
    for i, tensor in enumerate(net.forward(names)):
        np.save(args.dir / f"head_{i}.npy", np.ascontiguousarray(tensor[0].transpose(1, 2, 0)))
        print(f"head_{i}.npy", tensor.shape[2:] + tensor.shape[1:2])


main()
