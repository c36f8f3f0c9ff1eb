#!/usr/bin/env python3
"""Compares the exported cfg + weights in OpenCV DNN with detections written by evaluate.py --results.

OpenCV zeroes class scores below 0.2 by itself, so --min-score stays above that. Run with a Python that has OpenCV 4.5.5 or newer of the 4 series (Debian: python3-opencv); PyTorch is not needed.
"""
import argparse
import json
from pathlib import Path

import cv2
import numpy as np


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cfg", required=True)
    parser.add_argument("--weights", required=True)
    parser.add_argument("--images", type=Path, required=True)
    parser.add_argument("--annotations", type=Path, required=True)
    parser.add_argument("--results", type=Path, required=True)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--min-score", type=float, default=0.3)
    args = parser.parse_args()
    net = cv2.dnn.readNetFromDarknet(args.cfg, args.weights)
    net.setPreferableBackend(cv2.dnn.DNN_BACKEND_OPENCV)
    results, compared, worst_box, worst_score = json.loads(args.results.read_text()), 0, 0.0, 0.0
    for entry in json.loads(args.annotations.read_text())["images"][:args.count]:
        image = cv2.imread(str(args.images / entry["file_name"]))
        net.setInput(cv2.dnn.blobFromImage(image, 1 / 255, (320, 320), swapRB=True, crop=False))
        rows = np.concatenate(net.forward(net.getUnconnectedOutLayersNames()))  # cxcywh, objectness, class scores
        size = np.array([entry["width"], entry["height"]] * 2)
        for ours in results:
            if ours["image_id"] != entry["id"] or ours["score"] < args.min_score:
                continue
            x, y, w, h = ours["bbox"]
            xyxy = np.concatenate([rows[:, :2] - rows[:, 2:4] / 2, rows[:, :2] + rows[:, 2:4] / 2], 1).clip(0, 1) * size
            box = np.abs(xyxy - [x, y, x + w, y + h]).max(1)
            score = np.abs(rows[:, 4 + ours["category_id"]] - ours["score"])  # category ids begin at 1
            best = (box + 100 * score).argmin()
            compared, worst_box, worst_score = compared + 1, max(worst_box, box[best]), max(worst_score, score[best])
    print(f"OpenCV {cv2.__version__}: {compared} detections, worst box side difference {worst_box:.4f} pixels, "
          f"worst score difference {worst_score:.6f}")
    if not compared or worst_box > 0.1 or worst_score > 1e-3:
        raise SystemExit("the two disagree")


if __name__ == "__main__":
    main()
