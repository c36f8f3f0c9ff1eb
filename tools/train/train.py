#!/usr/bin/env python3
"""Trains the network of a Darknet cfg on a cache of drawn scenes, from nothing, until a given time of day.

The learning rate follows a cosine of the wall clock, so that it is zero at the end however fast the machine was.
Processes of one thread each train common parameters without waiting for each other (Hogwild, Recht et al. 2011):
on a busy machine a step that waits for the slowest thread is mostly waiting. A checkpoint is written every
few minutes; the same command continues from it. Checkpoints hold the averaged (EMA) weights that export.py takes.
"""
import argparse
import copy
import math
import os
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.multiprocessing as mp

import fast_mish
from data import Scenes
from detect import coco_map, detections
from loss import loss
from network import Network, cost

WARM_UP = 100  # steps
EMA_STEPS, EMA_DECAY = 4, 0.97  # every so many steps; the average spans about 130 steps
SIZES = ((0.52, 192), (0.77, 256), (1.0, None))  # until this share of the time, this input size: cheap steps first


def validation_map(network, cache, count):
    """mAP@50 and mAP@50:95 on the first scenes of a cache."""
    images, arrays = np.load(cache / "images.npy", mmap_mode="r")[:count], np.load(cache / "boxes.npz")
    size, results, annotations = images.shape[1], [], []
    for i in range(0, len(images), 16):
        x = torch.from_numpy(images[i:i + 16].copy()).permute(0, 3, 1, 2).float().div_(255)
        for k, rows in enumerate(detections(network, x)):
            for x0, y0, x1, y1, score, kind in rows * np.array([size] * 4 + [1, 1]):
                results.append({"image_id": i + k, "category_id": int(kind), "score": float(score),
                                "bbox": [x0, y0, x1 - x0, y1 - y0]})
    for i in range(len(images)):
        for kind, cx, cy, w, h in arrays["boxes"][arrays["start"][i]:arrays["start"][i + 1]].astype(float):
            annotations.append({"id": len(annotations) + 1, "image_id": i, "category_id": int(kind), "iscrowd": 0,
                                "area": w * h * size * size,
                                "bbox": [(cx - w / 2) * size, (cy - h / 2) * size, w * size, h * size]})
    truth = {"images": [{"id": i} for i in range(len(images))], "annotations": annotations,
             "categories": [{"id": k} for k in range(network.heads[0].classes)]}
    return coco_map(truth, results)[:2]


def start_biases(network):
    """Low objectness and class scores at the start: few cells hold anything."""
    for i, layer in enumerate(network.layers):
        if network.kinds[i] == "yolo":
            head = network.heads[network.kinds[:i].count("yolo")]
            bias = network.layers[i - 1].conv.bias.data.view(len(head.anchors), -1)
            bias[:, 4] = math.log(6 / (network.size[0] / head.stride) ** 2)
            bias[:, 5:] = math.log(0.6 / (head.classes - 0.99))


def share(network, flat):
    """Makes the parameters views of one shared tensor, channels last, so that every process trains the same ones."""
    at = 0
    for p in network.parameters():
        part = flat[at:at + p.numel()]
        at += p.numel()
        if p.dim() == 4:
            oc, ic, kh, kw = p.shape
            p.data = part.view(oc, kh, kw, ic).permute(0, 3, 1, 2)
        else:
            p.data = part.view_as(p)


def stopped(pid):
    """Whether somebody stopped (SIGSTOP) a process."""
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] in "Tt"


