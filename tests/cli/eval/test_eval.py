"""tessera eval: scores of runs and files, comparison, every failure a user can meet."""
import json
import unittest

from support import BLACK, ROOT, WHITE_BOXES, CliTest, data_folder, main, png

OTHER, WHITE_THING = 4, 9


def xywh(box):
    return [box[0], box[1], box[2] - box[0], box[3] - box[1]]


class Eval(CliTest):
    """Two photos: a white one with four objects, all of which the tiny model finds, and a black one with none."""

    def setUp(self):
        super().setUp()
        self.model = self.tiny_model()
        self.write("photos/w.png", png(64, 64))
        self.write("photos/b.png", png(64, 64, BLACK))
        self.images = [{"id": 11, "file_name": "w.png"}, {"id": 12, "file_name": "b.png"}]
        self.annotate()

    def annotate(self, boxes=WHITE_BOXES, category=WHITE_THING):
        objects = [{"id": i + 1, "image_id": 11, "category_id": category, "bbox": xywh(b), "area": 256, "iscrowd": 0}
                   for i, b in enumerate(boxes)]
        self.write("gt.json", json.dumps({
            "images": self.images, "annotations": objects,
            "categories": [{"id": OTHER, "name": "other"}, {"id": WHITE_THING, "name": "white thing"}]}))

    def results(self, name, boxes, score=0.5):
        found = [{"image_id": 11, "category_id": WHITE_THING, "bbox": xywh(b), "score": score - 0.01 * i}
                 for i, b in enumerate(boxes)]
        self.write(name, json.dumps(found))
        return name

    def run_model(self, *arguments, **options):
        return self.run_tessera("eval", "--images", "photos", "--annotations", "gt.json", *self.model, *arguments, **options)

    def score(self, *arguments, **options):
        return self.run_tessera("eval", "--annotations", "gt.json", *arguments, **options)


class Runs(Eval):
    def test_json_of_a_run(self):
        r = self.run_model("--json").json()
        self.assertAlmostEqual(r["map_50"], 1, places=12)
        self.assertAlmostEqual(r["map_50_95"], 1, places=12)
        self.assertEqual((r["photos"], r["failed"], r["absent"], r["objects"], r["detections"]), (2, 0, 0, 4, 4))
        self.assertGreater(r["ms_per_photo"], 0)
        self.assertAlmostEqual(2 * r["ms_per_photo"], r["first_photo_ms"] + r["steady_ms_per_photo"], places=6)
        self.assertEqual(r["run"]["threshold"], 0.001)
        self.assertEqual(r["run"]["input"], [64, 64])
        self.assertEqual([c["class"] for c in r["classes"]], ["other", "white thing"])
        self.assertEqual(r["classes"][0]["ap"], -1)
        self.assertEqual(r["confusion"]["cells"], [{"object": "white thing", "detection": "white thing", "count": 4}])
        self.assertEqual(len(r["coco"]), 12)

    def test_text_of_a_run(self):
        out = self.run_model("--per-class", "--confusion", "--voc").out
        self.assertTrue(out.startswith("2 photos of gt.json: 4 objects, 4 detections\n"), out)
        for part in ("ms per photo", "mAP@50 1.0000   mAP@50:95 1.0000", "VOC mAP 1.0000", "localization", "white thing"):
            self.assertIn(part, out)
        short = self.run_model().out
        self.assertNotIn("VOC", short)

    def test_a_run_scores_as_its_file(self):
        self.write("photos/w.png", png(101, 77))  # boxes that are no whole numbers
        self.annotate([[1.1, 2.2, 30.3, 20.4], [60, 9, 90, 30]])
        run = self.run_model("--json", "--save-run", "run.json").json()
        coco = self.run_tessera("detect", "photos", *self.model, "--coco", "--annotations", "gt.json", "--threshold", "0.001")
        self.write("coco.json", coco.out)
        for name in ("run.json", "coco.json"):
            again = self.score("--detections", name, "--json").json()
            for key in ("coco", "voc", "classes", "errors", "confusion", "map_50"):
                self.assertEqual(run[key], again[key], (name, key))
            self.assertIsNone(again["ms_per_photo"])

    def test_workers_and_mosaics_change_no_score(self):
        for words in (["--workers", "3", "--threads", "1"], ["--size", "128", "--mosaic", "2x2"], ["--scaled-decode"]):
            r = self.run_model("--json", *words).json()
            self.assertAlmostEqual(r["map_50_95"], 1, places=12, msg=words)
            self.assertEqual(r["photos"], 2)
        self.assertEqual(r["run"]["mosaic"], [1, 1])
        out = self.run_model("--size", "128", "--mosaic", "2x2", "--letterbox").out
        self.assertIn("2x2 photos a pass, letterbox", out)
        self.assertNames(self.run_model("--preset", "m640", "--point", "r320", status=1), "--preset and --point")

    def test_bad_photo_is_named_counted_and_left_out(self):
        self.images.append({"id": 13, "file_name": "bad.png"})
        self.annotate()
        self.write("photos/bad.png", "no picture")
        done = self.run_model("--json", status=1)
        self.assertNames(done, "bad.png")
        self.assertNames(done, "1 of 3 photos failed")
        r = json.loads(done.out)
        self.assertEqual((r["photos"], r["failed"]), (2, 1))

    def test_photos_that_are_not_there(self):
        self.images.append({"id": 13, "file_name": "gone.png"})
        self.annotate()
        done = self.run_model("--json")
        self.assertNames(done, "lacks 1 of the 3 photos")
        self.assertEqual((done.json()["photos"], done.json()["absent"]), (2, 1))

    def test_classes_without_a_category(self):
        self.tiny_model(names=("white thing", "unicorn"))
        self.assertNames(self.run_model(), "1 of the model's 2 classes are no category")
        self.tiny_model(names=("pegasus", "unicorn"))
        self.assertNames(self.run_model(status=1), "none of the model's 2 classes ('pegasus' ...) is a category")

    def test_thresholds_reach_the_detector(self):
        self.assertEqual(self.run_model("--threshold", "0.99995", "--json").json()["map_50"], 0)
        self.assertEqual(self.run_model("--max-detections", "2", "--json").json()["detections"], 2)


