"""A Darknet cfg as a PyTorch module, and its weights file in both directions.

The cfg is the only description of the network: layers, strides, anchors, scale_x_y are read from it here and
nowhere else. Sections used by YOLOv4-style detectors are supported; any other section or activation is an error.
"""
import re
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

BN_EPS = 1e-4  # ours while training; the exporter folds it into the variance (see save_weights)


def read_cfg(path):
    """[(section, {key: text})], [net] first."""
    sections = []
    for line in Path(path).read_text().splitlines():
        line = re.sub(r"[#;].*", "", line).strip()
        if not line:
            continue
        if line.startswith("["):
            sections.append((line.strip("[]"), {}))
        else:
            key, value = line.split("=", 1)
            sections[-1][1][key.strip()] = value.strip()
    if not sections or sections[0][0] != "net":
        raise ValueError(f"{path}: the first section must be [net]")
    return sections


def numbers(text, kind=int):
    return [kind(part) for part in text.split(",")]


ACTIVATIONS = {"linear": nn.Identity, "mish": nn.Mish, "relu": nn.ReLU, "leaky": lambda: nn.LeakyReLU(0.1)}


class Conv(nn.Module):
    def __init__(self, ic, options):
        super().__init__()
        oc, k = int(options["filters"]), int(options["size"])
        stride, groups = int(options.get("stride", 1)), int(options.get("groups", 1))
        pad = k // 2 if int(options.get("pad", 0)) else int(options.get("padding", 0))
        has_bn = int(options.get("batch_normalize", 0)) == 1
        self.conv = nn.Conv2d(ic, oc, k, stride, pad, groups=groups, bias=not has_bn)
        self.bn = nn.BatchNorm2d(oc, eps=BN_EPS, momentum=0.03) if has_bn else nn.Identity()
        self.act = ACTIVATIONS[options.get("activation", "logistic")]()

    def forward(self, x):
        return self.act(self.bn(self.conv(x)))


class Head:
    """What one [yolo] section says. stride is filled in by Network."""

    def __init__(self, options):
        anchors = np.array(numbers(options["anchors"], float), np.float32).reshape(-1, 2)
        self.anchors = torch.from_numpy(anchors[numbers(options["mask"])])  # canvas pixels
        self.classes = int(options["classes"])
        self.scale_xy = float(options.get("scale_x_y", 1))
        self.stride = 0


