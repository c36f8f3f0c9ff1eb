"""One engine in one process: from a model's file to the first answer, as JSON. The same words as tessera_cost's.

Run as: loading.py ENGINE MODEL.json THREADS. With THREADS 0 it only writes the files that the engine reads.
"""
import json
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "peers"))

import numpy as np

from engines import engine_class


def resident_mib(which):
    with open("/proc/self/status") as file:
        (line,) = [line for line in file if line.startswith(which + ":")]
    return int(line.split()[1]) / 1024


def written_before(engine):
    """ncnn writes its files when it is made; here an earlier process has done so and left the names of the outputs."""
    if not hasattr(engine, "files"):
        return engine

    class Loading(engine):
        def files(self, model):
            with open(names_of(model)) as file:
                self.input, self.names = "input", json.load(file)
            return model["prefix"] + ".ncnn"
    return Loading


def names_of(model):
    return model["prefix"] + ".ncnn.names.json"


def write_files(engine, model):
    made = engine(model, 1)
    if hasattr(engine, "files"):
        with open(names_of(model), "w") as file:
            json.dump(made.names, file)


def main():
    name, path, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with open(path) as file:
        model = json.load(file)
    if threads == 0:
        return write_files(engine_class(name), model)
    kind, x = written_before(engine_class(name)), np.load(model["x"])
    before = resident_mib("VmRSS")
    start = time.perf_counter()
    engine = kind(model, threads)
    loaded = time.perf_counter()
    engine.feed(x)
    fed = time.perf_counter()
    engine.run()
    print(json.dumps({"load_ms": 1e3 * (loaded - start), "first_ms": 1e3 * (time.perf_counter() - fed), "before_mib": before,
                      "peak_mib": resident_mib("VmHWM"), "version": engine.version}))


if __name__ == "__main__":
    main()
