"""The public YOLO networks for Darknet, written as functions over a CfgWriter.

Structures: YOLOv3 (Redmon and Farhadi 2018), YOLOv4 (Bochkovskiy et al. 2020), Scaled-YOLOv4 for csp and tiny (Wang et
al. 2021), YOLOv7-tiny (Wang et al. 2022), EfficientNet-B0 with two YOLO heads. Function names are the networks'.
"""

ANCHORS_V3 = "10,13, 16,30, 33,23, 30,61, 62,45, 59,119, 116,90, 156,198, 373,326"
ANCHORS_V4 = "12,16, 19,36, 40,28, 36,75, 76,55, 72,146, 142,110, 192,243, 459,401"
ANCHORS_TINY = "10,14, 23,27, 37,58, 81,82, 135,169, 344,319"


def _head(n, anchors, mask, act="linear", **keys):
    """The raw convolution and its [yolo]."""
    n.conv(len(mask) * (n.classes + 5), 1, act=act, bn=False, head=True)
    n.yolo(anchors, mask, **keys)


def _alternate(n, c, count, act="leaky"):
    """1x1 and 3x3 convolutions in turn, beginning with the 1x1."""
    for i in range(count):
        last = n.conv(c, 1, act=act) if i % 2 == 0 else n.conv(2 * c, 3, act=act)
    return last


def _residual(n, c, hidden, act):
    x = n.last
    n.conv(hidden, 1, act=act)
    n.conv(c, 3, act=act, gain=0.5)
    return n.shortcut(x)


def _up(n, c, other, act="leaky"):
    """Halves the channels, doubles the grid, joins it with an earlier layer (as it is)."""
    n.conv(c, 1, act=act)
    up = n.upsample()
    return n.route(up, other)


