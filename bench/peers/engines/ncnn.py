"""ncnn in f32 with its convolution choices and packed layouts on, and the pool allocators of its own benchmark."""

import ncnn
import numpy as np

from layers import load
from write_ncnn import write_ncnn


class Ncnn:
    def __init__(self, model, threads):
        self.version = ncnn.__version__
        self.net = ncnn.Net()
        self.allocators = ncnn.UnlockedPoolAllocator(), ncnn.PoolAllocator()
        self.set_options(self.net.opt, threads)
        prefix = model["prefix"] + ".ncnn"
        self.input, self.names = self.files(model, prefix)
        if self.net.load_param(prefix + ".param") != 0 or self.net.load_model(prefix + ".bin") != 0:
            raise RuntimeError("ncnn refuses the model")

    def set_options(self, opt, threads):
        opt.num_threads = threads
        opt.use_vulkan_compute = False
        opt.use_winograd_convolution = opt.use_sgemm_convolution = opt.use_packing_layout = True
        opt.use_fp16_packed = opt.use_fp16_storage = opt.use_fp16_arithmetic = opt.use_bf16_storage = False
        opt.blob_allocator, opt.workspace_allocator = self.allocators

    @staticmethod
    def files(model, prefix):
        if not model["layers"]:
            raise RuntimeError("no list of layers to write its files from")
        return "input", write_ncnn(load(model["layers"]), prefix)

    def feed(self, x):
        self.mat = ncnn.Mat(np.ascontiguousarray(x[0])).clone()

    def run(self):
        extractor = self.net.create_extractor()
        extractor.input(self.input, self.mat)
        self.mats = [extractor.extract(name)[1] for name in self.names]

    def outputs(self):
        return [np.array(mat) for mat in self.mats]
