"""A Darknet cfg with its weights as a list of layers, batch norm folded.

Only what the detectors of models.py use is known; anything else raises, so that no key is passed over in silence. The
outputs are the raw heads: what stands before each [yolo], in order. The arithmetic is docs/darknet.md's, in particular
batch norm divides by sqrt(variance + 1e-6), the variance taken as 0 where it is below.
"""
import numpy as np

from layers import Network

EPSILON = 1e-6

# Keys that change nothing at inference are not read; these are, or have one value that is supported.
_READ = {
    "convolutional": {"batch_normalize", "filters", "size", "stride", "pad", "groups", "activation"},
    "maxpool": {"size", "stride"},
    "shortcut": {"from", "activation"},
    "route": {"layers", "groups", "group_id"},
    "upsample": {"stride"},
    "dropout": {"probability"},
    "yolo": None,  # decoding, no part of the network
}
_ACTIVATIONS = {"linear": "linear", "leaky": "leaky", "relu": "relu", "mish": "mish", "swish": "silu", "silu": "silu"}


def read_sections(path):
    """[(kind, {key: text}), ...] in file order; the first is [net]."""
    sections = []
    with open(path) as file:
        for line in file:
            line = line.split("#")[0].split(";")[0].strip()
            if line.startswith("["):
                sections.append((line.strip("[]"), {}))
            elif line:
                key, value = line.split("=", 1)
                sections[-1][1][key.strip()] = value.strip()
    return sections


def read_weights(path):
    """The f32 numbers behind the header: three s32 of version, then images seen (u64; u32 before version 0.2)."""
    with open(path, "rb") as file:
        data = file.read()
    major, minor, _ = np.frombuffer(data, "<i4", 3)
    return np.frombuffer(data, "<f4", offset=20 if major * 10 + minor >= 2 else 16)


class _Builder:
    def __init__(self, network, numbers):
        self.network, self.numbers = network, numbers
        self.values = []  # one per section, the value that it gives

    def take(self, *shape):
        count = int(np.prod(shape))
        if count > self.numbers.size:
            raise ValueError(f"layer {len(self.values)}: the weights end here")
        taken, self.numbers = self.numbers[:count], self.numbers[count:]
        return taken.reshape(shape)

    def previous(self):
        return self.values[-1] if self.values else "input"

    def refer(self, text):
        number = int(text)
        return self.values[number if number >= 0 else len(self.values) + number]

    def convolutional(self, keys):
        x, oc, size, groups = self.previous(), int(keys["filters"]), int(keys["size"]), int(keys.get("groups", 1))
        bias = self.take(oc)
        scale = 1.0
        if int(keys.get("batch_normalize", 0)):
            gamma, mean, variance = (self.take(oc).astype(np.float64) for _ in range(3))
            scale = gamma / np.sqrt(np.maximum(variance, 0) + EPSILON)
            bias = bias - mean * scale
        weights = self.take(oc, self.network.shapes[x][0] // groups, size, size) * np.reshape(scale, (-1, 1, 1, 1))
        pad = size // 2 if int(keys.get("pad", 0)) else 0
        return self.network.conv(x, oc, size, int(keys.get("stride", 1)), self.activation(keys, "logistic"), groups,
                                 (pad, pad), constants=(weights.astype(np.float32), bias.astype(np.float32)))

    @staticmethod
    def activation(keys, fallback):
        return _ACTIVATIONS[keys.get("activation", fallback)]

    def maxpool(self, keys):
        size, stride = int(keys["size"]), int(keys["stride"])
        # Darknet pads by size - 1 in all, half of it before; what no window reaches is left away.
        before, extent = (size - 1) // 2, self.network.shapes[self.previous()][1]
        out = (extent - 1) // stride + 1
        after = max(0, (out - 1) * stride + size - before - extent)
        return self.network.maxpool(self.previous(), size, stride, (before, after))

    def shortcut(self, keys):
        if self.activation(keys, "linear") != "linear":
            raise ValueError("a shortcut with an activation")
        sources = [self.refer(text) for text in keys["from"].split(",")]
        if any(self.network.shapes[x] != self.network.shapes[self.previous()] for x in sources):
            raise ValueError("a shortcut between different shapes")
        return self.network.add(self.previous(), *sources)

    def route(self, keys):
        groups, group = int(keys.get("groups", 1)), int(keys.get("group_id", 0))
        sources = [self.refer(text) for text in keys["layers"].split(",")]
        if groups > 1:
            counts = [self.network.shapes[x][0] // groups for x in sources]
            sources = [self.network.slice(x, group * n, n) for x, n in zip(sources, counts)]
        return sources[0] if len(sources) == 1 else self.network.concat(*sources)

    def upsample(self, keys):
        if int(keys.get("stride", 2)) != 2:
            raise ValueError("an upsample by another factor than 2")
        return self.network.upsample(self.previous())

    def dropout(self, _keys):
        return self.previous()

    def yolo(self, _keys):
        self.network.output(self.previous())
        return self.previous()

    def section(self, kind, keys):
        if kind not in _READ:
            raise ValueError(f"layer {len(self.values)}: [{kind}] is not known")
        unknown = set(keys) - _READ[kind] if _READ[kind] else None
        if unknown:
            raise ValueError(f"layer {len(self.values)}: [{kind}] has {', '.join(sorted(unknown))}")
        self.values.append(getattr(self, kind)(keys))


def read_darknet(name, cfg, weights):
    (kind, net), *sections = read_sections(cfg)
    if kind not in ("net", "network"):
        raise ValueError(f"begins with [{kind}], want [net]")
    network = Network(name, (int(net.get("channels", 3)), int(net["height"]), int(net["width"])))
    builder = _Builder(network, read_weights(weights))
    for kind, keys in sections:
        builder.section(kind, keys)
    if builder.numbers.size:
        raise ValueError(f"{builder.numbers.size} numbers of the weights are left over")
    return network
