"""tessera tune: points with known accuracy, the choice, resuming, the page, and what can be wrong."""
import json
import re
import unittest

from support import BLACK, WHITE_BOXES, CliTest, main, png


class Tune(CliTest):
    """Photos of 64x64 whose objects are the boxes the tiny model gives at 64: its mAP@50 there is 1. At 128 it sees four
    times as many, of half the size: 0."""

    def setUp(self):
        super().setUp()
        self.model = self.tiny_model()
        images, annotations = [], []
        for i in range(6):
            name = f"{i + 1}.png"
            white = i % 3 != 2
            self.write("photos/" + name, png(64, 64) if white else png(64, 64, BLACK))
            images.append({"id": i + 1, "file_name": name, "width": 64, "height": 64})
            for x1, y1, x2, y2 in WHITE_BOXES if white else []:
                annotations.append({"id": len(annotations) + 1, "image_id": i + 1, "category_id": 1, "iscrowd": 0,
                                    "bbox": [x1, y1, x2 - x1, y2 - y1], "area": (x2 - x1) * (y2 - y1)})
        categories = [{"id": 1, "name": "white thing"}, {"id": 2, "name": "other"}]
        self.write("gt.json", json.dumps({"images": images, "annotations": annotations, "categories": categories}))

    def tune(self, *arguments, rounds=2, **options):
        return self.run_tessera("tune", *self.model, "--images", "photos", "--annotations", "gt.json", "--rounds", str(rounds),
                                "--splits", "1x1", *arguments, **options)

    def test_accuracy_and_choice(self):
        done = self.tune("--sizes", "64,128,96x100", "--mosaics", "1x1", "--floor", "0.9", "--json").json()
        by_name = {p["name"]: p for p in done["points"]}
        self.assertEqual(list(by_name), [f"{s} 1x1 multi stretch 1x1" for s in ("64", "128", "96x100")])
        good, poor, wrong = by_name.values()
        self.assertAlmostEqual(good["tuned"]["map_50"], 1)
        self.assertAlmostEqual(good["held_out"]["map_50"], 1)
        self.assertAlmostEqual(poor["tuned"]["map_50"], 0)
        self.assertEqual(len(good["ms"]), 2)
        self.assertLessEqual(good["fastest_ms"], good["median_ms"])
        self.assertIn("32", wrong["error"])  # the stride that does not fit
        self.assertEqual((done["chosen"], good["chosen"], done["photos"]), (good["name"], True, 6))
        self.assertIn("below the floor", poor["reason"])
        self.assertIn("did not run", wrong["reason"])

    def test_commands_run_the_point(self):
        done = self.tune("--sizes", "128", "--mosaics", "2x2", "--box-steps", "single,multi,v2", "--json").json()
        for point in done["points"]:
            self.assertAlmostEqual(point["tuned"]["map_50"], 1, msg=point["name"])
            self.run_tessera("detect", *self.model, *point["command"].split(), "photos")
        self.assertIsNone(done["chosen"])

    def test_table_and_no_point_above_the_floor(self):
        done = self.tune("--sizes", "128", "--floor", "0.5", status=1)
        self.assertIn("no point reaches 0.5050", done.out)
        self.assertRegex(done.out, r"\+ 128 1x1 multi stretch 1x1 +[\d.]+ +[\d.]+ +0\.0000 +0\.0000")

    def test_goes_on_from_a_saved_tuning(self):
        first = self.tune("--sizes", "64,128", "--save", "t.json", "--budget", "1000", "--json").json()
        self.assertEqual(json.loads(self.path("t.json").read_text())["points"], first["points"])
        again = self.tune("--sizes", "64,128", "--save", "t.json", "--budget", "1000", "--json").json()
        self.assertEqual(again["points"], first["points"])  # nothing was measured anew
        more = self.tune("--sizes", "64,128,32", "--save", "t.json", "--json", rounds=3).json()
        self.assertEqual([p["ms"][:2] for p in more["points"][:2]], [p["ms"] for p in first["points"]])
        self.assertEqual([len(p["ms"]) for p in more["points"]], [3, 3, 3])
        self.write("photos/7.png", png(64, 64))
        gt = json.loads(self.path("gt.json").read_text())
        gt["images"].append({"id": 7, "file_name": "7.png"})
        self.write("gt.json", json.dumps(gt))
        self.assertNames(self.tune("--sizes", "64", "--save", "t.json", status=1), "t.json", "was measured with", "another")

    def test_page(self):
        self.tune("--sizes", "64,128", "--floor", "0.5", "--html", "t.html")
        page = self.path("t.html").read_text()
        tuning = json.loads(re.search(r'<script type="application/json" id="tuning">(.*?)</script>', page, re.S).group(1))
        self.assertEqual(tuning["chosen"], "64 1x1 multi stretch 1x1")

    def test_a_bad_photo_is_named_once_and_counted(self):
        self.write("photos/2.png", b"no photo")
        done = self.tune("--sizes", "64,128", "--json")
        self.assertEqual(done.err.count("2.png"), 1)
        self.assertEqual({(p["photos"], p["failed"]) for p in done.json()["points"]}, {(5, 1)})

    def test_errors(self):
        for words, status, text in [(["--floor", "0.5", "--budget", "3"], 2, "--budget"), (["--mosaics", "2by2"], 2, "2by2"),
                                    (["--box-steps", "v3"], 2, "v3"), (["--save", "gt.json"], 1, "is no tuning"),
                                    (["--html", "no/where.html", "--sizes", "64"], 1, "where.html")]:
            self.assertIn(text, self.tune(*words, status=status).err)
        self.assertNames(self.run_tessera("tune", *self.model, "--images", "gone", "--annotations", "gt.json", status=1), "gone")


if __name__ == "__main__":
    main()
