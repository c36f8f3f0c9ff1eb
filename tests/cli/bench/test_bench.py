"""tessera bench: shape of the report; no time is judged."""
import struct
import xml.dom.minidom

from support import CliTest, main


class Bench(CliTest):
    def setUp(self):
        super().setUp()
        self.tiny_model()

    def test_json(self):
        report = self.run_tessera("bench", "tiny.cfg", "--runs", "7", "--warmup", "1", "--threads", "2", "--layers", "--json").json()
        self.assertEqual(len(report["times_ms"]), 7)
        self.assertEqual(report["threads"], 2)
        self.assertEqual(report["macs"], 2 * 2 * 7 * 3)
        self.assertEqual(report["median_ms"], sorted(report["times_ms"])[3])
        self.assertEqual(report["min_ms"], min(report["times_ms"]))
        self.assertEqual(report["p90_ms"], max(report["times_ms"]))
        self.assertEqual([layer["macs"] for layer in report["layers"]], [2 * 2 * 7 * 3])

    def test_text_names_the_configuration(self):
        out = self.run_tessera("bench", "tiny.cfg", "--runs", "3", "--isa", "scalar", "--threads", "1", "--layers").out
        for word in ("cpu", "isa scalar", "1 thread,", "median", "p90", "spread", "GFLOP/s", "kernel", "bound ms", "by kernel",
                     "the slowest", "machine, measured"):
            self.assertIn(word, out)

    def test_says_whether_weights_are_mapped(self):
        bench = lambda *more: self.run_tessera("bench", "--runs", "1", "--warmup", "0", "--weights-cache", "packed", *more)
        self.assertIn(", 0.00 MiB of them mapped\n", bench().out)
        self.assertGreater(bench("--json").json()["mapped_weight_bytes"], 1 << 20)

    def test_layers_are_held_against_the_machine(self):
        report = self.run_tessera("bench", "--runs", "2", "--warmup", "0", "--threads", "1", "--layers", "--json").json()
        machine = report["machine"]
        self.assertGreater(machine["peak_gflops"], 0)
        self.assertEqual(machine["isa"], report["isa"])
        self.assertEqual([machine["reading"][i]["level"] for i in (0, -1)], ["L2", "memory"])
        speeds = {level["level"]: level["gb_per_s"] for level in machine["reading"]}
        layers = report["layers"]
        self.assertGreater(len(layers), 40)
        for layer in layers:
            computed, moved = layer["computed_flops"] * 1e-6 / machine["peak_gflops"], layer["bytes"] * 1e-6 / speeds[layer["memory_level"]]
            self.assertAlmostEqual(layer["bound_ms"], max(computed, moved), delta=1e-9 + 1e-6 * layer["bound_ms"])
            self.assertEqual(layer["bound_by"] == "compute", computed > moved)
            self.assertAlmostEqual(layer["of_bound"] * layer["median_ms"], layer["bound_ms"], delta=1e-9)
            self.assertGreater(layer["bytes"], 0)
            products = next((p for k, p in (("winograd_f2", 64), ("winograd_stride2", 81), ("winograd", 36)) if k in layer["kernel"]), 144)
            self.assertAlmostEqual(layer["computed_flops"], 2 * layer["macs"] * products / 144, delta=1)
        self.assertEqual(sum(k["nodes"] for k in report["by_kernel"]), len(layers))
        convs = [layer for layer in layers if layer["op"] == "conv"]
        self.assertTrue(any(layer["skipped"] for layer in convs))
        self.assertIsInstance(report["chains"], list)
        names = [int(layer["node"].split("_")[1]) for layer in layers]
        self.assertEqual(names, sorted(names), "run order")

    def test_layers_of_a_chain_are_timed_alone_and_together(self):
        # A value of 8 MiB between two layers, which leaves any L2.
        self.path("chain.cfg").write_text("[net]\nwidth=512\nheight=512\nchannels=3\n" + 2 * (
            "[convolutional]\nfilters=8\nsize=1\nstride=1\npad=1\nactivation=leaky\n"))
        floats = 8 + 8 * 3 + 8 + 8 * 8
        self.path("chain.weights").write_bytes(struct.pack("<3iq", 0, 2, 5, 0) + floats * struct.pack("<f", 0.5))
        report = self.run_tessera("bench", "chain.cfg", "--layers", "--runs", "2", "--json").json()
        self.assertEqual([chain["nodes"] for chain in report["chains"]], [[layer["node"] for layer in report["layers"]]])
        chain = report["chains"][0]
        self.assertAlmostEqual(chain["alone_ms"], sum(layer["median_ms"] for layer in report["layers"]))
        self.assertGreater(chain["together_ms"], 0)
        self.assertIn("together ms", self.run_tessera("bench", "chain.cfg", "--layers", "--runs", "1").out)
        self.assertIn("chains: nodes", self.run_tessera("inspect", "chain.cfg", "--plan").out)
        off = self.run_tessera("inspect", "chain.cfg", "--plan", "--json", "--disable", "chains").json()
        self.assertEqual(off["plan"]["chains"], [])

    def test_roofline_has_a_point_for_each_layer_that_multiplies(self):
        report = self.run_tessera("bench", "tiny.cfg", "--layers", "--runs", "1", "--svg", "roofline.svg", "--json").json()
        svg = xml.dom.minidom.parse(str(self.path("roofline.svg"))).documentElement
        points = [c for c in svg.getElementsByTagName("circle") if c.getAttribute("class") == "layer"]
        told = {c.getElementsByTagName("title")[0].firstChild.data.split(",")[0] for c in points}
        self.assertEqual(told, {f"{l['op']} {l['node']}" for l in report["layers"] if l["computed_flops"] > 0})

    def test_ladder(self):
        report = self.run_tessera("bench", "tiny.cfg", "--ladder", "--runs", "2", "--threads", "2", "--svg", "plot.svg", "--json").json()
        climb, alone = report["climb"], report["alone"]
        self.assertEqual([rung["name"] for rung in climb[:3]], ["naive, 1 thread", "naive, 2 threads", "plain C++ kernels"])
        self.assertEqual([rung["naive"] for rung in climb[:3]], [True, True, False])
        self.assertEqual([rung["name"] for rung in alone[:2]], ["everything on", "threads"])
        self.assertEqual(alone[1]["threads"], 1)
        self.assertEqual(climb[-1]["disabled"], [])
        self.assertEqual(alone[0]["disabled"], [])
        self.assertIn(["zero-copy"], [rung["disabled"] for rung in alone])
        for rung in climb + alone:
            self.assertEqual(len(rung["times_ms"]), 2, rung)
            self.assertEqual(rung["median_ms"], sum(rung["times_ms"]) / 2)
            self.assertLessEqual(rung["difference"], report["tolerance"])
            self.assertTrue(rung["agrees"])
        self.assertEqual(climb[0]["difference"], 0)
        self.assertAlmostEqual(climb[2]["total"], climb[0]["median_ms"] / climb[2]["median_ms"])
        self.assertAlmostEqual(climb[2]["gain"], climb[1]["median_ms"] / climb[2]["median_ms"])
        self.assertAlmostEqual(alone[1]["slower"], alone[1]["median_ms"] / alone[0]["median_ms"])
        svg = xml.dom.minidom.parse(str(self.path("plot.svg"))).documentElement
        self.assertEqual(svg.tagName, "svg")
        bars = [r for r in svg.getElementsByTagName("rect") if r.getAttribute("class") == "bar"]
        self.assertEqual(len(bars), len(climb) + len(alone))
        labels = {t.firstChild.data for t in svg.getElementsByTagName("text") if t.getAttribute("class") == "label"}
        self.assertEqual(labels, {rung["name"] for rung in climb + alone})

    def test_ladder_of_the_embedded_model_has_its_passes(self):
        out = self.run_tessera("bench", "--size", "32", "--ladder", "--runs", "1").out
        for word in ("naive, 1 thread", "fold-batch-norm", "fuse-activation", "fuse-residual", "spp-cascade", "reuse", "zero-copy",
                     "switched on in turn", "switched off alone", "everything on"):
            self.assertIn(word, out)
        self.assertNotIn("DIFFERS", out)

    def test_kernels(self):
        report = self.run_tessera("bench", "--kernels", "--runs", "2", "--warmup", "0", "--threads", "2", "--json").json()
        self.assertEqual([k["name"] for k in report["kernels"]], ["mish", "mish + residual", "spp", "upsample + concat"])
        for kernel in report["kernels"]:
            forms = kernel["forms"]
            self.assertGreaterEqual(len(forms), 2)
            self.assertEqual(forms[0]["times_ours"], 1)
            self.assertTrue(forms[-1]["same_bits"])
            for form in forms:
                self.assertEqual(len(form["times_ms"]), 2)
                self.assertTrue(form["agrees"])
                self.assertLessEqual(form["relative"], kernel["tolerance"])
                self.assertTrue(form["kernels"])
        upsample = report["kernels"][-1]["forms"]
        self.assertTrue(upsample[0]["same_bits"])
        self.assertFalse(any("concat" in k for k in upsample[0]["kernels"]))
        self.assertTrue(any("concat" in k for k in upsample[1]["kernels"]))

    def test_kernels_are_of_no_model(self):
        for more in (["tiny.cfg"], ["--layers"], ["--ladder"], ["--disable", "reuse"]):
            self.run_tessera("bench", "--kernels", *more, status=2)
            self.run_tessera("bench", "--chooser", *more, status=2)

    def test_chooser(self):
        table = self.run_tessera("bench", "--chooser", "--runs", "1", "--threads", "2", "--json").json()
        self.assertEqual(table["threads"], 2)
        self.assertGreater(table["l2_bytes"], 0)
        rows = {row["shape"]: row["ms"] for row in table["shapes"]}
        self.assertEqual(len(rows), len(table["shapes"]))
        isa = table["isa"]
        self.assertEqual(list(rows["3x3 s1 13x13x512->1024"]), [f"conv_winograd_{isa}", f"conv_winograd_f2_{isa}", f"conv_gemm_{isa}"])
        self.assertEqual(list(rows["3x3 s2 26x26x512->1024"]), [f"conv_winograd_stride2_{isa}", f"conv_gemm_{isa}"])
        self.assertEqual(list(rows["1x1 s1 26x26x256->256"]), [f"conv_strips_{isa}", f"conv_gemm_{isa}"])
        self.assertTrue(all(ms > 0 for row in rows.values() for ms in row.values()))
        text = self.run_tessera("bench", "--chooser", "--runs", "1").out
        self.assertIn(f"*conv_gemm_{isa}", text)
        self.assertIn("over the best", text)

    def test_ladder_has_its_own_kernels(self):
        self.run_tessera("bench", "tiny.cfg", "--ladder", "--kernel", "conv=naive", status=2)
        self.run_tessera("bench", "tiny.cfg", "--svg", "plot.svg", status=2)

    def test_a_plot_that_cannot_be_written(self):
        done = self.run_tessera("bench", "tiny.cfg", "--ladder", "--runs", "1", "--svg", "absent/plot.svg", status=1)
        self.assertNames(done, "absent/plot.svg")


if __name__ == "__main__":
    main()
