"""The program as a whole: help, versions, misuse. Every verb answers --help; a wrong word is status 2."""
import json
import re
import subprocess

from support import PROGRAM, CliTest, main

VERBS = ["bench", "compare", "convert", "detect", "inspect", "pull", "run", "version"]


class Program(CliTest):
    def test_help_lists_every_verb(self):
        out = self.run_tessera("--help").out
        for verb in VERBS:
            self.assertIn(f"  {verb} ", out)
        self.assertIn("Exit status", out)

    def test_each_verb_has_help_with_the_common_options(self):
        for verb in VERBS:
            done = self.run_tessera(verb, "--help")
            self.assertEqual(done.err, "")
            for word in ("--quiet", "--verbose", f"tessera {verb}"):
                self.assertIn(word, done.out, verb)
            if verb != "version":
                self.assertIn("Examples:", done.out, verb)

    def test_version(self):
        self.assertRegex(self.run_tessera("--version").out, r"^tessera \d+\.\d+\.\d+\n$")
        self.assertIn("best isa", self.run_tessera("version").out)
        facts = self.run_tessera("version", "--json").json()
        self.assertIn("cpu", facts["devices"])
        self.assertGreaterEqual(facts["processors"], 1)

    def test_misuse_is_status_2_and_points_to_help(self):
        for arguments, message in [
            ([], "A subcommand is required"),
            (["frobnicate"], "frobnicate"),
            (["detect"], "photos is required"),
            (["detect", "x.jpg", "--no-such-option"], "--no-such-option"),
            (["detect", "x.jpg", "--size", "big"], "'big' is no size: want 416 or 640x384"),
            (["detect", "x.jpg", "--size", "0"], "is no size"),
            (["detect", "x.jpg", "--size", "64x"], "is no size"),
            (["detect", "x.jpg", "--isa", "sse9"], "'sse9' is no isa"),
            (["detect", "x.jpg", "--device", "tpu"], "'tpu' is no device: want one of cpu, reference"),
            (["detect", "x.jpg", "--kernel", "conv"], "'conv' is no choice of kernel"),
            (["detect", "x.jpg", "--threads", "0"], "--threads"),
            (["detect", "x.jpg", "--threshold", "1"], "--threshold"),
            (["detect", "x.jpg", "--threshold", "nan"], "--threshold"),
            (["detect", "x.jpg", "--nms-iou", "1.5"], "--nms-iou"),
            (["detect", "x.jpg", "--max-detections", "0"], "--max-detections"),
            (["detect", "x.jpg", "--json", "--csv"], "--csv"),
            (["detect", "x.jpg", "--json", "--format", "csv"], "--format"),
            (["detect", "x.jpg", "--format", "xml"], "--format"),
            (["detect", "x.jpg", "--letterbox", "--stretch"], "--stretch"),
            (["detect", "x.jpg", "--quality", "101"], "--quality"),
            (["run", "--layout", "nhcw", "--output", "x"], "--layout"),
            (["run"], "--output is required"),
            (["convert"], "is required"),
            (["bench", "--runs", "0"], "--runs"),
            (["compare", "--relative", "-1"], "--relative"),
            (["compare", "--photo", "a", "--input", "b"], "--photo"),
        ]:
            with self.subTest(arguments=arguments):
                done = self.run_tessera(*arguments, status=2)
                self.assertEqual(done.out, "")
                self.assertIn(message, done.err)
                self.assertRegex(done.err, r"See: tessera (\w+ )?--help")

    def test_no_model_at_all(self):
        """Either the build embeds one, or it says that it does not."""
        embedded = self.run_tessera("version", "--json").json()["embedded_model"]
        if embedded == "none":
            self.assertNames(self.run_tessera("inspect", status=1), "no embedded model in this build: give --model")
        else:
            self.assertEqual(self.run_tessera("inspect", "--json").json()["name"], embedded)


if __name__ == "__main__":
    main()
