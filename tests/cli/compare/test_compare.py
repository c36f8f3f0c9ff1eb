"""tessera compare: equal runs agree, a planted difference is found and named."""
import struct

import onnx_file
from support import CliTest, main, npy, png, write_npy

TWO_LAYERS = """[net]
width=64
height=64
channels=3

[convolutional]
filters=4
size=3
stride=2
pad=1
activation=leaky

[convolutional]
filters=7
size=1
stride=16
pad=1
activation=linear

[yolo]
mask=0
anchors=16,16
classes=2
num=1
"""


class Compare(CliTest):
    def setUp(self):
        super().setUp()
        self.write("two.cfg", TWO_LAYERS)
        count = 4 + 4 * 27 + 7 + 7 * 4
        values = [((i * 37) % 101 - 50) / 100 for i in range(count)]
        self.write("two.weights", struct.pack(f"<iiiq{count}f", 0, 2, 5, 0, *values))

    def compare(self, *arguments, **options):
        return self.run_tessera("compare", "two.cfg", *arguments, **options)

    def test_bytes(self):
        for more in ([], ["--photo", self.write("p.png", png(30, 20, (9, 99, 200)))]):
            report = self.compare("--pixels", "u8", "--json", *more).json()
            self.assertIsNone(report["first_outside"])
            first = report["layers"][0]
            self.assertIn("from_bytes", first["kernel_a"])
            self.assertEqual((first["kernel_b"], first["absolute"]), ("from_bytes_reference", 0))

    def test_devices_agree(self):
        report = self.compare("--json").json()
        self.assertIsNone(report["first_outside"])
        self.assertGreaterEqual(len(report["layers"]), 2)
        self.assertIn("all within", self.compare("--photo", self.write("p.png", png(30, 20, (9, 99, 200)))).out)
        self.assertIn("all within", self.compare("--b-device", "cpu", "--b-disable", "reuse", "--relative", "0", "--absolute", "0").out)

    def test_dumps_agree_and_a_planted_error_is_found(self):
        self.compare("--dump", "dumps", "--seed", "5")
        self.assertIn("all within", self.compare("--against", "dumps", "--layout", "nhwc", "--seed", "5").out)
        file = sorted(self.path("dumps").glob("*.npy"))[-1]
        names = [layer["value"] for layer in self.compare("--json").json()["layers"]]
        shape, values = npy(file)
        changed = list(values)
        changed[7] += 1000.0
        write_npy(file, shape, changed)
        report = self.compare("--against", "dumps", "--layout", "nhwc", "--seed", "5", "--json", status=1).json()
        self.assertIn(report["first_outside"], names)
        bad = [layer for layer in report["layers"] if not layer["within"]]
        self.assertEqual(len(bad), 1)
        self.assertAlmostEqual(bad[0]["absolute"], 1000, delta=0.01)
        text = self.compare("--against", "dumps", "--layout", "nhwc", "--seed", "5", "--failures", status=1).out
        self.assertIn(f"the first is {report['first_outside']}", text)
        self.assertEqual(sum(line.startswith("ok") for line in text.splitlines()), 0)

    def test_dumps_of_an_onnx_file_show_the_first_layer_that_parts(self):
        file, values = onnx_file.tiny_network()
        self.write("net.onnx", file)
        write_npy(self.path("x.npy"), (1, 2, 2, 3), list(range(12)))
        self.path("dumps").mkdir()
        for name, (shape, numbers) in values.items():
            write_npy(self.path("dumps") / f"{name}.npy", shape, numbers)
        arguments = ["compare", "net.onnx", "--input", "x.npy", "--against", "dumps", "--json"]
        report = self.run_tessera(*arguments, "--disable", "fuse-activation").json()
        self.assertIsNone(report["first_outside"])
        self.assertTrue({"c", "r", "y"} <= {layer["value"] for layer in report["layers"]}, report["layers"])
        shape, numbers = values["r"]
        write_npy(self.path("dumps/r.npy"), shape, [*numbers[:-1], 5])
        report = self.run_tessera(*arguments, "--disable", "fuse-activation", status=1).json()
        self.assertEqual(report["first_outside"], "r")
        write_npy(self.path("dumps/y.npy"), (1, 12), values["y"][1])
        self.assertNames(self.run_tessera(*arguments, status=1), "y.npy", "shape 1x12", "wants 12x1")

    def test_winograd(self):
        run = lambda *more, **options: self.run_tessera("compare", "--winograd", *more, **options)
        layers = run("--json", "--seed", "3").json()["winograd"]
        self.assertGreater(len(layers), 5)
        for layer in layers:
            self.assertIn("winograd", layer["kernel"])
            self.assertIn("gemm", layer["plain_kernel"])
            self.assertTrue(layer["within"])
            self.assertTrue(0 < layer["error"] <= layer["bound"], layer)
            self.assertLess(layer["error"], 1e-4 * layer["largest"])
        text = run().out
        self.assertIn(f"{len(layers)} layers, 0 above the bound", text)
        self.assertIn("no layer takes Winograd", run("--exact").out)
        self.assertEqual(run("--exact", "--json").json(), {"winograd": []})
        for more in (["--against", "dumps"], ["--dump", "dumps"], ["--failures"]):
            run(*more, status=2)

    def test_another_activation_is_another_network(self):
        report = self.compare("--b-replace", "leaky=relu", "--json", status=1).json()
        self.assertEqual(report["first_outside"], report["layers"][0]["value"])
        self.assertIn("all within", self.compare("--replace", "leaky=mish", "--b-replace", "leaky=mish").out)
        self.assertNames(self.compare("--replace", "leaky=mosh", status=1), "mosh", "hard_mish")
        self.assertNames(self.compare("--replace", "mish=relu", status=1), "no activation 'mish'")
        self.assertNames(self.compare("--replace", "mish", status=2), "mish=hard_mish")

    def test_errors(self):
        self.assertNames(self.compare("--against", "nowhere", status=1), "nowhere")
        self.assertNames(self.compare("--input", "gone.npy", status=1), "gone.npy")
        self.assertNames(self.compare("--photo", self.write("x.jpg", "no photo"), status=1), "x.jpg")
        self.write("in_the_way", "")
        self.assertNames(self.compare("--dump", "in_the_way", status=1), "in_the_way: cannot make the folder")


if __name__ == "__main__":
    main()