def yolov3(n):
    n.conv(32, 3)
    stages = []
    for c, blocks in ((64, 1), (128, 2), (256, 8), (512, 8), (1024, 4)):
        n.conv(c, 3, 2)
        for _ in range(blocks):
            x = _residual(n, c, c // 2, "leaky")
        stages.append(x)
    mask = [6, 7, 8]
    for c, skip in ((512, stages[3]), (256, stages[2]), (128, None)):
        fifth = _alternate(n, c, 5)
        n.conv(2 * c, 3)
        _head(n, ANCHORS_V3, mask)
        mask = [i - 3 for i in mask]
        if skip is not None:
            n.route(fifth)
            _up(n, c // 2, skip)


def yolov3_tiny(n):
    for c in (16, 32, 64, 128):
        n.conv(c, 3)
        n.maxpool(2, 2)
    skip = n.conv(256, 3)
    n.maxpool(2, 2)
    n.conv(512, 3)
    n.maxpool(2, 1)
    n.conv(1024, 3)
    x = n.conv(256, 1)
    n.conv(512, 3)
    _head(n, ANCHORS_TINY, [3, 4, 5])
    n.route(x)
    _up(n, 128, skip)
    n.conv(256, 3)
    _head(n, ANCHORS_TINY, [0, 1, 2])


def _csp_stage(n, c, blocks, first=False):
    """Cross-stage partial stage of CSPDarknet53; the first one keeps the full width in both branches."""
    down = n.conv(c, 3, 2, act="mish")
    half = c if first else c // 2
    shortcut = n.conv(half, 1, act="mish")
    n.route(down)
    n.conv(half, 1, act="mish")
    for _ in range(blocks):
        _residual(n, half, c // 2 if first else half, "mish")
    x = n.conv(half, 1, act="mish")
    n.route(x, shortcut)
    return n.conv(c, 1, act="mish")


def _spp(n):
    """Maxima over 5, 9 and 13 wide windows beside what they are of."""
    x = n.last
    p5 = n.maxpool(5, 1)
    n.route(x)
    p9 = n.maxpool(9, 1)
    n.route(x)
    p13 = n.maxpool(13, 1)
    return n.route(p13, p9, p5, x)


def _up_joined(n, c, other):
    """As _up, but the earlier layer passes a 1x1 convolution first and stands in front."""
    n.conv(c, 1)
    up = n.upsample()
    n.route(other)
    lateral = n.conv(c, 1)
    n.route(lateral, up)


def yolov4(n):
    n.conv(32, 3, act="mish")
    _csp_stage(n, 64, 1, first=True)
    _csp_stage(n, 128, 2)
    c3 = _csp_stage(n, 256, 8)
    c4 = _csp_stage(n, 512, 8)
    _csp_stage(n, 1024, 4)
    _alternate(n, 512, 3)
    _spp(n)
    p5 = _alternate(n, 512, 3)
    _up_joined(n, 256, c4)
    p4 = _alternate(n, 256, 5)
    _up_joined(n, 128, c3)
    m = _alternate(n, 128, 5)
    for c, lateral, mask, xy in ((128, p4, [0, 1, 2], 1.2), (256, p5, [3, 4, 5], 1.1), (512, None, [6, 7, 8], 1.05)):
        n.conv(2 * c, 3)
        _head(n, ANCHORS_V4, mask, scale_x_y=xy)
        if lateral is not None:
            n.route(m)
            down = n.conv(2 * c, 3, 2)
            n.route(down, lateral)
            m = _alternate(n, 2 * c, 5)


def _tiny_backbone(n):
    """CSPOSANet of YOLOv4-tiny; returns what the heads take up again: the stages' last inner layers."""
    n.conv(32, 3, 2)
    n.conv(64, 3, 2)
    taps = []
    for c in (64, 128, 256):
        whole = n.conv(c, 3)
        n.route(whole, groups=2, group_id=1)
        a = n.conv(c // 2, 3)
        b = n.conv(c // 2, 3)
        n.route(b, a)
        taps.append(n.conv(c, 1))
        n.route(whole, taps[-1])
        n.maxpool(2, 2)
    n.conv(512, 3)
    return taps


def yolov4_tiny(n):
    taps = _tiny_backbone(n)
    x = n.conv(256, 1)
    n.conv(512, 3)
    _head(n, ANCHORS_TINY, [3, 4, 5], scale_x_y=1.05)
    n.route(x)
    _up(n, 128, taps[2])
    n.conv(256, 3)
    _head(n, ANCHORS_TINY, [1, 2, 3], scale_x_y=1.05)


def yolov4_tiny_3l(n):
    taps = _tiny_backbone(n)
    x = n.conv(256, 1)
    n.conv(512, 3)
    _head(n, ANCHORS_V4, [6, 7, 8], scale_x_y=1.05)
    n.route(x)
    _up(n, 128, taps[2])
    x = n.conv(256, 3)
    _head(n, ANCHORS_V4, [3, 4, 5], scale_x_y=1.05)
    n.route(x)
    _up(n, 64, taps[1])
    n.conv(128, 3)
    _head(n, ANCHORS_V4, [0, 1, 2], scale_x_y=1.05)


def _csp_neck(n, c):
    """Scaled-YOLOv4's CSP block without shortcuts: two 1x1-3x3 pairs beside a 1x1."""
    entry = n.conv(c, 1, act="mish")
    bypass = n.conv(c, 1, act="mish")
    n.route(entry)
    for _ in range(2):
        n.conv(c, 1, act="mish")
        x = n.conv(c, 3, act="mish")
    n.route(x, bypass)
    return n.conv(c, 1, act="mish")


def _csp_up(n, c, other):
    n.conv(c, 1, act="mish")
    up = n.upsample()
    n.route(other)
    lateral = n.conv(c, 1, act="mish")
    n.route(lateral, up)
    return _csp_neck(n, c)


def yolov4_csp(n):
    n.conv(32, 3, act="mish")
    n.conv(64, 3, 2, act="mish")
    _residual(n, 64, 32, "mish")
    _csp_stage(n, 128, 2)
    c3 = _csp_stage(n, 256, 8)
    c4 = _csp_stage(n, 512, 8)
    top = _csp_stage(n, 1024, 4)
    bypass = n.conv(512, 1, act="mish")
    n.route(top)
    n.conv(512, 1, act="mish")
    n.conv(512, 3, act="mish")
    n.conv(512, 1, act="mish")
    _spp(n)
    n.conv(512, 1, act="mish")
    x = n.conv(512, 3, act="mish")
    n.route(x, bypass)
    p5 = n.conv(512, 1, act="mish")
    p4 = _csp_up(n, 256, c4)
    m = _csp_up(n, 128, c3)
    for c, lateral, mask in ((128, p4, [0, 1, 2]), (256, p5, [3, 4, 5]), (512, None, [6, 7, 8])):
        n.conv(2 * c, 3, act="mish")
        _head(n, ANCHORS_V4, mask, act="logistic", scale_x_y=2.0, new_coords=1)
        if lateral is not None:
            n.route(m)
            down = n.conv(2 * c, 3, 2, act="mish")
            n.route(down, lateral)
            m = _csp_neck(n, 2 * c)


def _elan_tiny(n, hidden, c):
    """YOLOv7-tiny's aggregation: two 1x1 and two stacked 3x3, all four joined."""
    x = n.last
    a = n.conv(hidden, 1)
    n.route(x)
    b = n.conv(hidden, 1)
    d = n.conv(hidden, 3)
    e = n.conv(hidden, 3)
    n.route(a, b, d, e)
    return n.conv(c, 1)


def yolov7_tiny(n):
    n.conv(32, 3, 2)
    n.conv(64, 3, 2)
    stages = [_elan_tiny(n, 32, 64)]
    for c in (64, 128, 256):
        n.maxpool(2, 2)
        stages.append(_elan_tiny(n, c, 2 * c))
    top = stages[3]
    bypass = n.conv(256, 1)
    n.route(top)
    n.conv(256, 1)
    _spp(n)
    x = n.conv(256, 1)
    n.route(bypass, x)
    p5 = n.conv(256, 1)
    laterals = {}
    for c, skip in ((128, stages[2]), (64, stages[1])):
        n.conv(c, 1)
        up = n.upsample()
        n.route(skip)
        lateral = n.conv(c, 1)
        n.route(lateral, up)
        laterals[c] = _elan_tiny(n, c // 2, c)
    outs = [laterals[64]]
    for c, lateral in ((128, laterals[128]), (256, p5)):
        down = n.conv(c, 3, 2)
        n.route(down, lateral)
        outs.append(_elan_tiny(n, c // 2, c))
    for i, out in enumerate(outs):
        n.route(out)
        n.conv(128 << i, 3)
        _head(n, ANCHORS_V3, [3 * i, 3 * i + 1, 3 * i + 2], act="logistic", scale_x_y=2.0, new_coords=1)


def _mbconv(n, expand, kernel, stride, squeeze, c, residual):
    """EfficientNet's block: 1x1 up, depthwise, squeeze and excitation, 1x1 down."""
    x = n.last
    first = n.conv(expand, 1, act="swish")
    features = n.conv(expand, kernel, stride, act="swish", groups=expand)
    n.avgpool()
    n.conv(squeeze, 1, act="swish", bn=False)
    n.conv(expand, 1, act="logistic", bn=False)
    n.scale_channels(features)
    n.conv(c, 1, act="linear", gain=0.5 if residual else 1.0)
    if residual:
        n.dropout()
        n.shortcut(x)
    return first


def enet_coco(n):
    n.conv(32, 3, 2, act="swish")
    for block in ((32, 3, 1, 8, 16, 0), (96, 3, 2, 16, 24, 0), (144, 3, 1, 8, 24, 1), (144, 5, 2, 8, 40, 0),
                  (192, 5, 1, 16, 40, 1), (192, 3, 1, 16, 80, 0), (384, 3, 1, 24, 80, 1), (384, 3, 1, 24, 80, 1),
                  (384, 5, 2, 24, 112, 0), (576, 5, 1, 32, 112, 1), (576, 5, 1, 32, 112, 1)):
        _mbconv(n, *block)
    wide = _mbconv(n, 576, 5, 2, 32, 192, 0)  # its 576 channels are added to 128: Darknet takes the first 128 of them
    for block in ((960, 5, 1, 64, 192, 1),) * 3 + ((960, 3, 1, 64, 320, 0),):
        _mbconv(n, *block)
    n.conv(1280, 1, act="swish")
    x = n.conv(256, 1)
    y = n.conv(256, 3)
    n.shortcut(x, act="leaky")
    _head(n, ANCHORS_TINY, [3, 4, 5])
    n.route(y)
    n.conv(128, 1)
    up = n.upsample()
    n.shortcut(wide, act="leaky")
    n.conv(128, 3)
    n.shortcut(up, act="leaky")
    n.shortcut(wide, act="leaky")
    _head(n, ANCHORS_TINY, [1, 2, 3])


NETWORKS = {"enet-coco": (enet_coco, 416), "yolov3": (yolov3, 416), "yolov3-tiny": (yolov3_tiny, 416),
            "yolov4": (yolov4, 608), "yolov4-csp": (yolov4_csp, 512), "yolov4-tiny": (yolov4_tiny, 416),
            "yolov4-tiny-3l": (yolov4_tiny_3l, 608), "yolov7-tiny": (yolov7_tiny, 416)}
