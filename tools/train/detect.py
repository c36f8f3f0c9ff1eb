"""From raw heads to detections, and mAP with pycocotools."""
import contextlib
import io

import numpy as np
import torch
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

from network import decode


def nms(boxes, scores, iou):
    """Greedy, one class. boxes xyxy. Returns the kept rows, best first."""
    order, keep = np.argsort(-scores, kind="stable"), []
    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    while len(order):
        i, order = order[0], order[1:]
        keep.append(i)
        low, high = np.maximum(boxes[i, :2], boxes[order, :2]), np.minimum(boxes[i, 2:], boxes[order, 2:])
        inter = np.clip(high - low, 0, None).prod(1)
        order = order[inter <= iou * (area[i] + area[order] - inter)]
    return keep


@torch.no_grad()
def detections(network, x, min_score=0.005, iou=0.5, most=100):
    """Per picture of f32 [n, 3, h, w]: f32 [m, 6], xyxy as shares of the canvas, score, class; best first."""
    boxes, scores = [], []
    for raw, head in zip(network(x), network.heads):
        b, objectness, classes = decode(raw, head)
        boxes.append(b.flatten(1, 3))
        scores.append((objectness.sigmoid()[..., None] * classes.sigmoid()).flatten(1, 3))
    boxes, scores = torch.cat(boxes, 1), torch.cat(scores, 1)
    xyxy = torch.cat([boxes[..., :2] - boxes[..., 2:] / 2, boxes[..., :2] + boxes[..., 2:] / 2], -1)
    xyxy = (xyxy / torch.tensor([x.shape[3], x.shape[2]] * 2)).clamp(0, 1).numpy()
    found = []
    for b, s in zip(xyxy, scores.numpy()):
        rows = [np.zeros((0, 6), np.float32)]
        for k in range(s.shape[1]):
            hit = np.flatnonzero(s[:, k] > min_score)
            hit = hit[np.argsort(-s[hit, k], kind="stable")[:300]]
            keep = hit[nms(b[hit], s[hit, k], iou)]
            rows.append(np.concatenate([b[keep], s[keep, k:k + 1], np.full((len(keep), 1), k)], 1))
        rows = np.concatenate(rows)
        found.append(rows[np.argsort(-rows[:, 4], kind="stable")[:most]])
    return found


def coco_map(truth, results):
    """truth: COCO dict; results: COCO detections. Returns (mAP@50, mAP@50:95, AP@50 per category id)."""
    if not results:
        return 0.0, 0.0, {}
    with contextlib.redirect_stdout(io.StringIO()):
        coco = COCO()
        coco.dataset = truth
        coco.createIndex()
        run = COCOeval(coco, coco.loadRes(results), "bbox")
        run.evaluate()
        run.accumulate()
        run.summarize()
    precision = run.eval["precision"][0, :, :, 0, 2]  # IoU 0.50, all areas, 100 detections
    per_class = {k: float(p[p > -1].mean()) for k, p in zip(run.params.catIds, precision.T) if (p > -1).any()}
    return float(run.stats[1]), float(run.stats[0]), per_class
