#!/usr/bin/env python3
"""Draws scenes by seed and stores them as the network sees them: RGB, stretched to the input size.

Writes DIR/images.npy (u8 [count, size, size, 3]) and DIR/boxes.npz: boxes f32 [m, 5] (class, then cxcywh as shares
of the picture's sides) and start i64 [count + 1], scene i owning rows start[i] .. start[i + 1] - 1.
"""
import argparse
import multiprocessing
import sys
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "scenes"))
from scene import scene  # noqa: E402


def stretch(image, size):
    """BGR photo -> RGB canvas: bilinear, half-pixel centres."""
    return cv2.resize(image, (size, size), interpolation=cv2.INTER_LINEAR)[..., ::-1]


def example(job):
    seed, size = job
    image, boxes = scene(seed)
    quality = int(np.random.default_rng([5712, seed]).integers(60, 91))
    image = cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)
    h, w = image.shape[:2]
    rows = [(kind, (x + bw / 2) / w, (y + bh / 2) / h, bw / w, bh / h) for kind, x, y, bw, bh, _ in boxes]
    return stretch(image, size), np.array(rows, np.float32).reshape(-1, 5)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed-start", type=int, default=0)
    parser.add_argument("--count", type=int, default=24000)
    parser.add_argument("--size", type=int, default=320)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--processes", type=int, default=2)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    args.out.mkdir(parents=True, exist_ok=True)
    shape = (args.count, args.size, args.size, 3)
    images = np.lib.format.open_memmap(args.out / "images.npy", "w+", np.uint8, shape)
    boxes, start = [], [0]
    with multiprocessing.Pool(args.processes) as pool:
        jobs = ((args.seed_start + i, args.size) for i in range(args.count))
        for i, (image, rows) in enumerate(pool.imap(example, jobs, 32)):
            images[i] = image
            boxes.append(rows)
            start.append(start[-1] + len(rows))
    images.flush()
    np.savez(args.out / "boxes.npz", boxes=np.concatenate(boxes), start=np.array(start))


if __name__ == "__main__":
    main()
