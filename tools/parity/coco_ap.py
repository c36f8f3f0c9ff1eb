#!/usr/bin/env python3
"""AP of `tessera detect` on photos with COCO annotations, scored by pycocotools (pip install pycocotools).

  coco_ap.py --tessera build/tessera --images DIR --annotations FILE -- --model X.cfg --weights X.weights --names X.names

What stands behind `--` goes to `tessera detect` as it is. Prints AP, AP50, AP75 as JSON.
"""
import argparse
import contextlib
import io
import json
import subprocess
import sys

from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval


def detect(args, rest):
    command = [args.tessera, "detect", args.images, "--format", "coco", "--annotations", args.annotations, "--threshold",
               args.threshold, "--quiet", *rest]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def score(annotations, detections):
    with contextlib.redirect_stdout(io.StringIO()):
        truth = COCO(annotations)
        evaluation = COCOeval(truth, truth.loadRes(detections), "bbox")
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    return evaluation.stats


def main():
    own, rest = sys.argv[1:], []
    if "--" in own:
        cut = own.index("--")
        own, rest = own[:cut], own[cut + 1:]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tessera", default="build/tessera")
    parser.add_argument("--images", required=True)
    parser.add_argument("--annotations", required=True)
    parser.add_argument("--threshold", default="0.001")
    args = parser.parse_args(own)
    detections = detect(args, rest)
    stats = score(args.annotations, detections)
    print(json.dumps({"detections": len(detections), "AP": stats[0], "AP50": stats[1], "AP75": stats[2]}))


if __name__ == "__main__":
    main()
