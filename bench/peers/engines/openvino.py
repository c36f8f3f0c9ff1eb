"""OpenVINO, its latency settings in f32; input bound once, outputs left where they are."""
import numpy as np
import openvino


class OpenVino:
    def __init__(self, model, threads):
        core = openvino.Core()
        settings = {"INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": "f32", "PERFORMANCE_HINT": "LATENCY",
                    "NUM_STREAMS": 1}
        self.compiled = core.compile_model(core.read_model(model["onnx"]), "CPU", settings)
        self.request = self.compiled.create_infer_request()
        self.names, self.version = model["outputs"], openvino.__version__.split("-")[0]

    def feed(self, x):
        self.x = openvino.Tensor(x, shared_memory=True)
        self.request.set_input_tensor(self.x)

    def run(self):
        self.request.infer(share_outputs=True)

    def outputs(self):
        return [np.array(self.request.get_tensor(name).data) for name in self.names]
