#!/usr/bin/env python3
"""What a whole program pays: load time, peak memory, size of the binaries, and how time grows with input size, batch and threads.

Each figure comes from a process of its own; engines and points take turns. Files are in the system's cache (an untimed turn
goes before). Let nothing else run on the machine.
"""
import argparse
import glob
import json
import mmap
import os
import platform
import re
import statistics
import subprocess
import sys
import time

_FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(_FOLDER, "..", "peers"))

import binaries
import growth
import models
import tables
from plot import svg

LOADED = "yolov4_416"  # 245 MiB of weights
PEERS = ("onnxruntime", "ncnn")
TOUCHED_BYTES = 2 << 30


def answer(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{os.path.basename(command[0])}: {(done.stderr.strip().splitlines() or ['no reason'])[-1]}")
    return json.loads(done.stdout.strip().splitlines()[-1])  # engines print, too


class Tessera:
    """One run of tessera_cost."""

    def __init__(self, program):
        self.program = program

    def __call__(self, model, size=0, batch=1, threads=1, seconds=0.0, cache=None):
        return answer([self.program, model, *map(str, (size, batch, threads, seconds)), *([cache] if cache else [])])


def touch_memory():
    """Writes to more memory than any engine takes, and frees it.

    A virtual machine may give memory that has been free for two seconds back to its host (Linux: page_reporting); whoever
    touches it next waits for the host, for longer than loading takes. All engines find it as a busy machine would have it.
    """
    with mmap.mmap(-1, TOUCHED_BYTES, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
        memory.madvise(mmap.MADV_HUGEPAGE)  # whole blocks, which are what is given back
        memory[:: mmap.PAGESIZE] = b"\1" * (TOUCHED_BYTES // mmap.PAGESIZE)


def cache_anew(paths):
    """Takes files out of the system's cache and reads them again.

    What was written in small pieces lies there in small pages, wherever there was room, and may be read at a third of the
    speed. After this every engine's files lie as reading puts them.
    """
    for path in paths:
        with open(path, "rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            while file.read(1 << 24):
                pass


def loads(tessera, model, path, rounds, cache):
    """{row: [figures of a turn, ...]}; load_ms is until the engine is ready to run."""
    script = os.path.join(_FOLDER, "loading.py")
    peer = lambda engine, threads: [sys.executable, script, engine, path, str(threads)]
    for engine in PEERS:
        subprocess.run(peer(engine, 0), check=True, capture_output=True)
    turns = {"tessera": lambda: tessera(model["tessera"]), "tessera, packed weights cached": lambda: tessera(model["tessera"], cache=cache),
             "tessera, ONNX file": lambda: tessera(model["onnx"]),
             **{engine: lambda engine=engine: answer(peer(engine, 1)) for engine in PEERS}}
    figures = {name: [] for name in turns}
    for turn in range(rounds + 1):
        if turn == 1:  # all files are there
            cache_anew(glob.glob(model["prefix"] + ".*") + glob.glob(os.path.join(cache, "*")))
        for name, measure in turns.items():
            touch_memory()
            one = measure()
            one["ready_ms"] = one["load_ms"] + one.get("plan_ms", 0)
            if turn > 0:
                figures[name].append(one)
    return figures


def measure(args):
    report = {"date": time.strftime("%Y-%m-%d %H:%M"), "host": platform.machine(), "rounds": args.rounds}
    report["machine"] = answer([args.machine])
    prepare = lambda name: models.prepare(name, args.folder, os.path.abspath(args.tessera))
    tessera = Tessera(args.cost)
    if "load" in args.parts:
        path, model = prepare(LOADED)
        report["load"] = {"model": LOADED, "weights_bytes": os.path.getsize(model["tessera"]),
                          "figures": loads(tessera, model, path, args.rounds, os.path.join(args.folder, "packed"))}
    if "size" in args.parts:
        report["binaries"] = binaries.sizes(args.build)
    if "growth" in args.parts:
        report["growth"] = growth.measure(tessera, lambda name: prepare(name)[1]["tessera"], args.rounds, args.seconds, args.quick)
    return report


def between_marks(page, part, text):
    """The page with `text` between <!-- cost:part --> and <!-- end -->."""
    pattern = re.compile(rf"(<!-- cost:{part} -->\n).*?(<!-- end -->)", re.DOTALL)
    changed, count = pattern.subn(lambda found: found[1] + text + found[2], page)
    if count != 1:
        raise SystemExit(f"want one place '<!-- cost:{part} -->' ... '<!-- end -->', found {count}")
    return changed


def write(args, report):
    texts = tables.markdown(report)
    print("\n".join(texts.values()), end="")
    if args.json:
        with open(args.json, "w") as file:
            file.write(json.dumps(report, indent=1) + "\n")
    if args.svg and "growth" in report:
        with open(args.svg, "w") as file:
            file.write(svg(growth.panels(report["growth"])))
    if args.docs:
        with open(args.docs) as file:
            page = file.read()
        for part, text in texts.items():
            page = between_marks(page, part, text)
        with open(args.docs, "w") as file:
            file.write(page)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help="load, size, growth; default: all")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="timed seconds per point of growth and round, three runs at least")
    parser.add_argument("--quick", action="store_true", help="one round, few points: does it run at all")
    parser.add_argument("--json", metavar="FILE", help="everything, every turn")
    parser.add_argument("--svg", metavar="FILE", help="the plot of growth")
    parser.add_argument("--docs", metavar="PAGE.md", help="puts the tables between the page's marks")
    parser.add_argument("--from", dest="given", metavar="FILE.json", help="measures nothing: tables and plot of an earlier run")
    parser.add_argument("--build", default="build-release")
    parser.add_argument("--folder", default="build-release/peers", help="where model files are written")
    args = parser.parse_args()
    if unknown := set(args.parts) - {"load", "size", "growth"}:
        parser.error(f"'{unknown.pop()}' is not known; want load, size, growth")
    args.parts = args.parts or ["load", "size", "growth"]
    args.tessera = os.path.join(args.build, "tessera")
    args.cost = os.path.join(args.build, "bench/cost/tessera_cost")
    args.machine = os.path.join(args.build, "bench/peers/tessera_machine")
    if args.quick:
        args.rounds, args.seconds = 1, 0.02
    return args


def main():
    args = parse_arguments()
    os.makedirs(args.folder, exist_ok=True)
    if args.given:
        with open(args.given) as file:
            report = json.load(file)
    else:
        report = measure(args)
    write(args, report)


if __name__ == "__main__":
    main()
