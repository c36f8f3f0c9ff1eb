"""The networks with random, well-scaled weights that engines are compared on, as lists of layers (layers.py).

Architectures: YOLOv4 and YOLOv4-tiny (Bochkovskiy et al. 2020, Wang et al. 2021), the layer shapes of YOLOv5n and YOLOv8n
with raw heads, an MNIST CNN, DS-CNN keyword spotting and MobileNetV1 0.25 at 96x96 (MLPerf Tiny).
"""
from layers import Network


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
    "call": ((1, 1, 1), lambda n: n.output(n.conv("input", 1, 1))),  # nothing but the cost of a call
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
