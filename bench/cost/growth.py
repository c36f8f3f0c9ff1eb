"""How time grows: networks at several input sizes, batches and thread counts."""
import os
import sys

from fit import power_law

SIDES = (320, 416, 512, 640, 768, 896, 1024, 1280)
BY_SIDE = {"yolov4tiny_416": SIDES, "yolov8n_640": SIDES, "yolov4_416": (320, 416, 512, 640, 896, 1280)}
BY_BATCH = {"yolov4tiny_416": 416, "yolov8n_640": 320}  # at this side
BATCHES = (1, 2, 3, 4, 6, 8)
SHORT = {"yolov4tiny_416": "yolov4-tiny", "yolov8n_640": "yolov8n", "yolov4_416": "yolov4"}


def _points(quick):
    """(model, side, batch, threads), each once."""
    processors = len(os.sched_getaffinity(0))
    sides = {m: s[:3] if quick else s for m, s in BY_SIDE.items() if not quick or m != "yolov4_416"}
    for model, all_sides in sides.items():
        for side in all_sides:
            yield model, side, 1, 1
    for model, side in BY_BATCH.items():
        for batch in BATCHES[:3] if quick else BATCHES:
            yield model, side, batch, 1
    for model in sides:
        for threads in range(2, processors + 1):
            yield model, 416, 1, threads


def measure(tessera, path_of, rounds, seconds, quick):
    """[{model, side, batch, threads, median_ms of each round, min_ms, arena_bytes, macs}]"""
    points = list(dict.fromkeys(_points(quick)))
    rows = [{"model": m, "side": s, "batch": b, "threads": t, "medians_ms": [], "min_ms": float("inf")} for m, s, b, t in points]
    for turn in range(rounds):
        for row in rows:
            got = tessera(path_of(row["model"]), row["side"], row["batch"], row["threads"], seconds)
            row["medians_ms"].append(got["median_ms"])
            row["min_ms"] = min(row["min_ms"], got["min_ms"])
            row["arena_bytes"], row["macs"] = got["arena_bytes"], got["macs"]
        print(f"growth: round {turn + 1} of {rounds} done", file=sys.stderr)
    return rows


def by_side(rows, model):
    return [r for r in rows if r["model"] == model and r["batch"] == 1 and r["threads"] == 1]


def by_batch(rows, model):
    side = BY_BATCH.get(model)
    return [r for r in rows if r["model"] == model and r["side"] == side and r["threads"] == 1]


def by_threads(rows, model):
    return [r for r in rows if r["model"] == model and r["side"] == 416 and r["batch"] == 1]


def law(rows, key, figure):
    """(exponent, worst deviation) of rows' figure against rows' key; None where there are too few points."""
    if len(rows) < 3:
        return None
    p, _, worst = power_law([r[key] for r in rows], [r[figure] for r in rows])
    return p, worst


def models(rows):
    return list(dict.fromkeys(r["model"] for r in rows))


def panels(rows):
    """For plot.svg."""
    sides = {SHORT[m]: [(r["side"], r["min_ms"]) for r in by_side(rows, m)] for m in models(rows)}
    batches = {f"{SHORT[m]} at {BY_BATCH[m]}": [(r["batch"], r["min_ms"]) for r in by_batch(rows, m)] for m in BY_BATCH}
    return [("time against input size", "side of the input, pixels", sides), ("time against batch", "images", batches)]
