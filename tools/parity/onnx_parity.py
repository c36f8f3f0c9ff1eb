#!/usr/bin/env python3
"""Outputs of Tessera against ONNX Runtime, for the same ONNX file and the same input tensors.

For every float model named, or under DATA/models/onnx, two inputs (seeded noise in [0, 1) and a photo in [0, 255]) and
each ISA: the largest |difference| over an output, divided by the largest |value| of that output in ONNX Runtime. Above
--tolerance is a failure (exit 1). Where Tessera gives other outputs than the file (a detector's raw heads), ONNX
Runtime is asked for those values. Quantised models are skipped and say so. Run by `./dev parity-onnx`.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from PIL import Image

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "onnx"))
import dump_intermediates as ort  # noqa: E402

QUANTISED = {"ConvInteger", "DequantizeLinear", "DynamicQuantizeLinear", "MatMulInteger", "QLinearConv", "QuantizeLinear"}
OPEN_SIZE = [256, 320]  # height and width where a file leaves them open


def photo_input(path, shape):
    """The photo stretched to an image input, 0 to 255, in the input's own order of axes."""
    if len(shape) != 4:
        return None
    last = shape[3] in (1, 3) and shape[1] not in (1, 3)
    channels, height, width = (shape[3], shape[1], shape[2]) if last else shape[1:]
    if channels not in (1, 3):
        return None
    image = Image.open(path).convert("RGB" if channels == 3 else "L").resize((width, height))
    array = np.asarray(image, np.float32).reshape(height, width, channels)
    array = array if last else array.transpose(2, 0, 1)
    return np.repeat(array[None], shape[0], axis=0)


def tessera(program, model, inputs, isa, arguments):
    """[(value, array)] of one run."""
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "run", model, "--output", folder, "--json", "--isa", isa, *arguments]
        for i, array in enumerate(inputs):
            path = f"{folder}/input_{i}.npy"
            np.save(path, np.ascontiguousarray(array))
            command += ["--input", path]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr.strip())
        outputs = json.loads(done.stdout)["outputs"]
        return [(output["name"], np.load(f"{folder}/{output['file']}")) for output in outputs]


# ONNX Runtime 1.32 computes Sigmoid to an absolute 1.2e-7 (measured against exp in double on its own logits): what a
# Sigmoid gives is compared beyond that only.
SIGMOID_SLACK = 2.0 ** -22


def relative_error(ours, theirs, slack):
    if ours.shape != theirs.shape:
        return f"shape {ours.shape}, want {theirs.shape}"
    if not np.array_equal(np.isfinite(ours), np.isfinite(theirs)):
        return "not finite in other places"
    finite = np.isfinite(theirs)
    scale = np.abs(theirs[finite]).max(initial=0)
    worst = max(0.0, np.abs(ours[finite].astype(np.float64) - theirs[finite]).max(initial=0) - slack)
    return float(worst / scale) if scale else float(worst)


def slack_of(model, name):
    made_by = next((node.op_type for node in model.graph.node if name in node.output), "")
    return SIGMOID_SLACK if made_by == "Sigmoid" else 0.0


def check(args, path, label, inputs, model, arguments, report):
    reference = {}
    for isa in args.isa:
        try:
            ours = tessera(args.tessera, str(path), inputs, isa, arguments)
        except RuntimeError as error:
            report(label, isa, None, str(error))
            return
        own = [output.name for output in model.graph.output]
        names = own if len(own) == len(ours) else [name for name, _ in ours]
        if not reference:
            reference = dict(zip(names, ort.run(model, inputs, names)))
        errors = {name: relative_error(array, np.asarray(reference[name], np.float32), slack_of(model, name))
                  for name, (_, array) in zip(names, ours)}
        wrong = [f"{name}: {error}" for name, error in errors.items() if isinstance(error, str)]
        if wrong:
            report(label, isa, None, wrong[0])
        else:
            name = max(errors, key=errors.get)
            report(label, isa, errors[name], f"{len(errors)} outputs, worst {name}")


def check_model(args, path, report):
    model = onnx.load(str(path))
    quantised = QUANTISED & {node.op_type for node in model.graph.node}
    if quantised:
        print(f"{path.name:28s} skipped: quantised ({', '.join(sorted(quantised))})")
        return 0
    shapes = [ort.fixed_shape(value, OPEN_SIZE, 1) for value in ort.inputs_of(model)]
    is_open = any(not d.dim_value for value in ort.inputs_of(model) for d in value.type.tensor_type.shape.dim[2:])
    arguments = ["--size", f"{OPEN_SIZE[1]}x{OPEN_SIZE[0]}"] if is_open else []
    check(args, path, f"{path.name} noise", ort.make_inputs(model, args.seed, OPEN_SIZE), model, arguments, report)
    photo = photo_input(args.photo, shapes[0]) if len(shapes) == 1 else None
    if photo is not None:
        check(args, path, f"{path.name} photo", [photo], model, arguments, report)
    return 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", type=pathlib.Path, help="files or folders (default: DATA/models/onnx)")
    parser.add_argument("--tessera", required=True)
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--photo", type=pathlib.Path, help="default: a bundled picture")
    parser.add_argument("--isa", action="append", default=[], help="default: scalar, avx2 and avx512")
    parser.add_argument("--tolerance", type=float, default=1e-4)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.isa = args.isa or ["scalar", "avx2", "avx512"]
    args.photo = args.photo or sorted((HERE.parent.parent / "testdata/practice/images").iterdir())[0]
    places = args.models or [args.data / "models/onnx"]
    files = [file for place in places for file in (sorted(place.glob("*.onnx")) if place.is_dir() else [place])]
    failures, compared = [], 0

    def report(label, isa, error, what):
        failed = error is None or error > args.tolerance
        if failed:
            failures.append(label)
        shown = "-" if error is None else f"{error:.2e}"
        print(f"{label:34s} {isa:8s} {shown:>9s} {'FAILED' if failed else 'ok':6s} {what}", flush=True)

    for file in files:
        compared += check_model(args, file, report)
    print(f"{compared} models compared with ONNX Runtime {ort.onnxruntime.__version__}, seed {args.seed}, {len(failures)} failures")
    return 1 if failures or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
