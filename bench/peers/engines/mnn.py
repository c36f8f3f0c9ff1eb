"""MNN, precision high (f32), through its session interface; its own converter turns the ONNX file into its format."""
import os

import _tools  # the converter of the MNN package
import MNN
import numpy as np


def convert(model):
    path = model["prefix"] + ".mnn"
    if not os.path.exists(path) or os.path.getmtime(path) < os.path.getmtime(model["onnx"]):
        _tools.mnnconvert(["mnnconvert", "-f", "ONNX", "--modelFile", model["onnx"], "--MNNModel", path, "--bizCode", "bench"])
    if not os.path.exists(path):
        raise RuntimeError("its converter refuses the ONNX file")
    return path


class Mnn:
    def __init__(self, model, threads):
        self.version, self.model = MNN.version(), model
        self.net = MNN.Interpreter(convert(model))
        self.session = self.net.createSession({"backend": "CPU", "numThread": threads, "precision": "high",
                                               "power": "high", "memory": "high"})
        self.input = self.net.getSessionInput(self.session, model["input"])

    def feed(self, x):
        self.x = MNN.Tensor(x.shape, MNN.Halide_Type_Float, x, MNN.Tensor_DimensionType_Caffe)

    def run(self):
        self.input.copyFrom(self.x)  # in every run: a session reuses the memory of its input
        self.net.runSession(self.session)

    def outputs(self):
        return [self.plain(self.net.getSessionOutput(self.session, name)) for name in self.model["outputs"]]

    @staticmethod
    def plain(tensor):
        shape = tensor.getShape()
        host = MNN.Tensor(shape, MNN.Halide_Type_Float, np.zeros(shape, np.float32), MNN.Tensor_DimensionType_Caffe)
        tensor.copyToHostTensor(host)
        return np.array(host.getNumpyData()).reshape(shape)
