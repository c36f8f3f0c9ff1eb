"""tessera run: raw tensors in and out."""
import onnx_file
from support import CliTest, main, npy, write_npy


class Run(CliTest):
    def setUp(self):
        super().setUp()
        self.tiny_model()
        self.expected = [0, 0, 0, 0, 10, 10, -10]  # the head at a white cell

    def run_model(self, *arguments, **options):
        return self.run_tessera("run", "tiny.cfg", "--output", "out", *arguments, **options)

    def test_nchw_in_and_out(self):
        left_white = [1.0 if x < 32 else 0.0 for _ in range(3) for _ in range(64) for x in range(64)]
        write_npy(self.path("x.npy"), (1, 3, 64, 64), left_white)
        report = self.run_model("--input", "x.npy", "--json").json()["outputs"]
        self.assertEqual([o["shape"] for o in report], [[1, 7, 2, 2]])
        shape, values = npy(self.path("out") / report[0]["file"])
        self.assertEqual(shape, (1, 7, 2, 2))
        self.assertEqual(values[16:20], (10, -10, 10, -10))  # objectness: two rows of (white, black)
        self.assertEqual(values[20:24], (10, 10, 10, 10))

    def test_nhwc_and_no_batch_axis(self):
        write_npy(self.path("x.npy"), (64, 64, 3), [1.0] * 64 * 64 * 3)
        done = self.run_model("--input", "x.npy", "--layout", "nhwc")
        shape, values = npy(done.out.strip() if done.out.startswith("/") else self.path(done.out.strip()))
        self.assertEqual(shape, (1, 2, 2, 7))
        self.assertEqual(list(values), self.expected * 4)

    def test_noise_depends_on_the_seed_alone(self):
        def values(*arguments):
            file = self.run_model(*arguments, "--json").json()["outputs"][0]["file"]
            return npy(self.path("out") / file)[1]
        first = values("--seed", "3")
        self.assertEqual(first, values("--seed", "3", "--threads", "2"))
        self.assertNotEqual(first, values("--seed", "4"))

    def test_bytes_in(self):
        bytes_ = [255.0 if x < 32 else 0.0 for _ in range(3) for _ in range(64) for x in range(64)]
        write_npy(self.path("b.npy"), (1, 3, 64, 64), bytes_)
        write_npy(self.path("x.npy"), (1, 3, 64, 64), [b / 255 for b in bytes_])
        heads = []
        for arguments in (["--input", "x.npy"], ["--input", "b.npy", "--pixels", "u8"]):
            file = self.run_model("--json", *arguments).json()["outputs"][0]["file"]
            heads.append(npy(self.path("out") / file))
        self.assertEqual(heads[0], heads[1])
        done = self.run_model("--input", "x.npy", "--input", "x.npy", "--pixels", "u8", status=1)
        self.assertNames(done, "--input is given 2 times")
        write_npy(self.path("h.npy"), (1, 3, 64, 64), [0.0, 0.5] + bytes_[2:])
        done = self.run_model("--input", "h.npy", "--pixels", "u8", status=1)
        self.assertNames(done, "h.npy: number 1 is 0.5: the model takes bytes, want whole numbers from 0 to 255")
        self.assertNames(self.run_model("--pixels", "u9", status=2), "--pixels")

    def test_what_does_not_fit(self):
        write_npy(self.path("x.npy"), (1, 3, 32, 64), [0.0] * 3 * 32 * 64)
        done = self.run_model("--input", "x.npy", status=1)
        self.assertNames(done, "x.npy: the array is 1x3x32x64: the model wants 1x3x64x64 (NCHW)")
        write_npy(self.path("y.npy"), (1, 3, 64, 64), [0.0] * 3 * 64 * 64)
        self.assertNames(self.run_model("--input", "y.npy", "--layout", "nhwc", status=1), "wants 1x64x64x3 (NHWC)")
        done = self.run_model("--input", "y.npy", "--input", "y.npy", status=1)
        self.assertNames(done, "--input is given 2 times: the model has 1 inputs")
        self.write("bad.npy", b"nonsense")
        self.assertNames(self.run_model("--input", "bad.npy", status=1), "bad.npy", "does not begin with")
        self.assertNames(self.run_model("--input", "gone.npy", status=1), "gone.npy")

    def test_an_onnx_file_has_its_own_axes(self):
        file, values = onnx_file.tiny_network()
        self.write("net.onnx", file)
        write_npy(self.path("x.npy"), (1, 2, 2, 3), list(range(12)))
        for arguments in ([], ["--device", "reference"], ["--isa", "scalar"]):
            report = self.run_tessera("run", "net.onnx", "--output", "out", "--input", "x.npy", "--json", *arguments).json()
            shape, got = npy(self.path("out") / report["outputs"][0]["file"])
            self.assertEqual((shape, list(got)), values["y"])

    def test_open_extents_want_a_size(self):
        nodes = [onnx_file.node("Relu", ["x"], "y")]
        self.write("open.onnx", onnx_file.model(nodes, {"x": ["batch", 3, "h", "w"]}, ["y"]))
        done = self.run_tessera("run", "open.onnx", "--output", "out", status=1)
        self.assertNames(done, "input 'x' is", "leaves axis 2 open: give --size")
        report = self.run_tessera("run", "open.onnx", "--output", "out", "--size", "16x8", "--json").json()
        self.assertEqual(report["outputs"][0]["shape"], [1, 3, 8, 16])

    def test_every_missing_operator_is_named(self):
        nodes = [onnx_file.node("LSTM", ["x"], "a"), onnx_file.node("Foo", ["a"], "b"), onnx_file.node("Foo", ["b"], "y")]
        self.write("odd.onnx", onnx_file.model(nodes, {"x": [1, 3]}, ["y"]))
        done = self.run_tessera("run", "odd.onnx", "--output", "out", status=1)
        self.assertNames(done, "'Foo' (2, first 'n_b')", "'LSTM' (1, first 'n_a')")

    def test_output_in_the_way(self):
        self.write("out", "a file")
        self.assertNames(self.run_model(status=1), "out: cannot make the output folder")


if __name__ == "__main__":
    main()
