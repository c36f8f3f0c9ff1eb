"""A Network as ncnn's text .param and f32 .bin, written as its own optimiser would: activations fused, no f16 weights.

A .param line is: type, name, number of inputs and outputs, their names, then id=value; arrays have ids -23300 - id. Every
output may be read once, so a Split stands behind a value with several readers.
"""
import numpy as np

_ACTIVATIONS = {"linear": "", "relu": " 9=1", "leaky": " 9=2 -23310=1,0.1", "mish": " 9=5", "silu": ""}


class _Writer:
    def __init__(self, network):
        self.network, self.lines, self.blobs, self.bin = network, [], 0, bytearray()
        readers = [x for layer in network.layers for x in layer.inputs]
        self.readers = {x: readers.count(x) + network.outputs.count(x) for x in network.shapes}
        self.taken = dict.fromkeys(network.shapes, 0)
        self.slices = self.whole_slices()

    def whole_slices(self):
        """Inputs whose slices cover them without a gap: these become one Slice, as a converter would write it."""
        by_input = {}
        for layer in self.network.layers:
            if layer.op == "slice":
                by_input.setdefault(layer.inputs[0], []).append(layer)
        covered = lambda x, slices: (sum(s.attrs["count"] for s in slices) == self.network.shapes[x][0] and
                                     [s.attrs["begin"] for s in slices] == sorted({s.attrs["begin"] for s in slices}))
        return {x: slices for x, slices in by_input.items() if len(slices) > 1 and covered(x, slices)}

    def line(self, kind, name, inputs, outputs, parameters=""):
        self.blobs += len(outputs)
        self.lines.append(f"{kind} {name} {len(inputs)} {len(outputs)} {' '.join([*inputs, *outputs])}{parameters}")

    def define(self, kind, name, inputs, parameters=""):
        """The layer that computes the value `name`, with a Split behind it if several read it."""
        self.line(kind, name, inputs, [name], parameters)
        self.split(name)

    def split(self, name):
        if self.readers[name] > 1:
            self.line("Split", name + "_split", [name], [f"{name}_{i}" for i in range(self.readers[name])])

    def read(self, name):
        """The blob from which the next reader of the value takes it."""
        if self.readers[name] == 1:
            return name
        self.taken[name] += 1
        return f"{name}_{self.taken[name] - 1}"

    def weights(self, layer):
        # A weight array begins with a tag, 0 for plain f32; a bias has none.
        self.bin += np.uint32(0).tobytes() + np.ascontiguousarray(layer.weights, "<f4").tobytes()
        self.bin += np.ascontiguousarray(layer.bias, "<f4").tobytes()

    def with_activation(self, kind, layer, inputs, parameters):
        """A layer with weights; ncnn fuses all activations but SiLU, which is a layer of its own."""
        act = layer.attrs["act"]
        self.weights(layer)
        parameters += _ACTIVATIONS[act]
        if act != "silu":
            return self.define(kind, layer.name, inputs, parameters)
        self.line(kind, layer.name + "_raw", inputs, [layer.name + "_raw"], parameters)
        self.define("Swish", layer.name, [layer.name + "_raw"])

    def conv(self, layer, inputs):
        a, groups = layer.attrs, layer.attrs["groups"]
        (kh, kw), (ph, pw) = a["kernel"], a["pad"]
        parameters = (f" 0={layer.shape[0]} 1={kw} 11={kh} 3={a['stride']} 4={pw} 14={ph} 5=1 6={layer.weights.size}" +
                      (f" 7={groups}" if groups > 1 else ""))
        self.with_activation("ConvolutionDepthWise" if groups > 1 else "Convolution", layer, inputs, parameters)

    def slice(self, layer, inputs):
        begin, count, whole = layer.attrs["begin"], layer.attrs["count"], self.slices.get(layer.inputs[0])
        if not whole:
            bounds = f" -23309=1,{begin} -23310=1,{begin + count} -23311=1,0"
            self.define("Crop", layer.name, inputs, bounds)
        elif layer is whole[0]:
            sizes = ",".join(str(s.attrs["count"]) for s in whole)
            self.line("Slice", layer.name, inputs, [s.name for s in whole], f" -23300={len(whole)},{sizes} 1=0")
            for s in whole:
                self.split(s.name)

    def layer(self, layer):
        a = layer.attrs
        whole = self.slices.get(layer.inputs[0]) if layer.op == "slice" else None
        inputs = [] if whole and layer is not whole[0] else [self.read(x) for x in layer.inputs]
        if layer.op == "conv":
            self.conv(layer, inputs)
        elif layer.op == "fc":
            parameters = f" 0={layer.shape[0]} 1=1 2={layer.weights.size}"
            self.with_activation("InnerProduct", layer, inputs, parameters)
        elif layer.op == "add":
            self.define("BinaryOp" if len(inputs) == 2 else "Eltwise", layer.name, inputs,
                        " 0=0" if len(inputs) == 2 else " 0=1")
        elif layer.op == "concat":
            self.define("Concat", layer.name, inputs, " 0=0")
        elif layer.op == "slice":
            self.slice(layer, inputs)
        elif layer.op == "maxpool":
            before, after = a["pad"]
            self.define("Pooling", layer.name, inputs, f" 0=0 1={a['size']} 2={a['stride']} 3={before} 13={before} "
                        f"14={after} 15={after} 5=1")
        elif layer.op == "upsample":
            self.define("Interp", layer.name, inputs, " 0=1 1=2.0 2=2.0")
        elif layer.op == "global_average_pool":
            self.define("Pooling", layer.name, inputs, " 0=1 4=1")
        else:
            raise ValueError(f"{layer.name}: no ncnn form for '{layer.op}'")


def write_ncnn(network, prefix):
    """Writes prefix.param and prefix.bin; returns the names of the blobs to extract, in the order of the outputs."""
    writer = _Writer(network)
    c, h, w = network.input_shape
    for slices in writer.slices.values():  # one Slice reads what several layers of the list read
        writer.readers[slices[0].inputs[0]] -= len(slices) - 1
    writer.define("Input", "input", [], f" 0={w} 1={h} 2={c}")
    for layer in network.layers:
        writer.layer(layer)
    with open(prefix + ".param", "w") as file:
        file.write("\n".join(["7767517", f"{len(writer.lines)} {writer.blobs}", *writer.lines, ""]))
    with open(prefix + ".bin", "wb") as file:
        file.write(writer.bin)
    return [writer.read(x) for x in network.outputs]
