"""PyTorch, eager, in its channels-last layout under inference mode: what a plain model of nn.functional calls costs."""
import torch
import torch.nn.functional as F

from layers import load

_ACTIVATIONS = {
    "linear": lambda x: x,
    "relu": lambda x: F.relu(x, inplace=True),
    "leaky": lambda x: F.leaky_relu(x, 0.1, inplace=True),
    "silu": lambda x: F.silu(x, inplace=True),
    "mish": lambda x: F.mish(x, inplace=True),
}


def _conv(layer):
    weights = torch.from_numpy(layer.weights).contiguous(memory_format=torch.channels_last)
    bias, a, act = torch.from_numpy(layer.bias), layer.attrs, _ACTIVATIONS[layer.attrs["act"]]
    return lambda x: act(F.conv2d(x, weights, bias, a["stride"], a["pad"], 1, a["groups"]))


def _fc(layer):
    weights, bias, act = torch.from_numpy(layer.weights), torch.from_numpy(layer.bias), _ACTIVATIONS[layer.attrs["act"]]
    return lambda x: act(F.linear(torch.flatten(x, 1), weights, bias))


def _maxpool(layer):
    size, stride, (before, after) = (layer.attrs[k] for k in ("size", "stride", "pad"))
    if before == after:
        return lambda x: F.max_pool2d(x, size, stride, before)
    pad = (before, after, before, after)
    return lambda x: F.max_pool2d(F.pad(x, pad, value=float("-inf")), size, stride)


def _slice(layer):
    begin, end = layer.attrs["begin"], layer.attrs["begin"] + layer.attrs["count"]
    return lambda x: x[:, begin:end]


_LAYERS = {
    "conv": _conv,
    "fc": _fc,
    "maxpool": _maxpool,
    "slice": _slice,
    "add": lambda layer: lambda *xs: sum(xs[1:], xs[0]),
    "concat": lambda layer: lambda *xs: torch.cat(xs, 1),
    "upsample": lambda layer: lambda x: F.interpolate(x, scale_factor=2, mode="nearest"),
    "global_average_pool": lambda layer: lambda x: F.adaptive_avg_pool2d(x, 1),
}


class PyTorch:
    def __init__(self, model, threads):
        if not model["layers"]:
            raise RuntimeError("no list of layers to build it from")
        torch.set_num_threads(threads)
        self.version = torch.__version__
        network = load(model["layers"])
        self.names = network.outputs
        self.steps = [(layer.name, layer.inputs, _LAYERS[layer.op](layer)) for layer in network.layers]
        self.last_use = {x: i for i, layer in enumerate(network.layers) for x in layer.inputs}

    def feed(self, x):
        self.x = torch.from_numpy(x).contiguous(memory_format=torch.channels_last)

    @torch.inference_mode()
    def run(self):
        values = {"input": self.x}
        for i, (name, inputs, step) in enumerate(self.steps):
            values[name] = step(*[values[x] for x in inputs])
            for x in inputs:  # as the local variables of a hand-written forward() would
                if self.last_use[x] == i and x not in self.names:
                    values.pop(x, None)
        self.y = [values[name] for name in self.names]

    def outputs(self):
        return [y.numpy() for y in self.y]
