"""A Network as an ONNX file, opset 13. Mish is written as exporters do: Softplus, Tanh, Mul."""
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


class _Writer:
    def __init__(self, network):
        self.network, self.nodes, self.initializers = network, [], []

    def constant(self, name, array):
        self.initializers.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def node(self, op, inputs, output, **attrs):
        self.nodes.append(helper.make_node(op, inputs, [output], name=f"n_{output}", **attrs))
        return output

    def activated(self, x, act, output):
        """Appends `act` over the value x; the result is called `output`."""
        if act == "relu":
            self.node("Relu", [x], output)
        elif act == "leaky":
            self.node("LeakyRelu", [x], output, alpha=0.1)
        elif act == "silu":
            self.node("Mul", [x, self.node("Sigmoid", [x], output + "_s")], output)
        elif act == "mish":
            tanh = self.node("Tanh", [self.node("Softplus", [x], output + "_p")], output + "_t")
            self.node("Mul", [x, tanh], output)

    def layer(self, l):
        act = l.attrs.get("act", "linear")
        raw = l.name if act == "linear" else l.name + "_raw"
        if l.op == "conv":
            kernel, (ph, pw), stride = l.attrs["kernel"], l.attrs["pad"], l.attrs["stride"]
            self.node("Conv", [l.inputs[0], self.constant(l.name + "_w", l.weights), self.constant(l.name + "_b", l.bias)],
                      raw, kernel_shape=list(kernel), strides=[stride, stride], pads=[ph, pw, ph, pw], group=l.attrs["groups"])
        elif l.op == "fc":
            flat = self.node("Flatten", l.inputs, l.name + "_flat", axis=1)
            gemm = [flat, self.constant(l.name + "_w", l.weights), self.constant(l.name + "_b", l.bias)]
            two_d = self.node("Gemm", gemm, l.name + "_2d", transB=1)
            shape = self.constant(l.name + "_shape", np.array([1, *l.shape], np.int64))
            self.node("Reshape", [two_d, shape], raw)
        elif l.op == "add":
            self.node("Add" if len(l.inputs) == 2 else "Sum", l.inputs, raw)
        elif l.op == "concat":
            self.node("Concat", l.inputs, raw, axis=1)
        elif l.op == "slice":
            begin, count = l.attrs["begin"], l.attrs["count"]
            bounds = [self.constant(f"{l.name}_{k}", np.array([v], np.int64))
                      for k, v in (("begin", begin), ("end", begin + count), ("axis", 1))]
            self.node("Slice", l.inputs + bounds, raw)
        elif l.op == "maxpool":
            size, stride, (before, after) = l.attrs["size"], l.attrs["stride"], l.attrs["pad"]
            self.node("MaxPool", l.inputs, raw, kernel_shape=[size] * 2, strides=[stride] * 2,
                      pads=[before, before, after, after])
        elif l.op == "upsample":
            scales = self.constant(l.name + "_scales", np.array([1, 1, 2, 2], np.float32))
            self.node("Resize", [l.inputs[0], "", scales], raw, mode="nearest", nearest_mode="floor",
                      coordinate_transformation_mode="asymmetric")
        elif l.op == "global_average_pool":
            self.node("GlobalAveragePool", l.inputs, raw)
        else:
            raise ValueError(f"{l.name}: no ONNX form for '{l.op}'")
        self.activated(raw, act, l.name)


def write_onnx(network, path):
    writer = _Writer(network)
    for layer in network.layers:
        writer.layer(layer)
    value = lambda n: helper.make_tensor_value_info(n, TensorProto.FLOAT, [1, *network.shapes[n]])
    graph = helper.make_graph(writer.nodes, network.name, [value("input")], [value(o) for o in network.outputs],
                              writer.initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], producer_name="tessera-bench-peers")
    model.ir_version = 8
    onnx.save(model, path)
