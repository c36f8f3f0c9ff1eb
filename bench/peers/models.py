"""The models that engines are compared on, by name, and the files that describe each to the engines.

Three kinds: networks.py's, with random weights; published Darknet detectors; published float ONNX files. The published ones
are looked for under TESSERA_DATA and skipped where absent.
"""
import json
import os
import subprocess

import numpy as np

import networks
from darknet import read_darknet

DARKNET = {  # name -> file in models/darknet
    "yoloface-50k": "yoloface-50k",
    "yolo-fastest-1.1": "yolo-fastest-1.1",
    "yolo-fastest-1.1-xl": "yolo-fastest-1.1-xl",
    "mobilenetv2-yolov3-nano": "MobileNetV2-YOLOv3-Nano-coco",
    "yolov4-tiny": "yolov4-tiny",
}
ONNX = {"yolox-nano": "yolox_nano", "yolo-fastestv2": "yolo-fastestv2"}  # name -> file in models/onnx

ALL = [name for name in networks.NETWORKS if name != "call"] + list(DARKNET) + list(ONNX)
QUICK = ["mnist", "yolo-fastest-1.1", "yolox-nano"]


class Absent(Exception):
    """The model's files are not on this machine."""


def _data_file(*parts):
    data = os.environ.get("TESSERA_DATA")
    if not data:
        raise Absent("TESSERA_DATA is not set")
    path = os.path.join(data, "models", *parts)
    if not os.path.exists(path):
        raise Absent(f"no {os.path.join('models', *parts)} under TESSERA_DATA")
    return path


def _older_than_scripts(path):
    folder = os.path.dirname(os.path.abspath(__file__))
    newest = max(os.path.getmtime(os.path.join(folder, f)) for f in os.listdir(folder) if f.endswith(".py"))
    return not os.path.exists(path) or os.path.getmtime(path) < newest


def _write_layers(network, model):
    """The list of layers for engines whose files are written from it, and the ONNX file for those that read it."""
    from write_onnx import write_onnx
    write_onnx(network, model["prefix"] + ".onnx")
    network.save(model["prefix"] + ".npz")
    model.update(onnx=model["prefix"] + ".onnx", layers=model["prefix"] + ".npz", input="input",
                 outputs=network.outputs, shape=[1, *network.input_shape], range=1.0)


def _from_network(name, model):
    from write_native import write_native
    network = networks.make(name)
    _write_layers(network, model)
    model["tessera"] = model["prefix"] + ".tessera"
    write_native(network, model["tessera"])


def _from_darknet(name, model):
    cfg, weights = (_data_file("darknet", DARKNET[name] + end) for end in (".cfg", ".weights"))
    _write_layers(read_darknet(name, cfg, weights), model)
    model["tessera"] = cfg


def _from_onnx(name, model):
    import onnx
    path = _data_file("onnx", ONNX[name] + ".onnx")
    graph = onnx.load(path).graph
    constants = {t.name for t in graph.initializer}
    (value,) = [v for v in graph.input if v.name not in constants]
    shape = [d.dim_value for d in value.type.tensor_type.shape.dim]
    model.update(onnx=path, tessera=path, layers=None, input=value.name, outputs=[o.name for o in graph.output],
                 shape=shape, range=255.0)


def _macs(model, program):
    report = subprocess.run([program, "inspect", model["tessera"], "--json"], check=True, capture_output=True, text=True)
    return json.loads(report.stdout)["macs"]


def prepare(name, folder, program):
    """Writes the model's files where they are missing or older than these scripts; returns (path of its .json, contents)."""
    path = os.path.join(folder, name + ".json")
    if _older_than_scripts(path):
        model = {"name": name, "prefix": os.path.join(folder, name), "program": program, "x": path[:-5] + ".npy"}
        make = _from_darknet if name in DARKNET else _from_onnx if name in ONNX else _from_network
        make(name, model)
        x = np.random.default_rng(7).random(model["shape"], dtype=np.float32) * np.float32(model["range"])
        np.save(model["x"], x)
        model["macs"] = _macs(model, program)
        _save(model, path)  # last: it says that the others are whole
    with open(path) as file:
        model = json.load(file)
    if model["program"] != program:
        _save({**model, "program": program}, path)
    return path, model


def _save(model, path):
    with open(path, "w") as file:
        json.dump(model, file, indent=1)
