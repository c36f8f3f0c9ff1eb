"""OpenCV's own DNN module on the CPU, with the faster of its two engines (OpenCV 5 has a classic and a new one)."""
import time

import cv2
import numpy as np


class OpenCv:
    def __init__(self, model, threads):
        cv2.setNumThreads(threads)
        self.model, self.version = model, cv2.__version__
        engines = {"new": getattr(cv2.dnn, "ENGINE_NEW", None), "classic": getattr(cv2.dnn, "ENGINE_CLASSIC", None)}
        self.nets = {}
        for name, engine in engines.items():
            try:
                self.nets[name] = self.open(engine)
            except cv2.error as error:
                self.refusal = error
        if not self.nets:
            raise self.refusal

    def open(self, engine):
        net = cv2.dnn.readNetFromONNX(self.model["onnx"], *([] if engine is None else [engine]))
        net.setPreferableBackend(cv2.dnn.DNN_BACKEND_OPENCV)
        net.setPreferableTarget(cv2.dnn.DNN_TARGET_CPU)
        return net

    def feed(self, x):
        self.x = x
        times = {name: self.best_of_three(net) for name, net in self.nets.items()}
        chosen = min(times, key=times.get)
        self.net = self.nets[chosen]

    def best_of_three(self, net):
        times = []
        for _ in range(3):
            start = time.perf_counter()
            net.setInput(self.x)
            net.forward(self.model["outputs"])
            times.append(time.perf_counter() - start)
        return min(times)

    def run(self):
        self.net.setInput(self.x)  # without it nothing is computed again
        self.y = self.net.forward(self.model["outputs"])

    def outputs(self):
        return [np.asarray(y) for y in self.y]
