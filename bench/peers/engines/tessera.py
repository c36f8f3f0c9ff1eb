"""The program itself: one process per command, its own clock around the run."""
import json
import os
import subprocess
import tempfile

import numpy as np


class Tessera:
    def __init__(self, model, threads):
        self.model, self.program, self.threads = model["tessera"], model["program"], str(threads)
        self.version = self.call(["--version"]).split()[-1]

    def call(self, arguments):
        done = subprocess.run([self.program, *arguments], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip().splitlines()[-1])
        return done.stdout

    def feed(self, x):
        self.x = x

    def run(self):
        with tempfile.TemporaryDirectory() as folder:
            np.save(folder + "/x.npy", self.x)
            report = json.loads(self.call(["run", self.model, "--input", folder + "/x.npy", "--output", folder, "--layout",
                                           "nchw", "--threads", self.threads, "--quiet", "--json"]))
            self.y = [np.load(os.path.join(folder, o["file"])) for o in report["outputs"]]

    def outputs(self):
        return self.y

    def time(self, runs, warmup):
        report = json.loads(self.call(["bench", self.model, "--runs", str(runs), "--warmup", str(warmup), "--threads",
                                       self.threads, "--quiet", "--json"]))
        return report["times_ms"]
