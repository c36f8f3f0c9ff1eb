#!/usr/bin/env python3
"""Times Tessera beside other engines on the same networks, after proving that they compute the same thing.

Rounds are interleaved (A B C, A B C, ...); a cell is the median of the rounds' medians with [min .. max] of them.
An engine whose outputs differ from ONNX Runtime's by more than 1e-3 of the largest output is not timed.
"""
import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import networks
from write_native import write_native
from write_onnx import write_onnx

TOLERANCE = 1e-3


class Worker:
    def __init__(self, engine, prefix, threads, program):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "engines.py")
        self.process = subprocess.Popen([sys.executable, script, engine, prefix, str(threads), program],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.version = json.loads(self.process.stdout.readline())["version"]

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"the worker ended during '{line}'")
        return json.loads(answer)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def prepare(name, folder):
    """Writes the model files and the input once; returns their common prefix."""
    prefix = os.path.join(folder, name)
    if not os.path.exists(prefix + ".npy"):
        network = networks.make(name)
        write_onnx(network, prefix + ".onnx")
        write_native(network, prefix + ".tessera")
        x = np.random.default_rng(7).random((1, *network.input_shape), dtype=np.float32)
        np.save(prefix + ".npy", x)
    return prefix


def largest_difference(a, b):
    if len(a) != len(b):
        return float("inf")
    return max(float(np.max(np.abs(x.reshape(-1) - y.reshape(-1))) / np.max(np.abs(y))) for x, y in zip(a, b))


def outputs_of(worker, prefix):
    path = prefix + ".out.npz"
    worker.ask(f"outputs {prefix}.npy {path}")
    arrays = np.load(path)
    return [arrays[k] for k in arrays.files]


def compare_model(name, threads, args):
    prefix = prepare(name, args.folder)
    workers = {engine: Worker(engine, prefix, threads, args.tessera) for engine in args.engines}
    truth = outputs_of(workers["onnxruntime"], prefix)
    differences = {e: largest_difference(outputs_of(w, prefix), truth) for e, w in workers.items()}
    row = {"model": name, "precision": "f32", "threads": threads, "difference": differences,
           "versions": {e: w.version for e, w in workers.items()}, "medians_ms": {}}
    equal = [e for e in workers if differences[e] <= TOLERANCE]
    for e in set(workers) - set(equal):
        print(f"{name}: {e} is off by {differences[e]:.2e}: not timed", file=sys.stderr)
    first = {e: statistics.median(workers[e].ask("time 3 2")) for e in equal}
    medians = {e: [] for e in equal}
    for _ in range(args.rounds):
        for e in equal:
            runs = max(5, min(400, int(args.seconds * 1e3 / first[e])))
            medians[e].append(statistics.median(workers[e].ask(f"time {runs} {max(1, runs // 10)}")))
    for w in workers.values():
        w.close()
    row["medians_ms"] = medians
    row["tessera_ms"] = statistics.median(medians["tessera"]) if "tessera" in medians else None
    row["peers"] = {e: statistics.median(m) for e, m in medians.items() if e != "tessera"}
    row["ratio_best_peer"] = min(row["peers"].values()) / row["tessera_ms"] if row["tessera_ms"] else None
    row["ratio_onnxruntime"] = row["peers"]["onnxruntime"] / row["tessera_ms"] if row["tessera_ms"] else None
    return row


def print_row(row, engines):
    cells = []
    for e in engines:
        m = row["medians_ms"].get(e)
        cells.append(f"{statistics.median(m):9.3f} [{min(m):.3f} .. {max(m):.3f}]" if m else "differs")
    ratio = f"{row['ratio_onnxruntime']:.2f} {row['ratio_best_peer']:.2f}" if row["ratio_onnxruntime"] else "-"
    print(f"{row['model']:16s} {row['threads']}  " + "  ".join(f"{c:>30s}" for c in cells) + f"  {ratio}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=list(networks.NETWORKS), help="default: all of networks.py")
    parser.add_argument("--tessera", default="build-release/tessera", help="the program to measure")
    parser.add_argument("--folder", default="build-release/peers", help="where model files are written")
    parser.add_argument("--engines", default="tessera,onnxruntime,openvino", type=lambda s: s.split(","))
    parser.add_argument("--threads", default="1,2", type=lambda s: [int(t) for t in s.split(",")])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="timed seconds per engine and round")
    parser.add_argument("--json", metavar="FILE", help="also write {\"rows\": [...]}")
    args = parser.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    rows = []
    print(f"{platform.node()} {time.strftime('%Y-%m-%d')}: median of round medians, ms [min .. max]; "
          "last: ONNX Runtime / Tessera, best peer / Tessera")
    print(f"{'model':16s} t  " + "  ".join(f"{e:>30s}" for e in args.engines))
    for name in args.models:
        for threads in args.threads:
            rows.append(compare_model(name, threads, args))
            print_row(rows[-1], args.engines)
            if args.json:
                with open(args.json, "w") as file:
                    json.dump({"rows": rows}, file, indent=1)


if __name__ == "__main__":
    main()
