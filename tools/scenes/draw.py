#!/usr/bin/env python3
"""Draws scenes as JPEG files with COCO annotations. The same seed gives the same scene."""
import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from scene import scene
from shapes import NAMES


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed-start", type=int, required=True, help="scenes S .. S + N - 1 are drawn")
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True, help="folder for the JPEG files")
    parser.add_argument("--annotations", type=Path, required=True, help="COCO JSON to write")
    parser.add_argument("--quality", type=int, nargs=2, default=(60, 90), metavar=("LOW", "HIGH"))
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    images, annotations = [], []
    for i in range(args.count):
        seed = args.seed_start + i
        image, boxes = scene(seed)
        name = f"scene_{seed:07d}.jpg"
        quality = int(np.random.default_rng([5712, seed]).integers(args.quality[0], args.quality[1] + 1))
        cv2.imwrite(str(args.out / name), image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        images.append({"id": i + 1, "file_name": name, "width": image.shape[1], "height": image.shape[0]})
        for kind, x, y, w, h, area in boxes:
            annotations.append({"id": len(annotations) + 1, "image_id": i + 1, "category_id": kind + 1,
                                "bbox": [x, y, w, h], "area": area, "iscrowd": 0})
    categories = [{"id": k + 1, "name": name} for k, name in enumerate(NAMES)]
    info = {"description": "Tessera drawn scenes", "seed_start": args.seed_start, "count": args.count}
    text = json.dumps({"info": info, "images": images, "annotations": annotations, "categories": categories})
    args.annotations.write_text(text + "\n")
    print(f"{args.count} scenes, {len(annotations)} objects -> {args.annotations}")


if __name__ == "__main__":
    main()
