#!/usr/bin/env python3
"""dump_intermediates.py MODEL.onnx DIR [--input x.npy ...]: every value of a network as ONNX Runtime computes it.

Writes one .npy per value, named as `tessera compare MODEL --against DIR` looks for it, and DIR/index.json with each
value's name, file, shape and the node that makes it, in execution order. The graph is run as it is written, without
ONNX Runtime's own rewrites. Without --input every input is noise in [0, 1) from --seed, written to DIR/input_I.npy, so
that both programs can be given the same. Open extents: --size HxW for the two sides of an image, --batch for the first.

Needs onnx, onnxruntime and numpy.
"""
import argparse
import json
import pathlib
import re

import numpy as np
import onnx
import onnxruntime


def file_name(value):
    return re.sub(r"[^A-Za-z0-9._-]", "_", value) + ".npy"


def session_for(model, wanted):
    """A session that gives `wanted` values, in order, of a model as it is written."""
    model = onnx.ModelProto.FromString(model.SerializeToString())
    have = {output.name for output in model.graph.output}
    model.graph.output.extend(onnx.helper.make_empty_tensor_value_info(name) for name in wanted if name not in have)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def inputs_of(model):
    constants = {tensor.name for tensor in model.graph.initializer}
    return [value for value in model.graph.input if value.name not in constants]


def fixed_shape(value, size, batch):
    """The input's extents, open ones taken from the options."""
    dims = [d.dim_value if d.HasField("dim_value") and d.dim_value > 0 else None for d in value.type.tensor_type.shape.dim]
    if dims and dims[0] is None:
        dims[0] = batch
    if size and len(dims) == 4:
        first = 1 if dims[3] == 3 else 2
        dims[first], dims[first + 1] = (dims[first + i] or size[i] for i in (0, 1))
    if None in dims:
        raise SystemExit(f"input '{value.name}' has open extents {dims}: give --size")
    return dims


def make_inputs(model, seed, size=None, batch=1):
    random = np.random.default_rng(seed)
    return [random.random(fixed_shape(value, size, batch), np.float32) for value in inputs_of(model)]


def run(model, inputs, wanted):
    """The wanted values, in order."""
    names = [value.name for value in inputs_of(model)]
    types = {value.name: onnx.helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type) for value in inputs_of(model)}
    feed = {name: array.astype(types[name]) for name, array in zip(names, inputs)}
    return session_for(model, wanted).run(wanted, feed)


def produced(model):
    """(value, its node) in execution order."""
    return [(name, node) for node in model.graph.node for name in node.output if name]


def dump(model, inputs, folder):
    values = produced(model)
    index = []
    for (name, node), array in zip(values, run(model, inputs, [name for name, _ in values])):
        if not isinstance(array, np.ndarray):
            continue  # a sequence or map: nothing that a tensor could be compared with
        np.save(folder / file_name(name), np.ascontiguousarray(array, np.float32))
        index.append({"value": name, "file": file_name(name), "shape": list(array.shape), "op": node.op_type, "node": node.name})
    (folder / "index.json").write_text(json.dumps(index, indent=1) + "\n")
    return index


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("dir", type=pathlib.Path)
    parser.add_argument("--input", action="append", default=[], help=".npy, once per input of the model")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=lambda text: [int(side) for side in text.split("x")], help="HxW")
    parser.add_argument("--batch", type=int, default=1)
    args = parser.parse_args()
    model = onnx.load(args.model)
    args.dir.mkdir(parents=True, exist_ok=True)
    if args.input:
        inputs = [np.load(path) for path in args.input]
    else:
        inputs = make_inputs(model, args.seed, args.size, args.batch)
        for i, array in enumerate(inputs):
            np.save(args.dir / f"input_{i}.npy", array)
    index = dump(model, inputs, args.dir)
    print(f"{len(index)} values in {args.dir}")


if __name__ == "__main__":
    main()