class Formats(Eval):
    def test_voc_folder(self):
        objects = "".join(f"<object><name>white thing</name><bndbox><xmin>{a}</xmin><ymin>{b}</ymin><xmax>{c}</xmax>"
                          f"<ymax>{d}</ymax></bndbox></object>" for a, b, c, d in WHITE_BOXES)
        self.write("xml/w.xml", f"<annotation><filename>w.png</filename>{objects}</annotation>")
        r = self.run_tessera("eval", "--images", "photos", "--annotations", "xml", *self.model, "--json").json()
        self.assertAlmostEqual(r["map_50_95"], 1, places=12)
        self.assertEqual(r["photos"], 1)

    def test_yolo_folder(self):
        lines = "".join(f"0 {(a + c) / 128} {(b + d) / 128} {(c - a) / 64} {(d - b) / 64}\n" for a, b, c, d in WHITE_BOXES)
        self.write("labels/w.txt", lines)
        r = self.run_tessera("eval", "--images", "photos", "--annotations", "labels", *self.model, "--json").json()
        self.assertAlmostEqual(r["map_50_95"], 1, places=12)
        self.assertEqual(r["photos"], 2)
        self.assertEqual(r["classes"][0]["class"], "white thing")
        self.write("labels/w.txt", "0 0.5\n")
        done = self.run_tessera("eval", "--images", "photos", "--annotations", "labels", *self.model, status=1)
        self.assertNames(done, "w.txt: line 1: want five numbers")

    def test_unreadable_photo_of_a_yolo_folder(self):
        self.write("labels/x.txt", "0 0.5 0.5 0.1 0.1\n")
        self.write("photos/x.png", "no picture")
        done = self.run_tessera("eval", "--images", "photos", "--annotations", "labels", *self.model, "--json", status=1)
        self.assertNames(done, "x.png")
        self.assertEqual((json.loads(done.out)["photos"], json.loads(done.out)["failed"]), (2, 1))


class Files(Eval):
    def test_anybodys_results(self):
        r = self.score("--detections", self.results("r.json", WHITE_BOXES[:2]), "--json").json()
        self.assertAlmostEqual(r["map_50"], 51 / 101, places=12)
        self.assertEqual(r["errors"]["missed"]["count"], 2)
        self.assertIsNone(r["ms_per_photo"])
        self.assertNotIn("run", r)

    def test_results_of_unknown_categories_are_counted(self):
        self.write("r.json", json.dumps([{"image_id": 11, "category_id": 77, "bbox": [0, 0, 1, 1], "score": 1}]))
        self.assertNames(self.score("--detections", "r.json"), "1 detections of categories that the annotations lack")

    def test_files_that_do_not_fit(self):
        self.write("r.json", json.dumps([{"image_id": 5, "category_id": 9, "bbox": [0, 0, 1, 1], "score": 1}]))
        self.assertNames(self.score("--detections", "r.json", status=1), "r.json: [0]: image_id 5 is no image")
        self.write("r.json", "{")
        self.assertNames(self.score("--detections", "r.json", status=1), "r.json: byte 2: is no JSON")
        self.assertNames(self.score("--detections", "none.json", status=1), "none.json")
        self.results("r.json", WHITE_BOXES)
        self.write("gt.json", "[]")
        self.assertNames(self.score("--detections", "r.json", status=1), "gt.json: has no 'images'")

    def test_full_disk(self):
        self.results("r.json", WHITE_BOXES)
        self.assertNames(self.score("--detections", "r.json", "--save-run", "/dev/full", status=1), "/dev/full")