def work(rank, args, flat, seen):
    """One process: its own batches, batch statistics and optimizer, the common parameters (Hogwild)."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(1)
    network, parent = Network(args.cfg), os.getppid()
    fast_mish.install(network)
    state = torch.load(args.checkpoint, weights_only=False) if args.checkpoint.exists() else None
    if state:
        network.load_state_dict(state["network"])
    else:
        start_biases(network)
    values = [p.detach().clone() for p in network.parameters()]
    average = copy.deepcopy(network).eval()
    share(network, flat)
    if rank == 0:
        with torch.no_grad():
            for p, value in zip(network.parameters(), values):
                p.copy_(value)
        seen[0] = state["images"] if state else 0
    decayed = [p for p in network.parameters() if p.dim() > 1]
    plain = [p for p in network.parameters() if p.dim() <= 1]
    optimizer = torch.optim.AdamW([{"params": decayed, "weight_decay": 0.03}, {"params": plain, "weight_decay": 0}],
                                  lr=args.rate, betas=(0.9, 0.99), fused=True)
    step, began, busy = 0, args.began, 0.0
    if state:
        average.load_state_dict(state["average"])
        optimizer.load_state_dict(state["optimizer"])
        step, began, busy = state["step"], state["began"], state["busy"]
    scenes = Scenes(args.cache, [rank, step])
    sums, saved, logged, logged_seen = np.zeros(3), time.time(), time.time(), int(seen.sum())
    now = time.time()
    while (progress := (time.time() - began) / (args.end - began)) < 1:
        if rank and os.getppid() != parent:
            return
        if rank and stopped(parent):
            time.sleep(0.5)
            continue
        before, now = now, time.time()
        busy += min(now - before, 30)
        rate = args.rate * max(0.5 + 0.5 * math.cos(math.pi * progress), 0.004) * min(1, (step + 1) / WARM_UP)
        for group in optimizer.param_groups:
            group["lr"] = rate
        size = next(size for share_, size in SIZES if progress <= share_)
        x, targets = scenes.batch(args.batch, 0.1 if size else 0.15, size)
        with torch.autocast("cpu", torch.bfloat16):
            raw = network(x.contiguous(memory_format=torch.channels_last))
        total, parts = loss(raw, network.heads, targets)
        optimizer.zero_grad(set_to_none=True)
        total.backward()
        optimizer.step()
        step, sums = step + 1, sums + parts
        seen[rank] += args.batch
        if rank:
            continue
        if step % EMA_STEPS:
            continue
        decay = EMA_DECAY * (1 - math.exp(-step / 300))
        with torch.no_grad():
            for a, p in zip(average.parameters(), network.parameters()):
                a.lerp_(p, 1 - decay)
            for a, b in zip(average.buffers(), network.buffers()):
                a.lerp_(b, 1 - decay) if b.is_floating_point() else a.copy_(b)
        if step % 100 == 0:
            speed = (int(seen.sum()) - logged_seen) / (time.time() - logged)
            logged, logged_seen = time.time(), int(seen.sum())
            print(f"{datetime.now(timezone.utc):%H:%M:%S} step {step} images {logged_seen} {progress:.1%} rate {rate:.5f} "
                  f"size {size or scenes.size} box {sums[0] / 300:.3f} obj {sums[1] / 100:.4f} class {sums[2] / 300:.4f} "
                  f"{speed:.0f} images/s", flush=True)
            sums[:] = 0
        if time.time() - saved > args.save_every:
            save(args, network, average, optimizer, step, int(seen.sum()), began, busy)
            saved = now = time.time()
    if rank == 0:
        save(args, network, average, optimizer, step, int(seen.sum()), began, busy)
        print(f"done: {int(seen.sum())} images, {busy / 60:.0f} minutes", flush=True)


def save(args, network, average, optimizer, step, images, began, busy):
    state = {"network": network.state_dict(), "average": average.state_dict(), "optimizer": optimizer.state_dict(),
             "step": step, "images": images, "began": began, "busy": busy}
    torch.save(state, str(args.checkpoint) + ".part")
    os.replace(str(args.checkpoint) + ".part", args.checkpoint)
    at50, at5095 = validation_map(average, args.validation, args.validate)
    print(f"{datetime.now(timezone.utc):%H:%M:%S} step {step}: validation mAP@50 {at50:.4f} mAP@50:95 {at5095:.4f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cfg", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True, help="training scenes, from cache.py")
    parser.add_argument("--validation", type=Path, required=True, help="other scenes, to watch progress")
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--until", required=True, help="when to be done, HH:MM UTC, within 24 hours")
    parser.add_argument("--batch", type=int, default=16, help="pictures per process and step")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--save-every", type=float, default=600, help="seconds")
    parser.add_argument("--validate", type=int, default=150, help="scenes to watch progress on")
    args = parser.parse_args()
    now = datetime.now(timezone.utc)
    hour, minute = map(int, args.until.split(":"))
    end = now.replace(hour=hour, minute=minute, second=0)
    args.began, args.end = now.timestamp(), (end if end > now else end + timedelta(days=1)).timestamp()
    network = Network(args.cfg)
    parameters, macs = cost(network)
    print(f"{parameters / 1e6:.2f} M parameters, {macs / 1e6:.0f} M multiply-adds, process {os.getpid()}", flush=True)
    flat, seen = torch.zeros(parameters).share_memory_(), torch.zeros(args.processes, dtype=torch.int64).share_memory_()
    context = mp.get_context("spawn")  # this process is rank 0: while it is stopped the others rest too
    others = [context.Process(target=work, args=(r, args, flat, seen), daemon=True) for r in range(1, args.processes)]
    for other in others:
        other.start()
    work(0, args, flat, seen)


if __name__ == "__main__":
    main()
