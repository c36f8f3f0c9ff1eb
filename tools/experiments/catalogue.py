"""What is compared in each experiment: the first variant is what the others are held against."""

EQUAL = ["--multi-label", "--max-detections", "100"]  # as mAP is measured


def variants(*rows):
    return [(name, [*EQUAL, *flags.split()]) for name, flags in rows]



V2 = "--power-rank --voting 0.75 --max-per-class 100"
SIX = [(p, f"--point {p}") for p in ("m512", "m640", "r320", "r384", "r512", "r640")]

EXPERIMENTS = {
    "mish": ("mish-and-hard-mish", variants(("Mish", ""), ("hard Mish", "--replace mish=hard_mish"))),
    "multi-label": ("multi-label", [("one class per place", ["--max-detections", "100"]), *variants(("multi-label", ""))]),
    "letterbox": ("stretch-and-letterbox", variants(("stretch", "--stretch"), ("letterbox", "--letterbox"))),
    "flip": ("flip", variants(("one view", ""), ("and its mirror image", "--flip"))),
    "mosaic": ("mosaic", variants(
        ("320, one photo a pass", "--size 320"), ("640, 2x2 tiles of 320", "--size 640 --mosaic 2x2"),
        ("960, 3x3 tiles of 320", "--size 960 --mosaic 3x3"))),
    "mosaic-256": ("mosaic", variants(
        ("256, one photo a pass", "--size 256"), ("512, 2x2 tiles of 256", "--size 512 --mosaic 2x2"))),
    "scaled-decode": ("scaled-decode", variants(
        ("224, whole", "--size 224"), ("224, scaled", "--size 224 --scaled-decode"))),
    "chunks": ("chunks", variants(
        ("1 pass", ""), ("chunks of 16", "--chunk 16"), ("8, 16, ..., 16, 8", "--chunk 16 --chunk-ends 8"))),
    "overlap": ("overlap", variants(
        ("serial, 1 thread", "--serial --workers 1 --threads 1"), ("serial, 2 threads", "--serial --workers 1 --threads 2"),
        ("overlapped, 1 worker of 2 threads", "--workers 1 --threads 2"),
        ("overlapped, 2 workers of 1 thread", "--workers 2 --threads 1"))),
    "points": ("points", variants(*SIX)),
}
# Each point against itself without box-step v2; on mosaics without its edge penalty, too.
for point, flags in SIX:
    rows = [(point, flags), (f"{point}, v2", f"{flags} {V2}")]
    if point.startswith("m"):
        rows = [(point, flags), (f"{point}, v2", f"{flags} {V2} --edge-penalty 0.5"),
                (f"{point}, v2 without edge penalty", f"{flags} {V2}")]
    EXPERIMENTS[f"box-step-{point}"] = ("box-step", variants(*rows))

# Models that an experiment says something about; others: all.
ONLY = {"mish": ["tessera-nano"]}


def models(data):
    """name -> (words for the program, photos, annotations)"""
    darknet, photos = f"{data}/models/darknet", f"{data}/images/coco-val2017"
    truth = f"{data}/groundtruth/coco/practice_val2017.json"
    out = {"tessera-nano": ([], "testdata/practice/images", "testdata/practice/annotations.json")}
    for name in ("yolo-fastest-1.1", "yolo-fastest-1.1-xl"):
        out[name] = (["--model", f"{darknet}/{name}.cfg", "--names", f"{darknet}/coco.names"], photos, truth)
    return out
