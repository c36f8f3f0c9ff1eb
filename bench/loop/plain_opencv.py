#!/usr/bin/env python3
"""`tessera detect` beside the loop most people write: OpenCV reads, resizes, infers and suppresses, photo after photo.

  plain_opencv.py --model X.cfg --weights X.weights --names X.names --photos DIR     (Debian: python3-opencv)

The boxes are compared first. OpenCV's time begins when its network is loaded and warm; Tessera's is the whole process,
start and loading included. Rounds are interleaved; photos per second are medians with [lowest .. highest].
"""
import argparse
import json
import os
import statistics
import subprocess
import time

import cv2
import numpy as np

THRESHOLD, NMS = 0.25, 0.45


class Plain:
    def __init__(self, args):
        cv2.setNumThreads(args.threads)
        self.net = cv2.dnn.readNetFromDarknet(args.model, args.weights)
        self.heads = self.net.getUnconnectedOutLayersNames()
        self.size = args.size

    def detect(self, path):
        """[(class, score, x1, y1, x2, y2)]"""
        photo = cv2.imread(path)
        self.net.setInput(cv2.dnn.blobFromImage(photo, 1 / 255, (self.size, self.size), swapRB=True))
        rows = np.concatenate(self.net.forward(self.heads))
        classes = rows[:, 5:].argmax(axis=1)
        scores = rows[np.arange(len(rows)), 5 + classes]
        keep = scores >= THRESHOLD
        rows, classes, scores = rows[keep], classes[keep], scores[keep]
        height, width = photo.shape[:2]
        sizes = rows[:, 2:4] * (width, height)
        corners = rows[:, :2] * (width, height) - sizes / 2
        found = []
        for k in set(classes):
            of_class = np.flatnonzero(classes == k)
            boxes = np.concatenate((corners[of_class], sizes[of_class]), axis=1)
            for i in np.asarray(cv2.dnn.NMSBoxes(boxes.tolist(), scores[of_class].tolist(), THRESHOLD, NMS)).reshape(-1):
                x, y, w, h = boxes[i]
                clipped = np.clip((x, y, x + w, y + h), 0, (width, height, width, height))
                found.append((int(k), float(scores[of_class[i]]), *clipped))
        return found


def tessera(args):
    command = [args.tessera, "detect", args.photos, "--json", "--quiet", "--model", args.model, "--weights", args.weights,
               "--names", args.names, "--size", str(args.size), "--stretch", "--threshold", str(THRESHOLD), "--nms-iou", str(NMS)]
    start = time.perf_counter()
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return time.perf_counter() - start, json.loads(out)


def iou(a, b):
    w, h = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if w <= 0 or h <= 0:
        return 0.0
    return w * h / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - w * h)


def has_partner(box, others):
    return any(o[0] == box[0] and abs(o[1] - box[1]) <= 0.02 and iou(o[2:], box[2:]) >= 0.95 for o in others)


def compare(plain, ours):
    """How many boxes of each side that are not near the threshold the other side has too."""
    shares = []
    for mine, theirs in ((plain, ours), (ours, plain)):
        clear = [(name, box) for name, boxes in mine.items() for box in boxes if box[1] >= THRESHOLD + 0.02]
        shares.append((sum(has_partner(box, theirs[name]) for name, box in clear), len(clear)))
    return shares


def boxes_of(report):
    return {os.path.basename(p["file"]): [(d["class_id"], d["score"], *d["box"]) for d in p["detections"]]
            for p in report["photos"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--model", "--weights", "--names", "--photos"):
        parser.add_argument(name, required=True)
    parser.add_argument("--tessera", default="build-release/tessera")
    parser.add_argument("--size", type=int, default=320)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="OpenCV's; Tessera takes all")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    photos = sorted(os.path.join(args.photos, n) for n in os.listdir(args.photos))
    plain = Plain(args)
    theirs = {os.path.basename(p): plain.detect(p) for p in photos}  # also warms up
    _, report = tessera(args)
    (a, of_a), (b, of_b) = compare(theirs, boxes_of(report))
    print(f"{len(photos)} photos; OpenCV {cv2.__version__}, {args.threads} threads")
    print(f"boxes 0.02 or more above {THRESHOLD}: {a} of OpenCV's {of_a} are Tessera's too, {b} of Tessera's {of_b} OpenCV's"
          " (class, score within 0.02, IoU 0.95)")
    rates = {"OpenCV": [], "Tessera": []}
    for _ in range(args.rounds):
        start = time.perf_counter()
        for path in photos:
            plain.detect(path)
        rates["OpenCV"].append(len(photos) / (time.perf_counter() - start))
        rates["Tessera"].append(len(photos) / tessera(args)[0])
    for name, values in rates.items():
        print(f"{name:8s} {statistics.median(values):7.1f} photos/s [{min(values):.1f} .. {max(values):.1f}]")
    print(f"ratio    {statistics.median(rates['Tessera']) / statistics.median(rates['OpenCV']):7.2f}")


if __name__ == "__main__":
    main()