class Network(nn.Module):
    """forward(f32 [n, 3, h, w], RGB in [0, 1]) -> one raw head [n, anchors, h, w, 5 + classes] per [yolo]."""

    def __init__(self, cfg_path):
        super().__init__()
        sections = read_cfg(cfg_path)
        net = sections[0][1]
        self.size = (int(net["width"]), int(net["height"]))
        self.layers, self.heads = nn.ModuleList(), []
        self.kinds, self.inputs = [], []
        channels, strides = [], []  # per layer output
        for i, (kind, o) in enumerate(sections[1:]):
            ic, stride = (channels[-1], strides[-1]) if channels else (int(net["channels"]), 1)
            layer, inputs = nn.Identity(), [i - 1]
            if kind == "convolutional":
                layer = Conv(ic, o)
                ic, stride = int(o["filters"]), stride * int(o.get("stride", 1))
            elif kind == "maxpool":
                k, s = int(o["size"]), int(o.get("stride", 1))
                layer = nn.MaxPool2d(k, s, k // 2)
                stride *= s
            elif kind == "upsample":
                layer = nn.Upsample(scale_factor=int(o["stride"]), mode="nearest")
                stride //= int(o["stride"])
            elif kind == "shortcut":
                inputs = [i - 1, self._absolute(o["from"], i)[0]]
                layer = ACTIVATIONS[o.get("activation", "linear")]()
            elif kind == "route":
                inputs = self._absolute(o["layers"], i)
                groups, group = int(o.get("groups", 1)), int(o.get("group_id", 0))
                ic, stride = sum(channels[j] for j in inputs) // groups, strides[inputs[0]]
                layer.groups, layer.group = groups, group
            elif kind == "yolo":
                head = Head(o)
                head.stride = stride
                self.heads.append(head)
            else:
                raise ValueError(f"{cfg_path}: section [{kind}] is not supported")
            self.kinds.append(kind)
            self.inputs.append(inputs)
            self.layers.append(layer)
            channels.append(ic)
            strides.append(stride)

    @staticmethod
    def _absolute(text, i):
        return [j if j >= 0 else i + j for j in numbers(text)]

    def forward(self, x):
        outputs, raw = [], []
        for i, (kind, layer) in enumerate(zip(self.kinds, self.layers)):
            src = [outputs[j] if j >= 0 else x for j in self.inputs[i]]
            if kind == "route":
                y = torch.cat(src, 1) if len(src) > 1 else src[0]
                if layer.groups > 1:
                    y = y.chunk(layer.groups, 1)[layer.group]
            elif kind == "shortcut":
                y = layer(src[0] + src[1])
            elif kind == "yolo":
                y = src[0]
                n, c, h, w = y.shape
                a = len(self.heads[len(raw)].anchors)
                raw.append(y.view(n, a, c // a, h, w).permute(0, 1, 3, 4, 2).float())
            else:
                y = layer(src[0])
            outputs.append(y)
        return raw

    def convolutions(self):
        return [layer for layer in self.layers if isinstance(layer, Conv)]


def decode_rows(rows, head, cell, anchor):
    """Raw rows [..., 5 + classes], their cells (column, row) and anchors [..., 2] -> cxcywh in canvas pixels."""
    s = head.scale_xy
    xy = (rows[..., 0:2].sigmoid() * s - (s - 1) / 2 + cell) * head.stride
    return torch.cat([xy, rows[..., 2:4].clamp(max=6).exp() * anchor], -1)


def decode(raw, head):
    """Raw head -> (cxcywh in canvas pixels [n, a, h, w, 4], objectness logits, class logits)."""
    h, w = raw.shape[2:4]
    gy, gx = torch.meshgrid(torch.arange(h), torch.arange(w), indexing="ij")
    boxes = decode_rows(raw, head, torch.stack([gx, gy], -1), head.anchors.view(1, -1, 1, 1, 2))
    return boxes, raw[..., 4], raw[..., 5:]


def cost(network):
    """(parameters, multiply-adds of the convolutions of one image)."""
    macs = 0

    def count(module, _, out):
        nonlocal macs
        macs += out.shape[2] * out.shape[3] * module.weight.numel()

    hooks = [c.conv.register_forward_hook(count) for c in network.convolutions()]
    with torch.no_grad():
        network.eval()(torch.zeros(1, 3, network.size[1], network.size[0]))
    for hook in hooks:
        hook.remove()
    return sum(p.numel() for p in network.parameters()), macs


def save_weights(network, path, seen):
    """Darknet weights. Darknet divides by sqrt(var) + 1e-6 and others by sqrt(var + 1e-6): both give our
    network when BN_EPS, much larger than either, is written into the variance."""
    with open(path, "wb") as f:
        np.array([0, 2, 5], "<i4").tofile(f)
        np.array([seen], "<u8").tofile(f)
        for layer in network.convolutions():
            if isinstance(layer.bn, nn.BatchNorm2d):
                bn = layer.bn
                parts = [bn.bias, bn.weight, bn.running_mean, bn.running_var + BN_EPS, layer.conv.weight]
            else:
                parts = [layer.conv.bias, layer.conv.weight]
            for part in parts:
                part.detach().float().contiguous().numpy().astype("<f4").tofile(f)


def load_weights(network, path):
    data = Path(path).read_bytes()
    major, minor, _ = np.frombuffer(data, "<i4", 3)
    values = np.frombuffer(data, "<f4", offset=12 + (8 if major * 10 + minor >= 2 else 4))
    at = 0
    with torch.no_grad():
        for layer in network.convolutions():
            bn = layer.bn if isinstance(layer.bn, nn.BatchNorm2d) else None
            parts = [bn.bias, bn.weight, bn.running_mean, bn.running_var] if bn else [layer.conv.bias]
            for part in parts + [layer.conv.weight]:
                part.copy_(torch.from_numpy(values[at:at + part.numel()].copy()).view_as(part))
                at += part.numel()
            if bn:
                bn.running_var -= BN_EPS
    if at != len(values):
        raise ValueError(f"{path}: {len(values)} values, the cfg wants {at}")
