"""One worker process per engine and thread count: loads a model once, then answers commands on stdin.

  outputs IN.npy OUT.npz   one run; writes the outputs in order
  time RUNS WARMUP         prints the milliseconds of each run as a JSON list

Run as: engines.py NAME MODEL_PREFIX THREADS [TESSERA_PROGRAM]. Inputs are f32 NCHW.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np


class OnnxRuntime:
    def __init__(self, prefix, threads, _program):
        import onnxruntime
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        self.session = onnxruntime.InferenceSession(prefix + ".onnx", options, providers=["CPUExecutionProvider"])
        self.version = onnxruntime.__version__

    def run(self, x):
        return self.session.run(None, {"input": x})


class OpenVino:
    def __init__(self, prefix, threads, _program):
        import openvino
        core = openvino.Core()
        settings = {"INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": "f32", "PERFORMANCE_HINT": "LATENCY",
                    "NUM_STREAMS": 1}
        self.model = core.compile_model(core.read_model(prefix + ".onnx"), "CPU", settings)
        self.request = self.model.create_infer_request()
        self.version = openvino.__version__.split("-")[0]

    def run(self, x):
        self.request.infer({0: x}, share_inputs=True)
        return [np.array(self.request.get_output_tensor(i).data) for i in range(len(self.model.outputs))]


class Tessera:
    """The program itself: one process per command, its own clock around the run."""

    def __init__(self, prefix, threads, program):
        self.model, self.program, self.threads = prefix + ".tessera", program, str(threads)
        self.version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.split()[-1]

    def run(self, x):
        with tempfile.TemporaryDirectory() as folder:
            np.save(folder + "/x.npy", x)
            command = [self.program, "run", self.model, "--input", folder + "/x.npy", "--output", folder, "--layout",
                       "nchw", "--threads", self.threads, "--json"]
            report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            return [np.load(os.path.join(folder, o["file"])) for o in report["outputs"]]

    def time(self, runs, warmup):
        command = [self.program, "bench", self.model, "--runs", str(runs), "--warmup", str(warmup), "--threads",
                   self.threads, "--json"]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["times_ms"]


ENGINES = {"tessera": Tessera, "onnxruntime": OnnxRuntime, "openvino": OpenVino}


def measure(engine, x, runs, warmup):
    if hasattr(engine, "time"):
        return engine.time(runs, warmup)
    for _ in range(warmup):
        engine.run(x)
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        engine.run(x)
        times.append((time.perf_counter() - start) * 1e3)
    return times


def serve(name, prefix, threads, program):
    x = np.load(prefix + ".npy")
    engine = ENGINES[name](prefix, threads, program)
    print(json.dumps({"version": engine.version}), flush=True)
    for line in sys.stdin:
        command, *args = line.split()
        if command == "outputs":
            np.savez(args[1], *engine.run(np.load(args[0])))
            print("{}", flush=True)
        elif command == "time":
            print(json.dumps(measure(engine, x, int(args[0]), int(args[1]))), flush=True)


if __name__ == "__main__":
    serve(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4] if len(sys.argv) > 4 else None)
