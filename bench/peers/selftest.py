#!/usr/bin/env python3
"""Checks of the parts that turn one description into another, with exact data: the cfg reader, the list of layers as a file,
the shape of ncnn's files. That engines agree is proved in every comparison. Wants only numpy: python3 selftest.py"""
import os
import tempfile
import unittest

import numpy as np

import layers
import networks
from darknet import EPSILON, read_darknet
from write_ncnn import write_ncnn

_CFG = """
[net]
width=4
height=4
channels=3  # a comment
[convolutional]
batch_normalize=1
filters=4
size=3
stride=2
pad=1
activation=leaky
[route]
layers=-1
groups=2
group_id=1
[convolutional]
filters=2
size=1
activation=linear
[shortcut]
from=-2
activation=linear
[maxpool]
size=2
stride=1
[upsample]
stride=2
[convolutional]
filters=3
size=1
pad=1
activation=linear
[yolo]
mask=0
"""
_FLOATS = 4 * 4 + 4 * 3 * 9 + 2 + 2 * 2 + 3 + 3 * 2  # bias, scale, mean, variance and weights of each convolution


class CfgReader(unittest.TestCase):
    def read(self, cfg=_CFG, floats=_FLOATS):
        with tempfile.TemporaryDirectory() as folder:
            cfg_path, weights_path = os.path.join(folder, "x.cfg"), os.path.join(folder, "x.weights")
            with open(cfg_path, "w") as file:
                file.write(cfg)
            self.numbers = 1 + np.arange(floats, dtype="<f4") % 7
            with open(weights_path, "wb") as file:
                file.write(np.array([0, 2, 5, 0, 0], "<i4").tobytes() + self.numbers.tobytes())
            return read_darknet("x", cfg_path, weights_path)

    def test_shapes_and_outputs(self):
        network = self.read()
        self.assertEqual([(l.op, l.shape) for l in network.layers],
                         [("conv", (4, 2, 2)), ("slice", (2, 2, 2)), ("conv", (2, 2, 2)), ("add", (2, 2, 2)),
                          ("maxpool", (2, 2, 2)), ("upsample", (2, 4, 4)), ("conv", (3, 4, 4))])
        self.assertEqual(network.outputs, [network.layers[-1].name])
        self.assertEqual(network.layers[1].attrs, {"begin": 2, "count": 2})
        self.assertEqual(network.layers[4].attrs["pad"], (0, 1))  # a window of 2 begins at its place

    def test_batch_norm_is_folded(self):
        conv = self.read().layers[0]
        beta, gamma, mean, variance = self.numbers[:16].reshape(4, 4).astype(np.float64)
        scale = gamma / np.sqrt(variance + EPSILON)
        np.testing.assert_array_equal(conv.bias, (beta - mean * scale).astype(np.float32))
        weights = self.numbers[16:16 + 108].reshape(4, 3, 3, 3) * scale.reshape(4, 1, 1, 1)
        np.testing.assert_array_equal(conv.weights, weights.astype(np.float32))

    def test_what_is_not_known_is_refused(self):
        for cfg, floats, text in [(_CFG, _FLOATS + 1, "1 numbers .* left over"), (_CFG, _FLOATS - 1, "weights end here"),
                                  (_CFG.replace("size=3", "size=3\ndilation=2"), _FLOATS, "has dilation"),
                                  (_CFG.replace("[upsample]", "[reorg]"), _FLOATS, r"\[reorg\] is not known")]:
            with self.assertRaisesRegex(ValueError, text):
                self.read(cfg, floats)


class LayersFile(unittest.TestCase):
    def test_comes_back_to_the_same_bits(self):
        network = networks.make("dscnn")
        with tempfile.TemporaryDirectory() as folder:
            network.save(os.path.join(folder, "x.npz"))
            again = layers.load(os.path.join(folder, "x.npz"))
        self.assertEqual((again.name, again.input_shape, again.outputs, again.macs),
                         (network.name, network.input_shape, network.outputs, network.macs))
        for a, b in zip(network.layers, again.layers, strict=True):
            self.assertEqual((a.op, a.name, a.inputs, a.shape, a.attrs), (b.op, b.name, list(b.inputs), b.shape, b.attrs))
            if a.weights is not None:
                np.testing.assert_array_equal(a.weights, b.weights)
                np.testing.assert_array_equal(a.bias, b.bias)


def _branches(n):
    """Slices that cover their input and one that does not, a value with three readers, an output that is read on."""
    x = n.conv("input", 6, 3, act="silu")
    a, b = n.slice(x, 0, 2), n.slice(x, 2, 4)
    y = n.conv(n.concat(b, a, n.slice(b, 1, 2)), 6, 1, groups=2)
    n.output(y)
    n.output(n.add(n.maxpool(y, 3, 1), x))


class NcnnFiles(unittest.TestCase):
    def check(self, network):
        with tempfile.TemporaryDirectory() as folder:
            extracted = write_ncnn(network, os.path.join(folder, "x"))
            size = os.path.getsize(os.path.join(folder, "x.bin"))
            with open(os.path.join(folder, "x.param")) as file:
                magic, counts, *lines = file.read().splitlines()
        self.assertEqual(magic, "7767517")
        made, unread = set(), set()
        for line in lines:
            _, _, inputs, outputs, *rest = line.split()
            taken, given = rest[:int(inputs)], rest[int(inputs):int(inputs) + int(outputs)]
            self.assertLessEqual(set(taken), unread, f"'{line}' reads what is not there, or was read before")
            self.assertTrue(made.isdisjoint(given))
            made, unread = made | set(given), (unread - set(taken)) | set(given)
        self.assertEqual(counts, f"{len(lines)} {len(made)}")
        self.assertEqual(set(extracted), unread)
        with_weights = [l for l in network.layers if l.weights is not None]
        self.assertEqual(size, sum(4 + l.weights.nbytes + l.bias.nbytes for l in with_weights))

    def test_every_blob_is_made_once_and_read_once(self):
        network = layers.Network("branches", (3, 8, 8))
        _branches(network)
        self.check(network)
        for name in ("mnist", "vww", "yolov4tiny_416", "yolov8n_640"):
            self.check(networks.make(name))


if __name__ == "__main__":
    unittest.main()
