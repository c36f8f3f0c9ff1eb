"""tessera inspect: facts of a model with known ones."""
from support import CliTest, main


class Inspect(CliTest):
    def setUp(self):
        super().setUp()
        self.tiny_model()

    def inspect(self, *arguments, **options):
        return self.run_tessera("inspect", "tiny.cfg", *arguments, **options)

    def test_json(self):
        facts = self.inspect("--json", "--names", "tiny.names").json()
        self.assertEqual((facts["parameters"], facts["macs"]), (7 * 3 + 7, 2 * 2 * 7 * 3))
        self.assertEqual((facts["input"]["width"], facts["input"]["height"], facts["input"]["resize"]), (64, 64, "stretch"))
        self.assertEqual(facts["class_names"], ["white thing", "other"])
        self.assertEqual(facts["detector"], {"family": "anchor-grid", "classes": 2, "heads": 1, "activated": False})
        convs = [layer for layer in facts["layers"] if layer["op"] == "conv"]
        self.assertEqual([layer["shape"] for layer in convs], [[1, 2, 2, 7]])

    def test_text(self):
        out = self.inspect().out
        self.assertIn("conv", out)
        self.assertIn("64x64x3", out)

    def test_other_size(self):
        facts = self.inspect("--json", "--size", "128x64").json()
        self.assertEqual(facts["macs"], 4 * 2 * 7 * 3)
        self.assertEqual((facts["input"]["width"], facts["input"]["height"]), (128, 64))

    def test_bytes(self):
        layers = self.inspect("--json", "--pixels", "u8").json()["layers"]
        self.assertEqual([(layer["op"], layer["detail"]) for layer in layers[:2]],
                         [("input", "bytes"), ("from_bytes", "byte * scale + shift")])
        self.assertEqual(layers[1]["inputs"], [layers[0]["name"]])
        plan = self.inspect("--plan", "--json", "--pixels", "u8").json()["plan"]
        self.assertEqual(plan["buffers"][0]["bytes"], 64 * 64 * 3)
        self.assertIn("from_bytes", plan["nodes"][1]["kernel"])

    def test_plan(self):
        plan = self.inspect("--plan", "--json").json()["plan"]
        self.assertLessEqual(plan["lower_bound_bytes"], plan["arena_bytes"])
        self.assertLessEqual(plan["arena_bytes"], plan["no_reuse_bytes"])
        self.assertEqual(plan["device"], "cpu")
        self.assertEqual({b["offset"] % 64 for b in plan["buffers"]}, {0})
        self.assertTrue(all(node["kernel"] for node in plan["nodes"] if not node["name"].startswith("input")))
        text = self.inspect("--plan").out
        for word in ("arena", "lower bound", "without reuse", "buffer", "kernel"):
            self.assertIn(word, text)

    def test_without_reuse_the_arena_is_the_sum(self):
        plan = self.inspect("--plan", "--json", "--disable", "reuse").json()["plan"]
        self.assertEqual(plan["arena_bytes"], plan["no_reuse_bytes"])
        self.assertEqual(plan["buffers_reusing"], 0)

    def test_exact(self):
        kernels = lambda *more: [node["kernel"] for node in self.run_tessera("inspect", "--plan", "--json", *more).json()["plan"]["nodes"]]
        self.assertTrue(any("winograd" in kernel for kernel in kernels()))
        self.assertFalse(any("winograd" in kernel for kernel in kernels("--exact")))
        for device in ("cpu", "reference"):
            plan = self.inspect("--plan", "--json", "--exact", "--device", device).json()["plan"]
            self.assertTrue(plan["exact"])
        self.assertFalse(self.inspect("--plan", "--json").json()["plan"]["exact"])
        self.assertIn("device cpu, exact,", self.inspect("--plan", "--exact").out)
        skipped = self.run_tessera("inspect", "--plan", "--json", "--exact").json()["plan"]["nodes"]
        self.assertTrue(any("not exact" in why for node in skipped for why in node["skipped"]))

    def test_choices(self):
        plan = lambda *more: self.run_tessera("inspect", "--plan", "--json", *more).json()["plan"]
        kernels = lambda *more: [node["kernel"] for node in plan(*more)["nodes"]]
        measured = kernels("--choose", "measured", "--save-choices", "choices.json")
        self.assertEqual(kernels("--choices", "choices.json"), measured)
        self.assertEqual(kernels("--choices", "choices.json", "--threads", "3"), measured)
        self.assertTrue(any("took" in why for node in plan("--choose", "measured")["nodes"] for why in node["skipped"]))
        other = self.run_tessera("inspect", "--plan", "--choices", "choices.json", "--size", "352", status=1)
        self.assertNames(other, "choice of", "at this size")
        self.run_tessera("inspect", "--plan", "--choices", "choices.json", "--choose", "measured", status=2)
        self.run_tessera("inspect", "--plan", "--choose", "best", status=2)

    def test_weights_cache(self):
        plan = lambda *more: self.run_tessera("inspect", "--plan", "--json", *more).json()["plan"]
        first, second = (plan("--weights-cache", "packed") for _ in range(2))
        self.assertEqual(first["mapped_weight_bytes"], 0)
        self.assertGreater(second["mapped_weight_bytes"], second["weight_bytes"] // 2)
        self.assertLess(second["mapped_weight_bytes"], second["weight_bytes"])
        self.assertEqual({path.suffix for path in self.path("packed").iterdir()}, {".packed"})
        self.assertRegex(self.run_tessera("inspect", "--plan", "--weights-cache", "packed").out, r"packed weights [\d.]+ MiB, [1-9][\d.]* MiB of them mapped\n")
        self.assertNotIn("mapped", self.run_tessera("inspect", "--plan").out)
        for path in self.path("packed").iterdir():
            path.write_bytes(b"nonsense")
        self.assertEqual(plan("--weights-cache", "packed")["mapped_weight_bytes"], 0)
        self.assertEqual(plan("--weights-cache", "packed"), second)
        done = self.run_tessera("inspect", "--plan", "--weights-cache", "/dev/null/packed")
        self.assertIn("packed weights are not kept: /dev/null/packed: Not a directory", done.err)

    def test_bad_model(self):
        self.write("bad.cfg", "[net]\nwidth=64\nheight=64\n[nonsense]\n")
        self.write("bad.weights", self.path("tiny.weights").read_bytes())
        self.assertNames(self.run_tessera("inspect", "bad.cfg", status=1), "nonsense")
        self.write("cut.cfg", self.path("tiny.cfg").read_text())
        self.write("cut.weights", self.path("tiny.weights").read_bytes()[:-4])
        self.assertNames(self.run_tessera("inspect", "cut.cfg", status=1), "weights for cut.cfg", "expected")


if __name__ == "__main__":
    main()
