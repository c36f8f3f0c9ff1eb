#!/usr/bin/env python3
"""Times Tessera beside other engines on the same networks, after proving that they compute the same thing.

Every engine runs in a process of its own and keeps its model loaded (Tessera is started for each turn and warms up).
Engines take turns, in an order that moves on by one each round; a cell is the median of the rounds' medians and [the
fastest run]. An engine whose outputs differ from ONNX Runtime's by more than 1e-3 of the largest output is not timed.
Before and after each row the machine itself is measured.
"""
import argparse
import json
import os
import platform
import statistics
import sys
import time
import unittest

import numpy as np

import models
import table
from engines import ENGINES
from process import Refused, Worker, busy_share, call_machine

TOLERANCE = 1e-3
TRUTH = "onnxruntime"


def largest_difference(a, b):
    """Relative to the largest output, the worst of all outputs; infinite where the shapes do not even agree."""
    if len(a) != len(b) or any(x.size != y.size for x, y in zip(a, b)):
        return float("inf")
    # not (<=): a NaN must not pass
    worst = [float(np.max(np.abs(x.reshape(-1) - y.reshape(-1))) / np.max(np.abs(y))) for x, y in zip(a, b)]
    return max(worst) if np.all(np.isfinite(worst)) else float("inf")


def start_workers(path, threads, args):
    """One worker per engine that can be had and takes the model; the others' reasons."""
    workers, reasons = {}, {}
    for engine in dict.fromkeys([TRUTH, *args.engines]):
        try:
            workers[engine] = Worker(engine, path, threads)
        except Refused as refused:
            reasons[engine] = str(refused)
    for engine in list(workers):
        try:
            workers[engine].ready()
        except Refused as refused:
            reasons[engine] = str(refused)
            del workers[engine]
    return workers, reasons


def prove(workers, model, row):
    """Fills in the differences; drops the workers whose outputs are not the same."""
    scratch = model["prefix"] + ".out.npz"
    truth = workers[TRUTH].outputs(scratch)
    for engine in list(workers):
        try:
            difference = largest_difference(workers[engine].outputs(scratch), truth)
            row["difference"][engine] = difference
            reason = None if difference <= TOLERANCE else f"off by {difference:.1e}"
        except Refused as refused:
            reason = str(refused)
        if reason:
            row["skipped"][engine] = reason
            workers.pop(engine).close()


def time_in_turns(workers, row, args):
    """{engine: [milliseconds of each run of a round, ...]}, one list per round; an engine that fails on the way is dropped."""
    engines = [e for e in args.engines if e in workers]
    first, rounds = {}, {e: [] for e in engines}

    def turn(e):
        try:
            first.setdefault(e, statistics.median(workers[e].time(2, 1)))
            runs = max(args.least, min(5000, int(args.seconds * 1e3 / first[e])))
            warmup = max(2, min(1000, int(0.3 * args.seconds * 1e3 / first[e])))
            rounds[e].append(workers[e].time(runs, warmup))
        except Refused as refused:
            row["skipped"][e] = str(refused)
            rounds.pop(e)

    for shift in range(args.rounds):
        shift %= max(1, len(engines))
        for e in engines[shift:] + engines[:shift]:
            if e in rounds:
                turn(e)
    return rounds


def summarize(row, rounds, model, args):
    row["medians_ms"] = {e: [statistics.median(r) for r in turns] for e, turns in rounds.items()}
    row["min_ms"] = {e: min(min(r) for r in turns) for e, turns in rounds.items()}
    cells = {e: statistics.median(m) for e, m in row["medians_ms"].items()}
    row["tessera_ms"] = ours = cells.pop("tessera", None)
    row["peers"] = cells
    row["best_peer"] = best = min(cells, key=cells.get) if cells else None
    row["ratio_best_peer"] = cells[best] / ours if ours and best else None
    row["ratio_onnxruntime"] = cells[TRUTH] / ours if ours and TRUTH in cells else None
    row["gflop"] = 2e-9 * model["macs"]
    row["tessera_gflops"] = row["gflop"] / ours * 1e3 if ours else None
    peak = row["machine"]["f32_gflops"].get(str(row["threads"]))
    row["of_peak"] = row["tessera_gflops"] / peak if ours and peak else None


def measure_machine(args, name):
    """What the machine can do now; says so when it is doing something else."""
    busy = busy_share()
    if busy is not None and busy > 0.1:
        print(f"{name}: the machine is {100 * busy:.0f} % busy with other work; the row is worth little", file=sys.stderr)
    return {**call_machine(args.machine), "busy": busy}


def both(before, after):
    """What the machine could do around a row: the higher rate, both round trips."""
    peaks = {t: max(g, after["f32_gflops"][t]) for t, g in before["f32_gflops"].items()}
    return {"f32_gflops": peaks, "roundtrip_ns": [before["roundtrip_ns"], after["roundtrip_ns"]],
            "busy": [before["busy"], after["busy"]]}


