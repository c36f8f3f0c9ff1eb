#!/usr/bin/env python3
"""`tessera eval --detections` against pycocotools (pip install pycocotools) on random sets and on files.

  eval_parity.py --tessera build/tessera [--sets 200] [--seed 1] [GT.json RESULTS.json]...

Random sets hold what breaks ties and rules: crowds, equal scores and boxes, more than 100 detections in a photo, outlines
smaller than boxes, annotation id 0, photos and classes without objects or detections. Prints the largest difference of
the twelve figures and of AP and AP50 per class; status 1 when it is above 1e-9.
"""
import argparse
import contextlib
import io
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

STATS = "AP AP50 AP75 APsmall APmedium APlarge AR1 AR10 AR100 ARsmall ARmedium ARlarge".split()
LIMIT = 1e-9


def random_box(rng):
    scale = rng.choice([12, 40, 90, 200])
    return [rng.randrange(300), rng.randrange(300), 1 + rng.randrange(scale), 1 + rng.randrange(scale)]


def nudged(rng, box):
    if rng.random() < 0.2:
        return list(box)
    step = max(1, min(box[2], box[3]) // 4)
    moved = [v + rng.randint(-step, step) for v in box]
    if rng.random() < 0.5:
        moved = [v + rng.random() for v in moved]
    return [moved[0], moved[1], max(0, moved[2]), max(0, moved[3])]


def random_set(rng):
    photos, classes = rng.randint(1, 25), rng.randint(1, 6)
    images = [{"id": i, "file_name": f"{i}.jpg"} for i in rng.sample(range(1000), photos)]
    categories = [{"id": i, "name": f"c{i}"} for i in rng.sample(range(1, 91), classes)]
    annotations, results = [], []
    next_id = rng.choice([0, 1])

    def score():
        return rng.choice([round(rng.random(), 1), rng.random()])

    for image in images:
        for _ in range(rng.choice([0, 1, 3, 10])):
            category, box = rng.choice(categories)["id"], random_box(rng)
            crowd = int(rng.random() < 0.12)
            annotations.append({"id": next_id, "image_id": image["id"], "category_id": category, "bbox": box, "iscrowd": crowd,
                                "area": box[2] * box[3] * rng.choice([1, 0.6])})
            next_id += 1
            for _ in range(rng.choice([0, 1, 1, 2, 5])):
                other = rng.choice(categories)["id"] if rng.random() < 0.15 else category
                results.append({"image_id": image["id"], "category_id": other, "bbox": nudged(rng, box), "score": score()})
        for _ in range(rng.choice([0, 2, 5, 300 if rng.random() < 0.2 else 5])):
            results.append({"image_id": image["id"], "category_id": rng.choice(categories)["id"], "bbox": random_box(rng),
                            "score": score()})
    rng.shuffle(results)
    if not results:  # pycocotools cannot read an empty list
        results.append({"image_id": images[0]["id"], "category_id": categories[0]["id"], "bbox": [0, 0, 5, 5], "score": 0.5})
    return {"images": images, "categories": categories, "annotations": annotations}, results


def theirs(annotations, results):
    with contextlib.redirect_stdout(io.StringIO()):
        truth = COCO(str(annotations))
        evaluation = COCOeval(truth, truth.loadRes(str(results)), "bbox")
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    figures = dict(zip(STATS, evaluation.stats))
    precision = evaluation.eval["precision"]  # threshold, recall, class, area, detections
    for k, category in enumerate(evaluation.params.catIds):
        for name, values in (("ap", precision[:, :, k, 0, 2]), ("ap_50", precision[0, :, k, 0, 2])):
            values = values[values > -1]
            figures[f"{k} {name}"] = numpy.mean(values) if values.size else -1
    return figures


def ours(tessera, annotations, results):
    done = subprocess.run([tessera, "eval", "--json", "--annotations", annotations, "--detections", results], check=True,
                          stdout=subprocess.PIPE, text=True)
    report = json.loads(done.stdout)
    figures = dict(report["coco"])
    for k, category in enumerate(report["classes"]):
        figures[f"{k} ap"], figures[f"{k} ap_50"] = category["ap"], category["ap_50"]
    return figures


def difference(tessera, annotations, results):
    a, b = ours(tessera, annotations, results), theirs(annotations, results)
    assert a.keys() == b.keys(), (a.keys() ^ b.keys())
    worst = max(a, key=lambda name: abs(a[name] - b[name]))
    return abs(a[worst] - b[worst]), f"{worst}: ours {a[worst]!r}, pycocotools {float(b[worst])!r}", len(a)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tessera", default="build/tessera")
    parser.add_argument("--sets", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("files", nargs="*", help="pairs of annotations and results")
    args = parser.parse_args()
    worst, compared = (0.0, "equal"), 0
    pairs = list(zip(args.files[::2], args.files[1::2]))
    with tempfile.TemporaryDirectory() as folder:
        for i in range(args.sets):
            annotations, results = random_set(random.Random(args.seed * 1_000_003 + i))
            paths = [pathlib.Path(folder, name) for name in ("gt.json", "results.json")]
            for path, content in zip(paths, (annotations, results)):
                path.write_text(json.dumps(content))
            amount, text, figures = difference(args.tessera, *paths)
            compared += figures
            worst = max(worst, (amount, f"set {i} of seed {args.seed}, {text}"))
        for annotations, results in pairs:
            amount, text, figures = difference(args.tessera, annotations, results)
            compared += figures
            worst = max(worst, (amount, f"{results}, {text}"))
    print(f"{args.sets} random sets and {len(pairs)} pairs of files, {compared} figures: largest difference {worst[0]:.3g} ({worst[1]})")
    return 0 if worst[0] <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
