#!/usr/bin/env python3
"""dump_onnx_yolox.py MODEL.onnx PHOTO DIR: raw heads of a YOLOX network as ONNX Runtime computes them.

Writes DIR/box_I.npy, objectness_I.npy and score_I.npy (f32, H x W x C) for every level I, finest first. The graph is cut
where box, objectness and classes are still tensors of their own: in front of the Concat of each level, and in front of
the Sigmoid of objectness and classes. Needs numpy, onnx,
onnxruntime and opencv.
"""
import argparse
import pathlib

import cv2
import numpy as np
import onnx
import onnxruntime


def canvas_of(image, height, width):
    """YOLOX's own: BGR, 0 to 255, scaled to fit, top left, the rest 114."""
    h, w = image.shape[:2]
    ratio = min(width / w, height / h)
    scaled_w, scaled_h = round(w * ratio), round(h * ratio)
    canvas = np.full((height, width, 3), 114, np.float32)
    canvas[:scaled_h, :scaled_w] = cv2.resize(image, (scaled_w, scaled_h))
    return canvas.transpose(2, 0, 1)[None]


def levels(graph):
    """Names (box, objectness logit, class logits) of each level."""
    made_by = {output: node for node in graph.node for output in node.output}
    before_sigmoid = lambda name: made_by[name].input[0] if made_by[name].op_type == "Sigmoid" else name
    found = []
    for node in graph.node:
        if node.op_type == "Concat" and len(node.input) == 3 and made_by[node.input[1]].op_type == "Sigmoid":
            found.append([before_sigmoid(name) for name in node.input])
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("photo")
    parser.add_argument("dir", type=pathlib.Path)
    args = parser.parse_args()
    model = onnx.load(args.model)
    names = levels(model.graph)
    model.graph.output.extend(onnx.helper.make_empty_tensor_value_info(name) for level in names for name in level)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    shape = session.get_inputs()[0].shape
    canvas = canvas_of(cv2.imread(args.photo), shape[2], shape[3])
    args.dir.mkdir(parents=True, exist_ok=True)
    for i, level in enumerate(names):
        tensors = session.run(level, {session.get_inputs()[0].name: canvas})
        for what, tensor in zip(("box", "objectness", "score"), tensors):
            np.save(args.dir / f"{what}_{i}.npy", np.ascontiguousarray(tensor[0].transpose(1, 2, 0)))
            print(f"{what}_{i}.npy", tensor.shape[2:] + tensor.shape[1:2])


main()