def compare_model(name, threads, args):
    path, model = models.prepare(name, args.folder, os.path.abspath(args.tessera))
    before = measure_machine(args, name)
    workers, reasons = start_workers(path, threads, args)
    row = {"model": name, "precision": "f32", "threads": threads, "difference": {}, "skipped": reasons,
           "versions": {e: w.version for e, w in workers.items()}}
    if TRUTH not in workers:
        for worker in workers.values():
            worker.close()
        raise Refused(f"{TRUTH}, which the others are held against: {reasons[TRUTH]}")
    prove(workers, model, row)
    rounds = time_in_turns(workers, row, args)
    for worker in workers.values():
        worker.close()
    row["machine"] = both(before, measure_machine(args, name))
    summarize(row, rounds, model, args)
    return row


class Progress:
    """One line per row on stderr, with the time that the rest will take if it goes on as so far."""

    def __init__(self, jobs, args):
        self.left, self.args, self.start, self.done = list(jobs), args, time.monotonic(), 0.0

    def weight(self, job):
        """Seconds, roughly: turns are as long as asked for, or as `least` runs of a large network."""
        name, threads = job
        large = any(size in name for size in ("yolov4_", "yolov4leaky"))
        turn = max(self.args.seconds * 1.3, (self.args.least + 2) * (1.0 if large else 0.1) / threads)
        return 5 + len(self.args.engines) * (self.args.rounds * turn + 0.5)

    def next(self, job):
        elapsed, left = time.monotonic() - self.start, sum(map(self.weight, self.left))
        pace = elapsed / self.done if self.done else 1.0
        print(f"{job[0]}, {job[1]} threads: {len(self.left)} rows to go, about {pace * left / 60:.0f} min", file=sys.stderr)
        self.left.remove(job)
        self.done += self.weight(job)


def call_cost(args):
    """Microseconds of a network of one multiplication: the fixed cost of a call, Python's share included."""
    row = compare_model("call", 1, argparse.Namespace(**{**vars(args), "rounds": 1, "seconds": 0.1}))
    return {e: round(1e3 * min(m), 2) for e, m in row["medians_ms"].items()}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    listed = lambda kind: lambda text: [kind(t) for t in text.split(",")]
    parser.add_argument("models", nargs="*", metavar="MODEL", help=f"default: all of {' '.join(models.ALL)}")
    parser.add_argument("--threads", type=listed(int), help="default 1,2, or 1 where there is one processor")
    parser.add_argument("--engines", default=list(ENGINES), type=listed(str), help=f"default {','.join(ENGINES)}")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="timed seconds per engine and round")
    parser.add_argument("--least", type=int, default=5, help="timed runs per engine and round, however slow")
    parser.add_argument("--quick", action="store_true",
                        help=f"the self-test, then a smoke run: {' '.join(models.QUICK)}, one short round")
    parser.add_argument("--markdown", metavar="FILE", help="also write the table as Markdown; - for stdout, in its place")
    parser.add_argument("--json", metavar="FILE", help="also write everything as JSON; - for stdout, in place of the table")
    parser.add_argument("--tessera", default="build-release/tessera", help="the program to measure")
    parser.add_argument("--machine", default="build-release/bench/peers/tessera_machine", help="what measures the machine")
    parser.add_argument("--folder", default="build-release/peers", help="where model files are written")
    args = parser.parse_args()
    for known, given in ((models.ALL, args.models), (ENGINES, args.engines)):
        if unknown := [g for g in given if g not in known]:
            parser.error(f"'{unknown[0]}' is not known; want {', '.join(known)}")
    if args.quick:
        args.rounds, args.seconds, args.least = 1, 0.05, 2
    args.models = args.models or (models.QUICK if args.quick else models.ALL)
    args.threads = args.threads or ([1, 2] if len(os.sched_getaffinity(0)) > 1 and not args.quick else [1])
    return args


def main():
    args = parse_arguments()
    if args.quick:
        checks = unittest.defaultTestLoader.loadTestsFromName("selftest")
        if not unittest.TextTestRunner(sys.stderr).run(checks).wasSuccessful():
            return 1
    os.makedirs(args.folder, exist_ok=True)
    report = {"rows": [], "absent": {}, "versions": {}, "call_us": call_cost(args), "machine": {
        **call_machine(args.machine), "host": platform.node(), "date": time.strftime("%Y-%m-%d %H:%M")}}
    output = table.Output(args, report)
    jobs = [(name, threads) for name in args.models for threads in args.threads]
    progress = Progress(jobs, args)
    for job in jobs:
        progress.next(job)
        if job[0] in report["absent"]:
            continue
        try:
            row = compare_model(*job, args)
        except (models.Absent, Refused) as why:
            report["absent"][job[0]] = str(why)
            print(f"{job[0]}: not compared: {why}", file=sys.stderr)
            continue
        for engine, reason in row["skipped"].items():
            print(f"{job[0]}: {engine} not timed: {reason}", file=sys.stderr)
        report["versions"].update(row["versions"])
        report["rows"].append(row)
        output.row(row)
    output.end()
    return 0 if report["rows"] else 1


if __name__ == "__main__":
    sys.exit(main())
