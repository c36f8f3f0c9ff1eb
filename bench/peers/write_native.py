"""A Network as Tessera's native file (docs/native-format.md)."""
import zlib

import numpy as np


class _Writer:
    def __init__(self, network):
        self.network, self.lines, self.constants = network, [], []

    def constant(self, array):
        self.constants.append(np.ascontiguousarray(array, "<f4"))
        return len(self.constants) - 1

    def conv(self, layer, weights, kernel, stride=1, pad=(0, 0), groups=1):
        act = {"leaky": "leaky:0.1"}.get(layer.attrs["act"], layer.attrs["act"])
        return (f"conv oc={layer.shape[0]} kernel={kernel[0]},{kernel[1]} stride={stride},{stride} groups={groups} "
                f"pad={pad[0]},{pad[1]},{pad[0]},{pad[1]} weights={self.constant(weights)} "
                f"bias={self.constant(layer.bias)} act={act}")

    def operator(self, layer):
        a = layer.attrs
        if layer.op == "conv":
            return self.conv(layer, layer.weights, a["kernel"], a["stride"], a["pad"], a["groups"])
        if layer.op == "fc":  # over CHW order: a convolution with a kernel as large as its input
            c, h, w = self.network.shapes[layer.inputs[0]]
            return self.conv(layer, layer.weights.reshape(layer.shape[0], c, h, w), (h, w))
        if layer.op == "maxpool":
            before, after = a["pad"]
            return (f"pool kind=max kernel={a['size']},{a['size']} stride={a['stride']},{a['stride']} "
                    f"pad={before},{before},{after},{after}")
        if layer.op == "slice":
            return f"slice begin={a['begin']} count={a['count']}"
        if layer.op in ("add", "concat", "upsample", "global_average_pool"):
            return layer.op
        raise ValueError(f"{layer.name}: no native form for '{layer.op}'")

    def header(self):
        c, h, w = self.network.input_shape
        lines = [f"model name={self.network.name}", f"input name=input shape=1,{h},{w},{c}"]
        for layer in self.network.layers:
            lines.append(f"{self.operator(layer)} name={layer.name} inputs={','.join(layer.inputs)}")
        lines.append(f"graph inputs=input outputs={','.join(self.network.outputs)}")
        return lines


def write_native(network, path):
    writer = _Writer(network)
    lines = writer.header()
    blob = bytearray()
    for index, array in enumerate(writer.constants):
        blob += bytes(-len(blob) % 64)
        lines.append(f"constant index={index} type=f32 offset={len(blob)} count={array.size}")
        blob += array.tobytes()
    lines.append(f"blob bytes={len(blob)} crc32={zlib.crc32(blob):08x}")
    header = "\n".join(["tessera-model 1", *lines, ""]).encode()
    header += f"end crc32={zlib.crc32(header):08x}\n".encode()
    header += b"\n" * (-len(header) % 64)
    with open(path, "wb") as file:
        file.write(header + blob)
