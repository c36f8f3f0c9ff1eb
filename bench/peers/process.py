"""The processes of a comparison: a worker per engine (worker.py), and the program that measures the machine."""
import functools
import json
import os
import subprocess
import sys

import numpy as np

_FOLDER = os.path.dirname(os.path.abspath(__file__))


class Refused(Exception):
    """An engine or a model that is not compared; the text is the reason."""


@functools.cache
def interpreter(engine):
    """The Python that has the engine: this one, but PyTorch, which is large, may be in $PEERS_PYTHON or the system's."""
    if engine != "torch":
        return sys.executable
    for python in (os.environ.get("PEERS_PYTHON"), sys.executable, "/usr/bin/python3"):
        if python and subprocess.run([python, "-c", "import torch, numpy"], capture_output=True).returncode == 0:
            return python
    raise Refused("no Python here can import torch; README.md says where to get it")


class Worker:
    """Made at once; ready() waits until its model is loaded, so that several load beside each other."""

    def __init__(self, engine, model_path, threads):
        self.engine = engine
        command = [interpreter(engine), os.path.join(_FOLDER, "worker.py"), engine, model_path, str(threads)]
        environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        text=True, env=environment)

    def ready(self):
        self.version = self.read("start")["version"]

    def read(self, doing):
        line = self.process.stdout.readline()
        answer = json.loads(line) if line else {"error": f"its process ended during '{doing}'"}
        if isinstance(answer, dict) and "error" in answer:
            self.close()
            raise Refused(answer["error"])
        return answer

    def ask(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # read() says so
        return self.read(line.split()[0])

    def outputs(self, path):
        self.ask(f"outputs {path}")
        arrays = np.load(path)
        return [arrays[k] for k in arrays.files]

    def time(self, runs, warmup):
        return self.ask(f"time {runs} {warmup}")

    def close(self):
        if not self.process.stdin.closed:
            self.process.stdin.close()
        self.process.wait()


def call_machine(program):
    return json.loads(subprocess.run([program], check=True, capture_output=True, text=True).stdout)
