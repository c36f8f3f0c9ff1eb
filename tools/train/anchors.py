#!/usr/bin/env python3
"""Nine anchors for the boxes of a cache: k-means on log width and height, printed by area for the cfg."""
import argparse
from pathlib import Path

import numpy as np


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cache", type=Path)
    parser.add_argument("--size", type=int, default=320)
    args = parser.parse_args()
    wh = np.log(np.load(args.cache / "boxes.npz")["boxes"][:, 3:5] * args.size)
    centres = wh[np.argsort(wh.sum(1))][np.linspace(0, len(wh) - 1, 19).astype(int)[1::2]]
    for _ in range(100):
        nearest = ((wh[:, None] - centres[None]) ** 2).sum(2).argmin(1)
        centres = np.stack([wh[nearest == k].mean(0) for k in range(9)])
    anchors = np.exp(centres[np.argsort(centres.sum(1))]).round().astype(int)
    print("anchors=" + ", ".join(f"{w},{h}" for w, h in anchors))


if __name__ == "__main__":
    main()
