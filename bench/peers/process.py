"""The processes of a comparison: a worker per engine (worker.py), and the program that measures the machine."""
import functools
import json
import os
import select
import subprocess
import sys
import time

import numpy as np

PATIENCE = 900  # seconds for one answer; the slowest engine takes some tens on the largest network

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
        # Answers are single lines, one per question, so nothing of the next one can wait in Python's own buffer.
        if not select.select([self.process.stdout], [], [], PATIENCE)[0]:
            self.process.kill()
            self.close()
            raise Refused(f"no answer to '{doing}' in {PATIENCE} s")
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


def busy_share(seconds=0.3):
    """How much of the processors' time everything on this machine takes now, 0 to 1; None where Linux does not say."""
    def read():
        with open("/proc/stat") as file:
            ticks = [int(t) for t in file.readline().split()[1:]]
        return sum(ticks[:8]), ticks[3] + ticks[4]  # all; idle and waiting for a disk
    try:
        all_before, idle_before = read()
        time.sleep(seconds)
        all_after, idle_after = read()
    except OSError:
        return None
    return 1 - (idle_after - idle_before) / max(1, all_after - all_before)