class Comparison(Eval):
    def test_against_results_and_a_saved_run(self):
        self.results("half.json", WHITE_BOXES[:2])
        self.results("all.json", WHITE_BOXES)
        r = self.score("--detections", "all.json", "--against", "half.json", "--seed", "3", "--resamples", "200", "--json").json()
        c = r["comparison"]
        self.assertEqual((c["photos"], c["seed"], c["against"]), (2, 3, "half.json"))
        self.assertAlmostEqual(c["map_50"]["difference"], 50 / 101, places=12)
        # One of two photos has objects: a draw has it, and then the full difference, or has nothing to score.
        self.assertAlmostEqual(c["map_50"]["low"], 50 / 101, places=12)
        self.assertTrue(100 < c["resamples"] < 190, c["resamples"])  # 3/4 of 200 +- 8 deviations
        again = self.score("--detections", "all.json", "--against", "half.json", "--seed", "3", "--resamples", "200", "--json",
                           "--threads", "3").json()
        self.assertEqual(r, again)
        self.run_model("--save-run", "run.json", "--against", "half.json")
        same = self.run_model("--against", "run.json", "--json", "--resamples", "10").json()["comparison"]
        self.assertEqual(same["map_50_95"]["difference"], 0)
        text = self.score("--detections", "all.json", "--against", "half.json").out
        self.assertIn("against half.json: 2 photos in both, ", text)
        self.assertIn("seed 1\n", text)

    def test_photos_in_common_only(self):
        self.results("all.json", WHITE_BOXES)
        self.write("other.json", json.dumps({"photos": [12], "detections": []}))
        r = self.score("--detections", "all.json", "--against", "other.json", "--json", "--resamples", "5").json()
        self.assertEqual(r["comparison"]["photos"], 1)
        self.write("other.json", json.dumps({"photos": [], "detections": []}))
        done = self.score("--detections", "all.json", "--against", "other.json", status=1)
        self.assertNames(done, "no photo is common to both runs")


class Misuse(Eval):
    def test_misuse(self):
        self.assertNames(self.run_tessera("eval", status=2), "--annotations is required")
        self.assertNames(self.score(status=2), "--images (to run a model) or --detections")
        self.assertNames(self.score("--detections", "x", "--resamples", "0", status=2), "--resamples")
        self.assertNames(self.score("--detections", "x", "--threshold", "nan", status=2), "want a number from 0 to below 1")
        self.assertNames(self.score("--detections", "x", "--confusion-threshold", "2", status=2), "want a number from 0 to 1")


@unittest.skipUnless(data_folder(), "no TESSERA_DATA")
class Published(CliTest):
    def test_coco_api_example(self):
        folder = data_folder() / "eval-fixtures" / "cocoapi-fakebbox100"
        r = self.run_tessera("eval", "--json", "--annotations", folder / "instances_val2014_100.json", "--detections",
                             folder / "instances_val2014_fakebbox100_results.json").json()
        for name, value in json.loads((folder / "expected.json").read_text())["stats"].items():
            self.assertAlmostEqual(r["coco"][name], value, delta=1e-9, msg=name)


class Practice(CliTest):
    def test_the_embedded_model_on_a_few_practice_photos(self):
        practice = ROOT / "testdata" / "practice"
        whole = json.loads((practice / "annotations.json").read_text())
        whole["images"] = whole["images"][:12]
        self.write("gt.json", json.dumps(whole))
        done = self.run_tessera("eval", "--images", practice / "images", "--annotations", "gt.json", "--json", "--multi-label")
        # 0.910 on all 200; objects of 12 photos vary far more, a broken coordinate or class gives about 0.
        self.assertGreater(done.json()["map_50"], 0.7)
        rounded = self.run_tessera("eval", "--images", practice / "images", "--annotations", "gt.json", "--json", "--multi-label",
                                   "--pixels", "u8").json()
        self.assertGreater(rounded["map_50"], 0.7)
        self.assertEqual((rounded["run"]["pixels"], done.json()["run"]["pixels"]), ("u8", "f32"))
        self.assertNames(done, "annotations of photos or classes that are not listed are left out")


if __name__ == "__main__":
    main()
