"""Tiny ONNX files without any package: the protobuf wire format of the few fields that the tests need.

Field numbers are those of onnx.proto: ModelProto ir_version 1, graph 7, opset_import 8; GraphProto node 1, name 2,
initializer 5, input 11, output 12; NodeProto input 1, output 2, name 3, op_type 4, attribute 5; TensorProto dims 1,
data_type 2, name 8, raw_data 9; AttributeProto name 1, f 2, i 3, ints 8, type 20.
"""
import struct

FLOAT, INT64 = 1, 7


def _varint(value):
    out = bytearray()
    value &= (1 << 64) - 1
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def _number(field, value):
    return _varint(field << 3) + _varint(value)


def _bytes(field, value):
    value = value.encode() if isinstance(value, str) else value
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _tensor(name, dims, values, kind=FLOAT):
    raw = struct.pack(f"<{len(values)}{'f' if kind == FLOAT else 'q'}", *values)
    return b"".join(_number(1, d) for d in dims) + _number(2, kind) + _bytes(8, name) + _bytes(9, raw)


def _attribute(name, value):
    if isinstance(value, float):
        return _bytes(1, name) + _varint(2 << 3 | 5) + struct.pack("<f", value) + _number(20, 1)
    if isinstance(value, int):
        return _bytes(1, name) + _number(3, value) + _number(20, 2)
    return _bytes(1, name) + b"".join(_number(8, v) for v in value) + _number(20, 7)


def _value(name, dims):
    extents = b"".join(_bytes(1, _bytes(2, d) if isinstance(d, str) else _number(1, d)) for d in dims)
    return _bytes(1, name) + _bytes(2, _bytes(1, _number(1, FLOAT) + _bytes(2, extents)))


def node(op, inputs, output, **attributes):
    """A node called "n_" and its output's name."""
    body = b"".join(_bytes(1, name) for name in inputs) + _bytes(2, output) + _bytes(3, "n_" + output) + _bytes(4, op)
    return body + b"".join(_bytes(5, _attribute(name, value)) for name, value in attributes.items())


def reals(name, dims, values):
    return _tensor(name, dims, values)


def integers(name, values):
    return _tensor(name, [len(values)], values, INT64)


def model(nodes, inputs, outputs, constants=(), opset=13):
    """`inputs`: {name: extents}, names of extents that are open as strings."""
    graph = b"".join(_bytes(1, one) for one in nodes) + _bytes(2, "graph")
    graph += b"".join(_bytes(5, one) for one in constants)
    graph += b"".join(_bytes(11, _value(name, dims)) for name, dims in inputs.items())
    graph += b"".join(_bytes(12, _bytes(1, name)) for name in outputs)
    return _number(1, 8) + _bytes(7, graph) + _bytes(8, _number(2, opset))


def tiny_network():
    """x [1, 2, 2, 3] -> conv (1x1, swaps and scales the channels) -> relu -> flat [1, 12] -> y [12, 1] = -flat^T.

    Returns the file and what every value is for x = 0, 1, ..., 11 (row-major).
    """
    nodes = [node("Conv", ["x", "w", "b"], "c", kernel_shape=[1, 1]), node("Relu", ["c"], "r"),
             node("Flatten", ["r"], "flat", axis=1), node("Transpose", ["flat"], "t", perm=[1, 0]),
             node("Neg", ["t"], "y")]
    constants = [reals("w", [2, 2, 1, 1], [0, 2, -1, 0]), reals("b", [2], [-15, 3])]
    conv = [2 * (6 + i) - 15 for i in range(6)] + [3 - i for i in range(6)]
    relu = [max(0, v) for v in conv]
    values = {"c": ((1, 2, 2, 3), conv), "r": ((1, 2, 2, 3), relu), "flat": ((1, 12), relu),
              "y": ((12, 1), [-v for v in relu])}
    return model(nodes, {"x": [1, 2, 2, 3]}, ["y"], constants), values
