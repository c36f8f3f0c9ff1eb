"""tessera bench: shape of the report; no time is judged."""
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
            factor = 0.5 if "winograd" in layer["kernel"] else 2
            self.assertEqual(layer["computed_flops"], factor * layer["macs"])
        self.assertEqual(sum(k["nodes"] for k in report["by_kernel"]), len(layers))
        convs = [layer for layer in layers if layer["op"] == "conv"]
        self.assertTrue(any(layer["skipped"] for layer in convs))
        names = [int(layer["node"].split("_")[1]) for layer in layers]
        self.assertEqual(names, sorted(names), "run order")


if __name__ == "__main__":
    main()
