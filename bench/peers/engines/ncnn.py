"""ncnn in f32 with its convolution choices and packed layouts on, and the pool allocators of its own benchmark.

Its files are written from the list of layers; a published ONNX file goes through its own converter, pnnx.
"""
import importlib.util
import os
import shutil
import subprocess

import ncnn
import numpy as np

from layers import load
from write_ncnn import write_ncnn


def convert(model):
    """Runs pnnx, the program inside the package of that name (the package itself wants PyTorch); returns the common prefix."""
    spec = importlib.util.find_spec("pnnx")
    if not spec:
        raise RuntimeError("no pnnx here to convert the ONNX file")
    prefix = model["prefix"] + ".pnnx"
    shape = ",".join(map(str, model["shape"]))
    copy = shutil.copy(model["onnx"], prefix + ".onnx")  # pnnx writes beside its input, which is not ours
    subprocess.run([os.path.join(os.path.dirname(spec.origin), "pnnx"), os.path.abspath(copy), f"inputshape=[{shape}]",
                    "fp16=0", f"ncnnparam={prefix}.param", f"ncnnbin={prefix}.bin",
                    *(f"{other}={os.devnull}" for other in ("pnnxparam", "pnnxbin", "pnnxpy", "pnnxonnx", "ncnnpy"))],
                   check=True, stdout=subprocess.DEVNULL)
    with open(prefix + ".param") as file:
        foreign = {line.split()[0] for line in file if "." in line.split()[0]}
    if foreign:
        raise RuntimeError(f"pnnx leaves {', '.join(sorted(foreign))}, which ncnn does not have")
    return prefix


class Ncnn:
    def __init__(self, model, threads):
        self.version = ncnn.__version__
        self.net = ncnn.Net()
        self.allocators = ncnn.UnlockedPoolAllocator(), ncnn.PoolAllocator()
        self.set_options(self.net.opt, threads)
        prefix = self.files(model)
        if self.net.load_param(prefix + ".param") != 0 or self.net.load_model(prefix + ".bin") != 0:
            raise RuntimeError("ncnn refuses the model")

    def set_options(self, opt, threads):
        opt.num_threads = threads
        opt.use_vulkan_compute = False
        opt.use_winograd_convolution = opt.use_sgemm_convolution = opt.use_packing_layout = True
        opt.use_fp16_packed = opt.use_fp16_storage = opt.use_fp16_arithmetic = opt.use_bf16_storage = False
        opt.blob_allocator, opt.workspace_allocator = self.allocators

    def files(self, model):
        if model["layers"]:
            prefix, self.input = model["prefix"] + ".ncnn", "input"
            self.names = write_ncnn(load(model["layers"]), prefix)
            return prefix
        self.input, self.names = "in0", [f"out{i}" for i in range(len(model["outputs"]))]  # as pnnx calls them
        return convert(model)

    def feed(self, x):
        self.mat = ncnn.Mat(np.ascontiguousarray(x[0])).clone()

    def run(self):
        extractor = self.net.create_extractor()
        extractor.input(self.input, self.mat)
        self.mats = [extractor.extract(name)[1] for name in self.names]

    def outputs(self):
        return [np.array(mat) for mat in self.mats]
