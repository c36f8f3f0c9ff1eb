"""One process per engine, model and thread count: loads the model once, then answers commands on stdin.

  outputs OUT.npz          two runs; writes the outputs of the second in order (a first one may spoil its input)
  time RUNS WARMUP         the milliseconds of each run, as a JSON list

Run as: worker.py ENGINE MODEL.json THREADS. First line of the answer: {"version": ...} or {"error": reason}.
"""
import json
import os
import sys
import time

import numpy as np

from engines import engine_class


def measure(engine, runs, warmup):
    if hasattr(engine, "time"):
        return engine.time(runs, warmup)
    for _ in range(warmup):
        engine.run()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        engine.run()
        times.append((time.perf_counter() - start) * 1e3)
    return times


def answer(engine, line):
    command, *args = line.split()
    if command == "outputs":
        engine.run()
        engine.run()
        np.savez(args[0], *[np.asarray(y, np.float32) for y in engine.outputs()])
        return {}
    return measure(engine, int(args[0]), int(args[1]))


def start(name, model, threads):
    engine = engine_class(name)(model, threads)
    engine.feed(np.load(model["x"]))
    return engine


def reason(error):
    lines = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {lines[0]}"[:300]


def serve(name, model, threads):
    # Engines print; what they print must not stand between the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    say = lambda value: print(json.dumps(value), file=answers, flush=True)
    try:
        engine = start(name, model, threads)
        say({"version": engine.version})
        for line in sys.stdin:
            say(answer(engine, line))
    except Exception as error:  # whatever an engine raises is its reason not to be in the table
        say({"error": reason(error)})


if __name__ == "__main__":
    with open(sys.argv[2]) as file:
        serve(sys.argv[1], json.load(file), int(sys.argv[3]))
