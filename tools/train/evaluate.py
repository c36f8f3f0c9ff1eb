#!/usr/bin/env python3
"""mAP of a Darknet cfg + weights on photos with COCO annotations: stretch to the input, float arithmetic."""
import argparse
import json
from pathlib import Path

import cv2
import numpy as np
import torch

from cache import stretch
from detect import coco_map, detections
from network import Network, cost, load_weights


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cfg", type=Path, required=True)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--images", type=Path, required=True)
    parser.add_argument("--annotations", type=Path, required=True)
    parser.add_argument("--min-score", type=float, default=0.005)
    parser.add_argument("--nms", type=float, default=0.5, help="IoU above which the weaker box goes")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--results", type=Path, help="also write the detections as COCO JSON")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    network = Network(args.cfg).eval()
    load_weights(network, args.weights)
    truth = json.loads(args.annotations.read_text())
    category = [c["id"] for c in sorted(truth["categories"], key=lambda c: c["id"])]
    results = []
    for entry in truth["images"]:
        canvas = stretch(cv2.imread(str(args.images / entry["file_name"])), network.size[0])
        x = torch.from_numpy(np.ascontiguousarray(canvas)).permute(2, 0, 1)[None].float() / 255
        w, h = entry["width"], entry["height"]
        for x0, y0, x1, y1, score, kind in detections(network, x, args.min_score, args.nms)[0].astype(float):
            results.append({"image_id": entry["id"], "category_id": category[int(kind)], "score": score,
                            "bbox": [x0 * w, y0 * h, (x1 - x0) * w, (y1 - y0) * h]})
    if args.results:
        args.results.write_text(json.dumps(results) + "\n")
    at50, at5095, per_class = coco_map(truth, results)
    parameters, macs = cost(network)
    print(f"{parameters} parameters, {macs} multiply-adds, {len(truth['images'])} photos")
    for c in truth["categories"]:
        print(f"  {c['name']:12s} AP@50 {per_class.get(c['id'], float('nan')):.3f}")
    print(f"mAP@50 {at50:.4f}  mAP@50:95 {at5095:.4f}  (min score {args.min_score}, NMS {args.nms})")


if __name__ == "__main__":
    main()
