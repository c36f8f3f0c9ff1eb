"""A network as a list of layers, batch norm folded: the one description from which every engine's model is made.

Writers turn the list into an engine's file (write_onnx.py, write_native.py, write_ncnn.py); networks.py fills it with
random weights, darknet.py from a cfg and its weights. Arrays are f32, shapes CHW.
"""
import dataclasses
import json

import numpy as np


@dataclasses.dataclass
class Layer:
    op: str            # conv, fc, add, concat, slice, maxpool, upsample, global_average_pool
    name: str
    inputs: list
    shape: tuple       # CHW of the output
    attrs: dict = dataclasses.field(default_factory=dict)
    weights: np.ndarray = None  # conv: [oc][ic / groups][kh][kw]; fc: [oc][c * h * w] over CHW order
    bias: np.ndarray = None


class Network:
    """Layers in execution order. Methods append one layer and return its name."""

    def __init__(self, name, chw, seed=1):
        self.name, self.input_shape = name, tuple(chw)
        self.layers, self.outputs = [], []
        self.shapes = {"input": tuple(chw)}
        self.rng = np.random.default_rng(seed)
        self.macs = 0

    def add_layer(self, op, inputs, shape, weights=None, bias=None, **attrs):
        name = f"{op}_{len(self.layers)}"
        self.layers.append(Layer(op, name, list(inputs), tuple(shape), attrs, weights, bias))
        self.shapes[name] = tuple(shape)
        return name

    def _weights(self, oc, fan_in, shape, act, gain=1.0):
        std = gain * np.sqrt((1.0 if act == "linear" else 2.0) / fan_in)
        weights = self.rng.standard_normal(shape, dtype=np.float32) * np.float32(std)
        return weights, self.rng.standard_normal(oc, dtype=np.float32) * np.float32(0.05)

    def conv(self, x, oc, kernel, stride=1, act="relu", groups=1, pad=None, gain=1.0, constants=None):
        """constants: weights [oc][c / groups][kh][kw] and bias; random ones without it."""
        c, h, w = self.shapes[x]
        kh, kw = (kernel, kernel) if isinstance(kernel, int) else kernel
        ph, pw = ((kh - 1) // 2, (kw - 1) // 2) if pad is None else pad
        oh, ow = (h + 2 * ph - kh) // stride + 1, (w + 2 * pw - kw) // stride + 1
        shape = (oc, c // groups, kh, kw)
        weights, bias = constants or self._weights(oc, c // groups * kh * kw, shape, act, gain)
        self.macs += oh * ow * weights.size
        return self.add_layer("conv", [x], (oc, oh, ow), weights, bias, kernel=(kh, kw), stride=stride, pad=(ph, pw),
                            groups=groups, act=act)

    def fc(self, x, oc, act="linear"):
        fan_in = int(np.prod(self.shapes[x]))
        weights, bias = self._weights(oc, fan_in, (oc, fan_in), act)
        self.macs += weights.size
        return self.add_layer("fc", [x], (oc, 1, 1), weights, bias, act=act)

    def add(self, *xs):
        return self.add_layer("add", xs, self.shapes[xs[0]])

    def concat(self, *xs):
        return self.add_layer("concat", xs, (sum(self.shapes[x][0] for x in xs), *self.shapes[xs[0]][1:]))

    def slice(self, x, begin, count):
        return self.add_layer("slice", [x], (count, *self.shapes[x][1:]), begin=begin, count=count)

    def maxpool(self, x, size, stride, pad=None):
        """pad: before and after, the same on both axes; without it the grid is kept at stride 1 and cut at others."""
        c, h, w = self.shapes[x]
        before, after = pad or ((size // 2, size // 2) if stride == 1 else (0, 0))
        out = [(extent + before + after - size) // stride + 1 for extent in (h, w)]
        return self.add_layer("maxpool", [x], (c, *out), size=size, stride=stride, pad=(before, after))

    def upsample(self, x):
        c, h, w = self.shapes[x]
        return self.add_layer("upsample", [x], (c, 2 * h, 2 * w))

    def global_average_pool(self, x):
        return self.add_layer("global_average_pool", [x], (self.shapes[x][0], 1, 1))

    def output(self, x):
        self.outputs.append(x)

    def save(self, path):
        """One .npz that any Python with numpy reads back to the same bits."""
        arrays = {f"{kind}_{i}": array for i, l in enumerate(self.layers)
                  for kind, array in (("weights", l.weights), ("bias", l.bias)) if array is not None}
        plain = [{"op": l.op, "name": l.name, "inputs": l.inputs, "shape": l.shape, "attrs": l.attrs} for l in self.layers]
        text = json.dumps({"name": self.name, "input": self.input_shape, "outputs": self.outputs, "macs": self.macs,
                           "layers": plain})
        np.savez(path, description=np.array(text), **arrays)


def load(path):
    """The network that Network.save wrote."""
    arrays = np.load(path)
    text = json.loads(str(arrays["description"]))
    network = Network(text["name"], text["input"])
    for i, plain in enumerate(text["layers"]):
        pick = lambda kind: arrays[f"{kind}_{i}"] if f"{kind}_{i}" in arrays.files else None
        attrs = {k: tuple(v) if isinstance(v, list) else v for k, v in plain["attrs"].items()}
        network.add_layer(plain["op"], plain["inputs"], plain["shape"], pick("weights"), pick("bias"), **attrs)
    network.outputs, network.macs = text["outputs"], text["macs"]
    return network
