"""The networks that engines are compared on, described once: a list of layers with random, well-scaled weights.

A writer turns the same list into one engine's file (write_onnx.py, write_native.py), so every engine computes the same
function. Batch norm is folded. Architectures: YOLOv4 and YOLOv4-tiny (Bochkovskiy et al. 2020, Wang et al. 2021), the
layer shapes of YOLOv5n and YOLOv8n with raw heads, an MNIST CNN, DS-CNN keyword spotting and MobileNetV1 0.25 at 96x96
(MLPerf Tiny).
"""
import dataclasses

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

    def _append(self, op, inputs, shape, weights=None, bias=None, **attrs):
        name = f"{op}_{len(self.layers)}"
        self.layers.append(Layer(op, name, list(inputs), tuple(shape), attrs, weights, bias))
        self.shapes[name] = tuple(shape)
        return name

    def _weights(self, oc, fan_in, shape, act, gain=1.0):
        std = gain * np.sqrt((1.0 if act == "linear" else 2.0) / fan_in)
        weights = self.rng.standard_normal(shape, dtype=np.float32) * np.float32(std)
        return weights, self.rng.standard_normal(oc, dtype=np.float32) * np.float32(0.05)

    def conv(self, x, oc, kernel, stride=1, act="relu", groups=1, pad=None, gain=1.0):
        c, h, w = self.shapes[x]
        kh, kw = (kernel, kernel) if isinstance(kernel, int) else kernel
        ph, pw = ((kh - 1) // 2, (kw - 1) // 2) if pad is None else pad
        oh, ow = (h + 2 * ph - kh) // stride + 1, (w + 2 * pw - kw) // stride + 1
        weights, bias = self._weights(oc, c // groups * kh * kw, (oc, c // groups, kh, kw), act, gain)
        self.macs += oh * ow * weights.size
        return self._append("conv", [x], (oc, oh, ow), weights, bias, kernel=(kh, kw), stride=stride, pad=(ph, pw),
                            groups=groups, act=act)

    def fc(self, x, oc, act="linear"):
        fan_in = int(np.prod(self.shapes[x]))
        weights, bias = self._weights(oc, fan_in, (oc, fan_in), act)
        self.macs += weights.size
        return self._append("fc", [x], (oc, 1, 1), weights, bias, act=act)

    def add(self, a, b):
        return self._append("add", [a, b], self.shapes[a])

    def concat(self, *xs):
        return self._append("concat", xs, (sum(self.shapes[x][0] for x in xs), *self.shapes[xs[0]][1:]))

    def slice(self, x, begin, count):
        return self._append("slice", [x], (count, *self.shapes[x][1:]), begin=begin, count=count)

    def maxpool(self, x, size, stride):
        c, h, w = self.shapes[x]
        pad = size // 2 if stride == 1 else 0
        out = [(extent + 2 * pad - size) // stride + 1 for extent in (h, w)]
        return self._append("maxpool", [x], (c, *out), size=size, stride=stride, pad=pad)

    def upsample(self, x):
        c, h, w = self.shapes[x]
        return self._append("upsample", [x], (c, 2 * h, 2 * w))

    def global_average_pool(self, x):
        return self._append("global_average_pool", [x], (self.shapes[x][0], 1, 1))

    def output(self, x):
        self.outputs.append(x)


def _csp_stage(n, x, c, blocks, act, first=False):
    """Cross-stage partial stage of CSPDarknet53; the first one keeps the full width in both branches."""
    x = n.conv(x, c, 3, 2, act)
    half = c if first else c // 2
    shortcut = n.conv(x, half, 1, 1, act)
    x = n.conv(x, half, 1, 1, act)
    for _ in range(blocks):
        y = n.conv(x, c // 2 if first else half, 1, 1, act)
        x = n.add(x, n.conv(y, half, 3, 1, act, gain=0.5))
    x = n.conv(x, half, 1, 1, act)
    return n.conv(n.concat(x, shortcut), c, 1, 1, act)


def _alternate(n, x, c, count):
    """1x1 and 3x3 convolutions in turn, as in the neck of YOLOv4."""
    for i in range(count):
        x = n.conv(x, c, 1, 1, "leaky") if i % 2 == 0 else n.conv(x, 2 * c, 3, 1, "leaky")
    return x


def yolov4(n, act="mish"):
    x = n.conv("input", 32, 3, 1, act)
    x = _csp_stage(n, x, 64, 1, act, first=True)
    x = _csp_stage(n, x, 128, 2, act)
    c3 = x = _csp_stage(n, x, 256, 8, act)
    c4 = x = _csp_stage(n, x, 512, 8, act)
    x = _alternate(n, _csp_stage(n, x, 1024, 4, act), 512, 3)
    x = n.concat(n.maxpool(x, 13, 1), n.maxpool(x, 9, 1), n.maxpool(x, 5, 1), x)
    p5 = _alternate(n, x, 512, 3)
    up = n.upsample(n.conv(p5, 256, 1, 1, "leaky"))
    p4 = _alternate(n, n.concat(n.conv(c4, 256, 1, 1, "leaky"), up), 256, 5)
    up = n.upsample(n.conv(p4, 128, 1, 1, "leaky"))
    p3 = _alternate(n, n.concat(n.conv(c3, 128, 1, 1, "leaky"), up), 128, 5)
    n.output(n.conv(n.conv(p3, 256, 3, 1, "leaky"), 255, 1, 1, "linear"))
    m4 = _alternate(n, n.concat(n.conv(p3, 256, 3, 2, "leaky"), p4), 256, 5)
    n.output(n.conv(n.conv(m4, 512, 3, 1, "leaky"), 255, 1, 1, "linear"))
    m5 = _alternate(n, n.concat(n.conv(m4, 512, 3, 2, "leaky"), p5), 512, 5)
    n.output(n.conv(n.conv(m5, 1024, 3, 1, "leaky"), 255, 1, 1, "linear"))


def yolov4_tiny(n):
    x = n.conv(n.conv("input", 32, 3, 2, "leaky"), 64, 3, 2, "leaky")
    for c in (64, 128, 256):
        whole = x = n.conv(x, c, 3, 1, "leaky")
        a = n.conv(n.slice(x, c // 2, c // 2), c // 2, 3, 1, "leaky")
        b = n.conv(a, c // 2, 3, 1, "leaky")
        route = n.conv(n.concat(b, a), c, 1, 1, "leaky")
        x = n.maxpool(n.concat(whole, route), 2, 2)
    x = n.conv(n.conv(x, 512, 3, 1, "leaky"), 256, 1, 1, "leaky")
    n.output(n.conv(n.conv(x, 512, 3, 1, "leaky"), 255, 1, 1, "linear"))
    up = n.upsample(n.conv(x, 128, 1, 1, "leaky"))
    n.output(n.conv(n.conv(n.concat(up, route), 256, 3, 1, "leaky"), 255, 1, 1, "linear"))


def _sppf(n, x):
    pools = [x]
    for _ in range(3):
        pools.append(n.maxpool(pools[-1], 5, 1))
    return n.conv(n.concat(*pools), 256, 1, 1, "silu")


def _bottleneck(n, y, hidden, shortcut, first_kernel):
    z = n.conv(y, hidden, first_kernel, 1, "silu")
    z = n.conv(z, hidden, 3, 1, "silu", gain=0.5 if shortcut else 1.0)
    return n.add(y, z) if shortcut else z


def yolov5n(n):
    def c3(x, c, blocks, shortcut=True):
        y = n.conv(x, c // 2, 1, 1, "silu")
        for _ in range(blocks):
            y = _bottleneck(n, y, c // 2, shortcut, 1)
        return n.conv(n.concat(y, n.conv(x, c // 2, 1, 1, "silu")), c, 1, 1, "silu")

    x = n.conv("input", 16, 6, 2, "silu", pad=(2, 2))
    x = c3(n.conv(x, 32, 3, 2, "silu"), 32, 1)
    p3 = x = c3(n.conv(x, 64, 3, 2, "silu"), 64, 2)
    p4 = x = c3(n.conv(x, 128, 3, 2, "silu"), 128, 3)
    x = c3(n.conv(x, 256, 3, 2, "silu"), 256, 1)
    x = _sppf(n, n.conv(x, 128, 1, 1, "silu"))
    h5 = n.conv(x, 128, 1, 1, "silu")
    h4 = n.conv(c3(n.concat(n.upsample(h5), p4), 128, 1, False), 64, 1, 1, "silu")
    o3 = c3(n.concat(n.upsample(h4), p3), 64, 1, False)
    o4 = c3(n.concat(n.conv(o3, 64, 3, 2, "silu"), h4), 128, 1, False)
    o5 = c3(n.concat(n.conv(o4, 128, 3, 2, "silu"), h5), 256, 1, False)
    for o in (o3, o4, o5):
        n.output(n.conv(o, 255, 1, 1, "linear"))


def yolov8n(n):
    def c2f(x, c, blocks, shortcut):
        x = n.conv(x, c, 1, 1, "silu")
        parts = [n.slice(x, 0, c // 2), n.slice(x, c // 2, c // 2)]
        for _ in range(blocks):
            parts.append(_bottleneck(n, parts[-1], c // 2, shortcut, 3))
        return n.conv(n.concat(*parts), c, 1, 1, "silu")

    x = n.conv(n.conv("input", 16, 3, 2, "silu"), 32, 3, 2, "silu")
    x = c2f(x, 32, 1, True)
    p3 = x = c2f(n.conv(x, 64, 3, 2, "silu"), 64, 2, True)
    p4 = x = c2f(n.conv(x, 128, 3, 2, "silu"), 128, 2, True)
    x = c2f(n.conv(x, 256, 3, 2, "silu"), 256, 1, True)
    p5 = _sppf(n, n.conv(x, 128, 1, 1, "silu"))
    h4 = c2f(n.concat(n.upsample(p5), p4), 128, 1, False)
    o3 = c2f(n.concat(n.upsample(h4), p3), 64, 1, False)
    o4 = c2f(n.concat(n.conv(o3, 64, 3, 2, "silu"), h4), 128, 1, False)
    o5 = c2f(n.concat(n.conv(o4, 128, 3, 2, "silu"), p5), 256, 1, False)
    for o in (o3, o4, o5):
        for channels in (64, 80):  # box distances, class logits
            n.output(n.conv(n.conv(n.conv(o, channels, 3, 1, "silu"), channels, 3, 1, "silu"), channels, 1, 1, "linear"))


def mnist(n):
    x = n.maxpool(n.conv("input", 32, 5), 2, 2)
    x = n.maxpool(n.conv(x, 64, 3), 2, 2)
    n.output(n.fc(n.fc(x, 32, "relu"), 10))


def dscnn(n):
    x = n.conv("input", 64, (10, 4), 2, pad=(5, 1))
    for _ in range(4):
        x = n.conv(n.conv(x, 64, 3, groups=64), 64, 1)
    n.output(n.fc(n.global_average_pool(x), 12))


def vww(n):
    x, c = n.conv("input", 8, 3, 2), 8
    for oc, stride in [(16, 1), (32, 2), (32, 1), (64, 2), (64, 1), (128, 2)] + [(128, 1)] * 5 + [(256, 2), (256, 1)]:
        x = n.conv(n.conv(x, c, 3, stride, groups=c), oc, 1)
        c = oc
    n.output(n.fc(n.global_average_pool(x), 2))


NETWORKS = {
    "mnist": ((1, 28, 28), mnist),
    "dscnn": ((1, 49, 10), dscnn),
    "vww": ((3, 96, 96), vww),
    "yolov4tiny_416": ((3, 416, 416), yolov4_tiny),
    "yolov5n_640": ((3, 640, 640), yolov5n),
    "yolov8n_640": ((3, 640, 640), yolov8n),
    **{f"yolov4_{s}": ((3, s, s), yolov4) for s in (320, 416, 512, 640)},
    "yolov4leaky_416": ((3, 416, 416), lambda n: yolov4(n, "leaky")),
}


def make(name):
    """The named network with its weights; the same bits on every call."""
    shape, build = NETWORKS[name]
    network = Network(name, shape)
    build(network)
    return network
