"""Writes Darknet cfg and weights files for networks described layer by layer.

Weights are random and scaled so that activations stay near 1 at any depth: the writer follows mean and second moment
of every layer's output and sets the batch norm statistics to what the random weights produce. Python's own library only.
"""
import array
import dataclasses
import math
import random
import struct


@dataclasses.dataclass
class Layer:
    channels: int
    grid: tuple            # height, width
    mean: float = 0.0      # of the output's numbers
    square: float = 1.0    # mean of their squares


def _activation(name, x):
    if name == "leaky":
        return x if x > 0 else 0.1 * x
    if name == "relu":
        return max(x, 0.0)
    if name == "mish":
        return x * math.tanh(math.log1p(math.exp(min(x, 30.0))))
    if name == "swish":
        return x / (1.0 + math.exp(-x))
    if name == "logistic":
        return 1.0 / (1.0 + math.exp(-x))
    return x


class CfgWriter:
    """Methods append one layer and return its number; `last` is the newest."""

    def __init__(self, classes=80, size=(416, 416), seed=1, weights=None):
        self.classes, self.size = classes, size
        self.layers, self.lines = [], ["[net]", f"width={size[1]}", f"height={size[0]}", "channels=3"]
        self.rng = random.Random(seed)
        self.samples = [self.rng.gauss(0.0, 1.0) for _ in range(4096)]
        self.weights = weights  # a binary file, or None for a cfg only
        self.pool = array.array("f", (self.rng.gauss(0.0, 1.0) for _ in range(1000003))) if weights else None
        if weights:
            weights.write(struct.pack("<iiiQ", 0, 2, 5, 0))
        self.macs = self.parameters = self.numbers = self.convolutions = 0

    @property
    def last(self):
        return len(self.layers) - 1

    def _source(self):
        # Pixels lie evenly between 0 and 1.
        return self.layers[-1] if self.layers else Layer(3, self.size, 0.5, 1.0 / 3.0)

    def _append(self, kind, layer, **keys):
        self.lines += ["", f"[{kind}]"] + [f"{k}={v}" for k, v in keys.items()]
        self.layers.append(layer)
        return self.last

    def _moments(self, act, std):
        values = [_activation(act, s * std) for s in self.samples]
        return sum(values) / len(values), sum(v * v for v in values) / len(values)

    def _normal(self, count, mean=0.0, std=1.0):
        """count normal numbers; large runs repeat a pool of a million from random places."""
        out = array.array("f")
        while len(out) < count:
            begin = self.rng.randrange(len(self.pool))
            out += self.pool[begin:begin + count - len(out)]
        return out if (mean, std) == (0.0, 1.0) else array.array("f", (mean + std * v for v in out))

    def _write_conv(self, oc, fan_in, x, bn, gain, head):
        if self.weights is None:
            return
        spread = math.sqrt(fan_in * x.square)  # standard deviation of a sum of fan_in products with unit weights
        if bn:
            parts = [self._normal(oc, 0.0, 0.1), self._normal(oc, gain, 0.1 * gain), self._normal(oc, 0.0, 0.1 * spread),
                     array.array("f", (spread * spread * math.exp(v) for v in self._normal(oc, 0.0, 0.1))),
                     self._normal(oc * fan_in)]
        else:
            bias = self._normal(oc, 0.0, 0.1)
            if head:  # nearly all places hold no object
                for slot in range(oc // (self.classes + 5)):
                    bias[slot * (self.classes + 5) + 4] = -4.0
            parts = [bias, self._normal(oc * fan_in, 0.0, gain / spread)]
        for part in parts:
            self.weights.write(part.tobytes())

    def conv(self, oc, kernel, stride=1, act="leaky", bn=True, groups=1, gain=1.0, head=False):
        x = self._source()
        fan_in = x.channels // groups * kernel * kernel
        grid = tuple((g + 2 * (kernel // 2) - kernel) // stride + 1 for g in x.grid)
        self.macs += oc * fan_in * grid[0] * grid[1]
        self.parameters += oc * fan_in + oc
        self.numbers += oc * fan_in + oc * (4 if bn else 1)
        self.convolutions += 1
        self._write_conv(oc, fan_in, x, bn, gain, head)
        keys = {"batch_normalize": 1} if bn else {}
        keys.update({"filters": oc, "size": kernel, "stride": stride, "pad": 1})
        if groups > 1:
            keys["groups"] = groups
        return self._append("convolutional", Layer(oc, grid, *self._moments(act, gain)), **keys, activation=act)

    def route(self, *layers, groups=1, group_id=0):
        sources = [self.layers[i] for i in layers]
        channels = sum(s.channels for s in sources)
        mean, square = (sum(getattr(s, m) * s.channels for s in sources) / channels for m in ("mean", "square"))
        keys = {"layers": ",".join(str(i - len(self.layers)) for i in layers)}
        if groups > 1:
            keys.update(groups=groups, group_id=group_id)
        return self._append("route", Layer(channels // groups, sources[0].grid, mean, square), **keys)

    def shortcut(self, layer, act="linear"):
        a, b = self.layers[-1], self.layers[layer]
        square = a.square + b.square + 2.0 * a.mean * b.mean
        if act == "leaky":
            square *= 0.505
        sum_ = Layer(a.channels, a.grid, a.mean + b.mean, square)
        return self._append("shortcut", sum_, **{"from": layer - len(self.layers)}, activation=act)

    def maxpool(self, size, stride):
        x = self._source()
        grid = tuple((g + size - 1 - size) // stride + 1 for g in x.grid)
        # Of about nine independent numbers, the largest lies 1.5 standard deviations above the mean.
        std = math.sqrt(max(x.square - x.mean * x.mean, 0.0))
        mean = x.mean + (1.5 if size > 2 else 1.0) * std
        return self._append("maxpool", Layer(x.channels, grid, mean, mean * mean + 0.4 * std * std), size=size, stride=stride)

    def upsample(self):
        x = self._source()
        return self._append("upsample", dataclasses.replace(x, grid=tuple(2 * g for g in x.grid)), stride=2)

    def avgpool(self):
        x = self._source()
        return self._append("avgpool", Layer(x.channels, (1, 1), x.mean, x.mean ** 2 + 0.05))

    def scale_channels(self, layer):
        x = self.layers[layer]
        return self._append("scale_channels", Layer(x.channels, x.grid, x.mean / 2, x.square * 0.28),
                            **{"from": layer - len(self.layers)})

    def dropout(self):
        return self._append("dropout", self._source(), probability=".0")

    def yolo(self, anchors, mask, **keys):
        num = anchors.count(",") // 2 + 1
        return self._append("yolo", self._source(), mask=",".join(map(str, mask)), anchors=anchors, classes=self.classes,
                            num=num, **keys)

    def text(self):
        return "\n".join(self.lines) + "\n"
