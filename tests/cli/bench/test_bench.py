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
        for word in ("cpu", "isa scalar", "1 thread,", "median", "p90", "spread", "GFLOP/s", "kernel"):
            self.assertIn(word, out)


if __name__ == "__main__":
    main()
