#!/usr/bin/env python3
"""Trains the network of a Darknet cfg on a cache of drawn scenes, from nothing, until a given time of day.

The learning rate follows a cosine of the wall clock, so that it is zero at the end however fast the machine was.
Two or more processes of one thread each share every step (gradients are averaged). A checkpoint is written every
few minutes; the same command continues from it. Checkpoints hold the averaged (EMA) weights that export.py takes.
"""
import argparse
import copy
import math
import os
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

import numpy as np
import torch
import torch.distributed as dist
import torch.multiprocessing as mp

import fast_mish
from data import Scenes
from detect import coco_map, detections
from loss import loss
from network import Network, cost

WARM_UP = 300  # steps


def validation_map(network, cache):
    """mAP@50 and mAP@50:95 on a cache (the whole of it)."""
    images, arrays = np.load(cache / "images.npy", mmap_mode="r"), np.load(cache / "boxes.npz")
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
    return coco_map(truth, results)[:2] if results else (0.0, 0.0)


def start_biases(network):
    """Low objectness and class scores at the start: few cells hold anything."""
    for i, layer in enumerate(network.layers):
        if network.kinds[i] == "yolo":
            head = network.heads[network.kinds[:i].count("yolo")]
            bias = network.layers[i - 1].conv.bias.data.view(len(head.anchors), -1)
            bias[:, 4] = math.log(6 / (network.size[0] / head.stride) ** 2)
            bias[:, 5:] = math.log(0.6 / (head.classes - 0.99))


def work(rank, args, port):
    torch.set_num_threads(1)
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    dist.init_process_group("gloo", rank=rank, world_size=args.processes, timeout=timedelta(hours=2))
    torch.manual_seed(1)
    network = Network(args.cfg)
    start_biases(network)
    network = network.to(memory_format=torch.channels_last)
    fast_mish.install(network)
    average = copy.deepcopy(network).eval()
    decayed = [p for p in network.parameters() if p.dim() > 1]
    plain = [p for p in network.parameters() if p.dim() <= 1]
    optimizer = torch.optim.AdamW([{"params": decayed, "weight_decay": 0.03}, {"params": plain, "weight_decay": 0}],
                                  lr=args.rate, betas=(0.9, 0.99))
    step, images, began, busy = 0, 0, time.time(), 0.0
    if args.checkpoint.exists():
        state = torch.load(args.checkpoint, weights_only=False)
        network.load_state_dict(state["network"])
        average.load_state_dict(state["average"])
        optimizer.load_state_dict(state["optimizer"])
        step, images, began, busy = state["step"], state["images"], state["began"], state["busy"]
    scenes = Scenes(args.cache, [rank, step])
    names = [n for n, _ in network.named_parameters()]
    parameters, buffers = dict(network.named_parameters()), dict(network.named_buffers())
    saved = logged = now = time.time()
    sums = np.zeros(3)
    while True:
        before, now = now, time.time()
        busy += min(now - before, 5)
        clock = torch.tensor([now], dtype=torch.float64)
        dist.broadcast(clock, 0)  # one clock, so that all stop at the same step
        progress = (float(clock) - began) / (args.end - began)
        if progress >= 1:
            break
        rate = args.rate * max(0.5 + 0.5 * math.cos(math.pi * progress), 0.004) * min(1, (step + 1) / WARM_UP)
        for group in optimizer.param_groups:
            group["lr"] = rate
        x, targets = scenes.batch(args.batch, mosaic=0.15 if progress < 0.85 else 0.05)
        with torch.autocast("cpu", torch.bfloat16):
            raw = network(x.contiguous(memory_format=torch.channels_last))
        total, parts = loss(raw, network.heads, targets)
        optimizer.zero_grad(set_to_none=True)
        total.backward()
        flat = torch.cat([parameters[n].grad.flatten() for n in names])
        dist.all_reduce(flat)
        flat /= args.processes
        flat *= min(1.0, 10.0 / (float(flat.norm()) + 1e-6))
        at = 0
        for n in names:
            p = parameters[n]
            p.grad.copy_(flat[at:at + p.numel()].view_as(p))
            at += p.numel()
        optimizer.step()
        step, images, sums = step + 1, images + args.batch * args.processes, sums + parts
        if rank:
            continue
        decay = 0.999 * (1 - math.exp(-step / 400))
        with torch.no_grad():
            for n, p in average.named_parameters():
                p.lerp_(parameters[n], 1 - decay)
            for n, b in average.named_buffers():
                b.lerp_(buffers[n], 1 - decay) if b.is_floating_point() else b.copy_(buffers[n])
        if step % 100 == 0:
            speed = 100 * args.batch * args.processes / (time.time() - logged)
            logged = time.time()
            print(f"{datetime.now(timezone.utc):%H:%M:%S} step {step} images {images} {progress:.1%} rate {rate:.5f} "
                  f"box {sums[0] / 300:.3f} obj {sums[1] / 100:.4f} class {sums[2] / 300:.4f} {speed:.0f} images/s", flush=True)
            sums[:] = 0
        if time.time() - saved > args.save_every:
            saved = time.time()
            save(args, network, average, optimizer, step, images, began, busy)
    if rank == 0:
        save(args, network, average, optimizer, step, images, began, busy)
        print(f"done: {step} steps, {images} images, {busy / 60:.0f} minutes", flush=True)


def save(args, network, average, optimizer, step, images, began, busy):
    state = {"network": network.state_dict(), "average": average.state_dict(), "optimizer": optimizer.state_dict(),
             "step": step, "images": images, "began": began, "busy": busy}
    torch.save(state, str(args.checkpoint) + ".part")
    os.replace(str(args.checkpoint) + ".part", args.checkpoint)
    at50, at5095 = validation_map(average, args.validation)
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
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--save-every", type=float, default=240, help="seconds")
    parser.add_argument("--port", type=int, default=29533)
    args = parser.parse_args()
    now = datetime.now(timezone.utc)
    hour, minute = map(int, args.until.split(":"))
    end = now.replace(hour=hour, minute=minute, second=0)
    args.end = (end if end > now else end + timedelta(days=1)).timestamp()
    parameters, macs = cost(Network(args.cfg))
    print(f"{parameters / 1e6:.2f} M parameters, {macs / 1e6:.0f} M multiply-adds, process {os.getpid()}", flush=True)
    context = mp.get_context("spawn")  # this process is rank 0: stop it and the others wait for it
    helpers = [context.Process(target=work, args=(r, args, args.port), daemon=True) for r in range(1, args.processes)]
    for helper in helpers:
        helper.start()
    work(0, args, args.port)


if __name__ == "__main__":
    main()
