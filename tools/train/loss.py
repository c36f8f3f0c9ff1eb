"""Targets and loss: CIoU for boxes, cross-entropy for objectness (its target is the box's IoU) and classes.

A box is matched, in the cell that holds its centre, to every anchor whose sides differ from its own by less than
MAX_RATIO (Jocher's YOLOv5 rule; several anchors and levels may match one box).
"""
import math

import torch
import torch.nn.functional as F

from network import decode_rows

MAX_RATIO = 4.0
LEVEL_WEIGHTS = {8: 4.0, 16: 1.0, 32: 0.4}  # of objectness: many cells, few of them positive
BOX, OBJECTNESS, CLASS = 0.08, 1.0, 0.25


def ciou(a, b, eps=1e-7):
    """Complete IoU of cxcywh boxes, row by row. Zheng et al. 2020 (arXiv:1911.08287)."""
    low = torch.maximum(a[:, :2] - a[:, 2:] / 2, b[:, :2] - b[:, 2:] / 2)
    high = torch.minimum(a[:, :2] + a[:, 2:] / 2, b[:, :2] + b[:, 2:] / 2)
    inter = (high - low).clamp(min=0).prod(1)
    iou = inter / (a[:, 2:].prod(1) + b[:, 2:].prod(1) - inter + eps)
    outer = torch.maximum(a[:, :2] + a[:, 2:] / 2, b[:, :2] + b[:, 2:] / 2) - torch.minimum(
        a[:, :2] - a[:, 2:] / 2, b[:, :2] - b[:, 2:] / 2)
    distance = (a[:, :2] - b[:, :2]).pow(2).sum(1) / (outer.pow(2).sum(1) + eps)
    v = 4 / math.pi ** 2 * (torch.atan(b[:, 2] / b[:, 3]) - torch.atan(a[:, 2] / (a[:, 3] + eps))).pow(2)
    with torch.no_grad():
        alpha = v / (1 - iou + v + eps)
    return iou - distance - alpha * v, iou


def loss(raw_heads, heads, targets):
    """targets f32 [m, 6]: picture in the batch, class, cxcywh in canvas pixels. Returns (sum, parts)."""
    box_loss = obj_loss = cls_loss = torch.zeros(())
    for raw, head in zip(raw_heads, heads):
        n, a, h, w, _ = raw.shape
        objectness = raw[..., 4]
        ratio = targets[:, None, 4:6] / head.anchors[None]
        row, anchor = (torch.maximum(ratio, 1 / ratio).amax(2) < MAX_RATIO).nonzero(as_tuple=True)
        wanted = torch.zeros_like(objectness)
        if len(row):
            t = targets[row]
            gx = (t[:, 2] / head.stride).long().clamp(0, w - 1)
            gy = (t[:, 3] / head.stride).long().clamp(0, h - 1)
            at = (t[:, 0].long(), anchor, gy, gx)
            rows = raw[at]
            boxes = decode_rows(rows, head, torch.stack([gx, gy], 1), head.anchors[anchor])
            quality, iou = ciou(boxes, t[:, 2:6])
            box_loss = box_loss + (1 - quality).mean()
            wanted[at] = iou.detach().clamp(0, 1)
            one_hot = F.one_hot(t[:, 1].long(), head.classes).float()
            cls_loss = cls_loss + F.binary_cross_entropy_with_logits(rows[:, 5:], one_hot)
        obj_loss = obj_loss + LEVEL_WEIGHTS[head.stride] * F.binary_cross_entropy_with_logits(objectness, wanted)
    total = BOX * box_loss + OBJECTNESS * obj_loss + CLASS * cls_loss
    return total, tuple(float(part.detach()) for part in (box_loss, obj_loss, cls_loss))
