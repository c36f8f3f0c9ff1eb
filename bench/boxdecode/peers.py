#!/usr/bin/env python3
"""Selection of others on the same candidates: torchvision.ops.batched_nms, cv2.dnn.NMSBoxesBatched.

Reads candidates.npy and kept.npy (boxdecode_bench --dump=FOLDER), compares who is kept, then times. A peer that is not
installed is named and left out. One thread. Prints one JSON object per peer.
"""
import argparse
import json
import statistics
import time

import numpy as np


def by_torchvision(boxes, scores, classes, threshold):
    import torch
    import torchvision
    torch.set_num_threads(1)
    tensors = torch.from_numpy(boxes), torch.from_numpy(scores), torch.from_numpy(classes)
    return torchvision.__version__, lambda: torchvision.ops.batched_nms(*tensors, threshold).numpy()


def by_opencv(boxes, scores, classes, threshold):
    import cv2
    if not hasattr(cv2.dnn, "NMSBoxesBatched"):
        raise ImportError(f"OpenCV {cv2.__version__} has no NMSBoxesBatched for Python (4.7 has)")
    cv2.setNumThreads(1)
    # Float rectangles: left, top, width, height. Scores above (not at) the first threshold.
    xywh = np.concatenate([boxes[:, :2], boxes[:, 2:] - boxes[:, :2]], axis=1).astype(np.float64)
    arguments = xywh.tolist(), scores.tolist(), classes.tolist(), 0.0, threshold
    return cv2.__version__, lambda: np.asarray(cv2.dnn.NMSBoxesBatched(*arguments)).reshape(-1)


def median_us(call, rounds):
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        call()
        times.append((time.perf_counter() - start) * 1e6)
    return statistics.median(times), min(times), max(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="where candidates.npy and kept.npy are")
    parser.add_argument("--threshold", type=float, default=0.45)
    parser.add_argument("--rounds", type=int, default=21)
    args = parser.parse_args()
    rows = np.load(f"{args.folder}/candidates.npy")
    ours = set(np.load(f"{args.folder}/kept.npy").astype(int).tolist())
    data = np.ascontiguousarray(rows[:, :4]), np.ascontiguousarray(rows[:, 4]), rows[:, 5].astype(np.int64)
    for name, peer in (("torchvision", by_torchvision), ("opencv", by_opencv)):
        try:
            version, call = peer(*data, args.threshold)
        except ImportError as missing:
            print(json.dumps({"peer": name, "skipped": str(missing)}))
            continue
        kept = set(call().astype(int).tolist())
        median, low, high = median_us(call, args.rounds)
        print(json.dumps({"peer": name, "version": version, "candidates": len(rows), "kept": len(kept),
                          "kept_here": len(ours), "only_peer": len(kept - ours), "only_here": len(ours - kept),
                          "median_us": round(median, 1), "min_us": round(low, 1), "max_us": round(high, 1)}))


if __name__ == "__main__":
    main()
