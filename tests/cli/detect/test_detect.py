"""tessera detect: results in every format, odd photos, every failure a user can meet."""
import json
import os
import resource
import shutil
import signal
import subprocess
import time
import unittest

from support import BLACK, COCO_NAMES, IMAGES, PROGRAM, WHITE_BOXES, CliTest, data_folder, main, png


class Detect(CliTest):
    def setUp(self):
        super().setUp()
        self.model = self.tiny_model()

    def detect(self, *arguments, **options):
        return self.run_tessera("detect", *self.model, *arguments, **options)

    def photos_of(self, *arguments, **options):
        return self.detect("--json", *arguments, **options).json()["photos"]

    def white(self, name="white.png", width=64, height=64):
        return self.write(name, png(width, height))


def practice_photo():
    folder = IMAGES.parent / "practice" / "images"
    return folder / sorted(os.listdir(folder))[0]


class Mosaics(Detect):
    def test_tiles_give_what_the_photo_alone_gives(self):
        photos = [self.white(f"{i}.png", 30 + 7 * i, 64) for i in range(5)]
        alone = self.photos_of(*photos)
        self.assertEqual(self.photos_of("--mosaic", "2x2", "--size", "128", *photos), alone)
        self.assertEqual(self.photos_of("--mosaic", "1x3", "--size", "192x64", *photos), alone)

    def test_named_points_and_the_preset(self):
        photo = self.white()
        boxes = lambda *words: len(self.photos_of(*words, photo)[0]["detections"])
        self.assertEqual(boxes("--point", "m512"), 64)  # a tile of 256 has 8x8 cells
        self.assertEqual(boxes("--point", "r384"), 144)
        self.assertEqual(boxes("--point", "m640", "--size", "128"), 4)  # the size that is given wins
        # Class 1 of every cell, too, is above the preset's 0.001; its power rank is reported.
        found = self.photos_of("--preset", "m640", photo)[0]["detections"]
        self.assertEqual(len(found), 100)
        self.assertAlmostEqual(found[0]["score"], 0.99990, places=4)
        self.assertEqual(len(self.photos_of("--preset", "m640", "--max-per-class", "7", photo)[0]["detections"]), 7)

    def test_workers_and_trace(self):
        photos = [self.white(f"{i}.png", 20 + i, 64) for i in range(9)]
        want = self.photos_of("--workers", "1", *photos)
        self.assertEqual(self.photos_of("--workers", "3", "--mosaic", "2x2", "--size", "128", *photos), want)
        self.assertEqual(self.detect("--csv", "--quiet", "--workers", "9", *photos).err, "")  # more than processors
        self.assertEqual(self.photos_of("--chunk", "4", "--chunk-ends", "2", *photos), want)
        self.assertEqual(self.photos_of("--serial", *photos), want)
        flipped = self.photos_of("--flip", *photos)  # white photos are their own mirror images
        self.assertEqual([len(p["detections"]) for p in flipped], [len(p["detections"]) for p in want])
        self.detect("--quiet", "--workers", "2", "--trace", self.path("trace.json"), *photos)
        with open(self.path("trace.json")) as file:
            events = json.load(file)["traceEvents"]
        self.assertEqual(sorted(e["name"] for e in events), sorted(["decode", "detect", "write"] * 9))
        self.assertNames(self.detect("--trace", self.path("no/where.json"), photos[0], status=1), "where.json")

    def test_scaled_decode_keeps_sizes_and_boxes_of_the_photo(self):
        self.assertNames(self.detect("--scaled-decode", "--output", "out", self.white(), status=2), "--scaled-decode")
        photo = practice_photo()  # 480x360 or so: 64x64 pixels of input allow a quarter
        full, = self.photos_of("--threshold", "0", photo)
        scaled, = self.photos_of("--threshold", "0", "--scaled-decode", photo)
        self.assertEqual((full["width"], full["height"]), (scaled["width"], scaled["height"]))
        self.assertEqual(len(full["detections"]), len(scaled["detections"]))
        self.assertNotEqual(full["detections"], scaled["detections"])  # other pixels were averaged
        for a, b in zip(full["detections"], scaled["detections"]):
            self.assertEqual(a["box"], b["box"])  # this network's boxes do not depend on pixels, only scores do

    def test_errors(self):
        photo = self.white()
        for words, status, text in [
                (["--mosaic", "2x"], 2, "'2x' is no mosaic: want ROWSxCOLS, each 1 to 8, as in 2x2"),
                (["--mosaic", "9x1"], 2, "is no mosaic"),
                (["--point", "m64"], 2, "'m64' is no operating point: want one of m512, m640, r320"),
                (["--preset", "m640", "--point", "r320"], 1, "--preset and --point both choose the canvas"),
                (["--mosaic", "3x3"], 1, "mosaic 3x3 does not divide the input of 64x64"),
                (["--edge-penalty", "0"], 2, "'0': want a number from above 0 to 1"),
                (["--edge-penalty", "0.5"], 1, "a mosaic of 1 x 1 has no inner edges")]:
            done = self.detect(*words, photo, status=status)
            self.assertIn(text, done.err)


class Formats(Detect):
    def test_json_has_the_known_boxes(self):
        done = self.detect("--json", self.white(), self.write("black.png", png(64, 64, BLACK))).json()
        self.assertEqual(done["failed"], [])
        white, black = done["photos"]
        self.assertEqual((white["file"], white["width"], white["height"]), (str(self.path("white.png")), 64, 64))
        self.assertEqual([d["box"] for d in white["detections"]], WHITE_BOXES)
        self.assertEqual({(d["class"], d["class_id"]) for d in white["detections"]}, {("white thing", 0)})
        for d in white["detections"]:
            self.assertAlmostEqual(d["score"], 0.99991, places=4)
        self.assertEqual(black["detections"], [])

    def test_text_is_one_line_per_photo(self):
        done = self.detect(self.white(), self.write("black.png", png(10, 20, BLACK)))
        lines = done.out.splitlines()
        self.assertEqual(lines[0], f"{self.path('white.png')}  64x64  4: " + ", ".join(["white thing 1.00"] * 4))
        self.assertEqual(lines[1], f"{self.path('black.png')}  10x20  0")
        self.assertEqual(done.err, "")  # no terminal: no progress, no notes

    def test_csv(self):
        odd = self.white('a,"b".png')
        lines = self.detect("--csv", odd).out.split("\r\n")
        self.assertEqual(lines[0], "file,width,height,class_id,class,score,x1,y1,x2,y2")
        quoted = '"' + str(odd).replace('"', '""') + '"'
        self.assertTrue(lines[1].startswith(f"{quoted},64,64,0,white thing,0.9999"), lines[1])
        self.assertTrue(lines[1].endswith(",8,8,24,24"))
        self.assertEqual(len(lines), 6)
        self.assertEqual(self.detect("--csv", self.write("b.png", png(9, 9, BLACK))).out, lines[0] + "\r\n")

    def test_coco_ids_from_the_name(self):
        photo = self.white("COCO_val2014_000000000139.png")
        results = self.detect("--coco", photo).json()
        self.assertEqual([r["bbox"] for r in results], [[x, y, 16, 16] for x, y, _, _ in WHITE_BOXES])
        self.assertEqual({(r["image_id"], r["category_id"]) for r in results}, {(139, 1)})
        self.assertEqual(self.detect("--format", "coco", self.write("7.png", png(8, 8, BLACK))).json(), [])

    def test_coco_without_an_id_is_that_photos_failure(self):
        done = self.detect("--coco", self.white("x.png"), self.white("5.png"), status=1)
        self.assertEqual({r["image_id"] for r in json.loads(done.out)}, {5})
        self.assertNames(done, "x.png", "the name ends in no image id: give --annotations")

    def test_coco_ids_from_annotations(self):
        self.write("a.json", json.dumps({"images": [{"id": 77, "file_name": "w.png"}],
                                         "categories": [{"id": 12, "name": "other"}, {"id": 34, "name": "white thing"}]}))
        done = self.detect("--coco", "--annotations", self.path("a.json"), self.white("w.png"), self.white("v.png"), status=1)
        self.assertEqual({(r["image_id"], r["category_id"]) for r in json.loads(done.out)}, {(77, 34)})
        self.assertNames(done, "v.png", "the annotations list no image of this name")

    def test_annotations_that_do_not_fit(self):
        photo = self.white("w.png")
        self.write("bad.json", "{")
        self.assertNames(self.detect("--coco", "--annotations", "bad.json", photo, status=1), "bad.json", "is not a JSON object")
        self.write("empty.json", "{}")
        self.assertNames(self.detect("--coco", "--annotations", "empty.json", photo, status=1), "empty.json", "has no 'categories'")
        self.write("other.json", json.dumps({"images": [{"id": 1, "file_name": "w.png"}], "categories": [{"id": 1, "name": "x"}]}))
        self.assertNames(self.detect("--coco", "--annotations", "other.json", photo, status=1), "no category is called 'white thing'")
        self.assertNames(self.detect("--coco", "--annotations", "none.json", photo, status=1), "none.json")

    def test_yolo_text(self):
        self.detect("--save-yolo", "labels", self.white(), self.write("black.png", png(64, 64, BLACK)))
        first = self.path("labels/white.txt").read_text().splitlines()[0]
        self.assertEqual(first, "0 0.250000 0.250000 0.250000 0.250000")
        self.assertEqual(self.path("labels/black.txt").read_bytes(), b"")
        self.detect("--save-yolo", "scored", "--yolo-scores", self.white())
        self.assertRegex(self.path("scored/white.txt").read_text().splitlines()[0], r"^0( 0\.250000){4} 0\.9999\d\d$")

    def test_pictures(self):
        self.detect("--output", "out", "--png", self.white("dark.png", 200, 200))
        picture = self.path("out/dark.png").read_bytes()
        self.assertTrue(picture.startswith(b"\x89PNG"))
        drawn = self.photos_of(self.path("out/dark.png"))[0]
        self.assertEqual((drawn["width"], drawn["height"]), (200, 200))
        self.detect("--output", "jpegs", "--no-labels", "--quality", "50", self.white())
        self.assertTrue(self.path("jpegs/white.jpg").read_bytes().startswith(b"\xff\xd8\xff"))

    def test_same_names_do_not_collide(self):
        self.detect("--output", "out", self.white("a/x.png"), self.white("b/x.png"), self.white("c/x.png"))
        self.assertEqual(sorted(os.listdir(self.path("out"))), ["x.jpg", "x_2.jpg", "x_3.jpg"])

    def test_several_results_at_once(self):
        done = self.detect("--json", "--save-csv", "r.csv", "--save-json", "r.json", "--save-coco", "r.coco", self.white("3.png"))
        self.assertEqual(self.path("r.json").read_text(), done.out)
        self.assertEqual(len(self.path("r.csv").read_text().splitlines()), 5)
        self.assertEqual(len(json.loads(self.path("r.coco").read_text())), 4)

    def test_official_category_ids(self):
        cfg = self.path("tiny.cfg").read_text().replace("classes=2", "classes=80").replace("filters=7", "filters=85")
        self.write("coco.cfg", cfg)
        import struct
        biases = [0, 0, 0, 0, 10] + [-10] * 79 + [10]
        self.write("coco.weights", struct.pack(f"<iiiq{85 * 4}f", 0, 2, 5, 0, *biases, *([0] * 85 * 3)))
        self.write("coco.names", "\n".join(COCO_NAMES) + "\n")
        done = self.run_tessera("detect", "--model", "coco.cfg", "--names", "coco.names", "--coco", self.white("1.png"))
        self.assertEqual({r["category_id"] for r in done.json()}, {90})


class Thresholds(Detect):
    def test_threshold_and_cap(self):
        self.assertEqual(self.photos_of("--threshold", "0.99995", self.white())[0]["detections"], [])
        self.assertEqual(len(self.photos_of("--max-detections", "3", self.white())[0]["detections"]), 3)
        # sigmoid(-10): class 1 as well, when every class may answer
        both = self.photos_of("--multi-label", "--threshold", "0.00001", self.white())[0]["detections"]
        self.assertEqual(sorted({d["class"] for d in both}), ["other", "white thing"])
        self.assertEqual(len(both), 8)
        agnostic = self.photos_of("--multi-label", "--class-agnostic", "--threshold", "0.00001", self.white())[0]["detections"]
        self.assertEqual(len(agnostic), 4)

    def test_boxes_are_in_photo_pixels(self):
        wide = self.white("wide.png", 128, 64)
        self.assertEqual(self.photos_of(wide)[0]["detections"][0]["box"], [16, 8, 48, 24])
        # letterboxed: 64x32 in the middle; grey 128/255 above one half, so all four cells answer
        boxes = [d["box"] for d in self.photos_of("--letterbox", wide)[0]["detections"]]
        self.assertIn([16, 0, 48, 16], boxes)  # (8..24, 8..24) less 16 rows of padding, doubled, clamped

    def test_runs_agree(self):
        white = self.white("w.png", 100, 77)
        one = self.photos_of("--threads", "1", white)
        self.assertEqual(one, self.photos_of("--threads", "3", white))
        self.assertEqual(one, self.photos_of("--device", "reference", white))
        self.assertEqual(one, self.photos_of("--isa", "scalar", "--disable", "reuse", "--disable", "zero-copy", white))
        self.assertEqual(one, self.photos_of("--kernel", "conv=naive", white))

    def test_size(self):
        self.assertEqual(len(self.photos_of("--size", "128x64", self.white())[0]["detections"]), 8)


class Sources(Detect):
    def names(self, *arguments, **options):
        return [os.path.relpath(p["file"], self.folder) for p in self.photos_of(*arguments, **options)]

    def test_folder_in_natural_order(self):
        for n in (10, 2, 1):
            self.white(f"p/photo{n}.png")
        self.white("p/UPPER.PNG")
        self.write("p/notes.txt", "not a photo")
        self.white("p/sub/deep.png")
        self.assertEqual(self.names(self.path("p")), ["p/UPPER.PNG", "p/photo1.png", "p/photo2.png", "p/photo10.png"])
        self.assertEqual(self.names("-r", self.path("p"))[-1], "p/sub/deep.png")

    def test_links_that_loop(self):
        self.white("p/a/x.png")
        os.symlink(self.path("p"), self.path("p/a/back"))
        self.assertEqual(self.names("--recursive", self.path("p")), ["p/a/x.png"])

    def test_patterns(self):
        self.white("p/b2.png"), self.white("p/b10.png"), self.white("p/c.png")
        self.assertEqual(self.names(str(self.path("p")) + "/b*.png"), ["p/b2.png", "p/b10.png"])
        odd = self.white("p/[x].png")  # a file of that very name is no pattern
        self.assertEqual(self.names(odd), ["p/[x].png"])
        done = self.detect("none*.png", status=1)
        self.assertNames(done, "none*.png: the pattern matches no file")

    def test_stdin_list_and_photo(self):
        a, b = self.white("a b.png"), self.white("Bär.png")
        listing = f"{a}\n{b}\r\n\n".encode()
        self.assertEqual(self.names("-", stdin=listing), ["a b.png", "Bär.png"])
        photo = self.photos_of("-", stdin=a.read_bytes())[0]
        self.assertEqual((photo["file"], len(photo["detections"])), ("-", 4))
        self.assertEqual(self.photos_of("-", stdin=(IMAGES / "24.bmp").read_bytes())[0]["file"], "-")
        self.assertEqual(self.photos_of("-", stdin=(IMAGES / "p6.ppm").read_bytes())[0]["file"], "-")
        self.detect("-", "--output", "out", stdin=a.read_bytes())
        self.assertEqual(os.listdir(self.path("out")), ["stdin.jpg"])
        self.assertNames(self.detect("-", stdin=b"", status=1), "-: standard input is empty")
        self.assertNames(self.detect("-", "-", stdin=listing, status=1), "standard input is already taken")

    def test_unicode_and_bytes_that_are_no_unicode(self):
        self.assertEqual(self.names(self.white("фото 写真.png")), ["фото 写真.png"])
        raw = os.fsencode(self.folder) + b"/x\xff.png"
        shutil.copy(self.white(), raw)
        done = self.run_tessera("detect", *self.model, "--json", os.fsdecode(raw))
        self.assertTrue(json.loads(done.out)["photos"][0]["file"].endswith("x\ufffd.png"))

    def test_every_format_by_content(self):
        for name in ("baseline.jpg", "rgb8.png", "lossy.webp", "24.bmp", "p6.ppm"):
            shutil.copy(IMAGES / name, self.path(name + ".dat"))
            self.assertEqual(len(self.photos_of(self.path(name + ".dat"))), 1, name)


class Failures(Detect):
    def test_bad_photo_among_good_ones(self):
        whole = (IMAGES / "baseline.jpg").read_bytes()
        self.white("p/1.png"), self.white("p/3.png")
        self.write("p/2.jpg", whole[:len(whole) // 2])
        done = self.detect("--json", self.path("p"), status=1)
        result = json.loads(done.out)
        self.assertEqual([os.path.basename(p["file"]) for p in result["photos"]], ["1.png", "3.png"])
        self.assertEqual([os.path.basename(p["file"]) for p in result["failed"]], ["2.jpg"])
        self.assertNames(done, "2.jpg")
        self.assertNames(done, "1 of 3 photos failed")

    def test_what_is_not_there(self):
        done = self.detect("--json", self.white(), "gone.png", "gone/", status=1)
        self.assertEqual(len(json.loads(done.out)["photos"]), 1)
        self.assertNames(done, "gone.png: no such file or folder")
        self.assertNames(done, "gone/: no such file or folder")

    def test_what_is_no_photo(self):
        self.assertNames(self.detect(self.write("x.jpg", "hello"), status=1), "x.jpg")
        self.assertNames(self.detect(self.write("empty.png", ""), status=1), "empty.png")
        os.symlink("nowhere", self.path("broken.png"))
        self.white("p/a.png")
        os.symlink("nowhere", self.path("p/b.png"))
        self.assertNames(self.detect(self.path("p"), status=1), "b.png")

    def test_empty_folder(self):
        os.mkdir(self.path("empty"))
        self.assertNames(self.detect("empty", status=1), "empty: the folder holds no picture")
        self.white("outer/inner/x.png")
        self.assertNames(self.detect("outer", status=1), "look into its folders with --recursive")

    def test_list_with_a_folder_in_it(self):
        os.mkdir(self.path("d"))
        self.assertNames(self.detect("-", stdin=b"d\n", status=1), "d")

    @unittest.skipIf(os.geteuid() == 0, "root reads everything")
    def test_unreadable(self):
        photo = self.white()
        os.chmod(photo, 0)
        self.assertNames(self.detect(photo, status=1), "white.png")
        os.mkdir(self.path("shut"), 0)
        self.assertNames(self.detect("shut", status=1), "shut: cannot list the folder")

    def test_output_not_writable(self):
        self.write("file", "in the way")
        photo = self.white()
        self.assertNames(self.detect("--output", "file", photo, status=1), "file", "output folder")
        self.assertNames(self.detect("--output", "file/sub", photo, status=1), "file/sub", "cannot make the output folder")
        self.assertNames(self.detect("--save-json", "no/such/x.json", photo, status=1), "x.json", "cannot write")

    def test_output_among_the_photos(self):
        self.white("p/x.png")
        self.assertNames(self.detect("--output", "p", "p", status=1), "lies in the folder of photos")
        self.assertNames(self.detect("-r", "--output", "p/out", "p", status=1), "lies in the folder of photos")
        done = self.detect("--output", "p", "p/x.png", status=1)
        self.assertNames(done, "p/x.png", "lies in the output folder")
        self.assertEqual(os.listdir(self.path("p")), ["x.png"])
        self.detect("--output", "p/out", "p")  # beside them is fine when folders are not searched

    def test_full_disk_and_closed_pipe(self):
        with open("/dev/full", "wb") as full:
            process = subprocess.run([PROGRAM, "detect", *map(str, self.model), "--json", self.white()], stdout=full,
                                     stderr=subprocess.PIPE, text=True)
        self.assertEqual(process.returncode, 1)
        self.assertIn("stdout: cannot write: No space left on device", process.stderr)
        reader, writer = os.pipe()
        os.close(reader)
        process = subprocess.run([PROGRAM, "detect", *map(str, self.model), "--json", self.white()], stdout=writer,
                                 stderr=subprocess.PIPE, text=True)
        os.close(writer)
        self.assertEqual(process.returncode, 1)
        self.assertIn("stdout: the reader closed the pipe", process.stderr)

    def test_closed_stdout_is_no_file(self):
        """What is opened next must not get the number of stdout, or results would be written into it."""
        script = 'exec "$@" >&-'
        process = subprocess.run(["sh", "-c", script, "sh", PROGRAM, "detect", *map(str, self.model), "--save-json", "r.json", self.white()],
                                 cwd=self.folder, stderr=subprocess.PIPE, text=True)
        self.assertEqual(process.returncode, 1)
        self.assertIn("stdout: cannot write: Bad file descriptor", process.stderr)
        self.assertLessEqual(len(json.loads(self.path("r.json").read_text())["photos"]), 1)

    def test_files_that_may_not_grow(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        process = subprocess.run([PROGRAM, "detect", *map(str, self.model), "--output", "out", self.white()], cwd=self.folder,
                                 preexec_fn=limit, capture_output=True, text=True)
        self.assertEqual(process.returncode, 1)
        self.assertIn("white.jpg': cannot write: File too large", process.stderr)
        self.assertEqual(os.listdir(self.path("out")), [])  # no half picture

    def test_a_failed_photo_is_in_no_results(self):
        wide = self.white("wide9.png", 65535, 1)  # wider than a JPEG may be
        for words in (["--save-coco", "r.coco", self.white("no-id.png")], ["--output", "out", wide]):
            done = self.detect("--json", "--save-csv", "r.csv", *words, status=1)
            self.assertEqual((len(done.json()["photos"]), len(done.json()["failed"])), (0, 1))
            self.assertEqual(len(self.path("r.csv").read_text().splitlines()), 1)

    def test_interrupt_keeps_what_is_done(self):
        photo = self.white()
        process = subprocess.Popen([PROGRAM, "detect", *map(str, self.model), "--json", "-"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdin.write(f"{photo}\n".encode())
        process.stdin.flush()
        begun = b""
        while not begun.endswith(b"}]}"):  # written out when the photo is done; stdin stays open
            begun += os.read(process.stdout.fileno(), 65536)
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)  # stdin stays open: the wait for it must end, whichever thread the signal reached
        rest, err = process.communicate()
        self.assertEqual(process.returncode, 1)
        self.assertEqual(len(json.loads(begun + rest)["photos"]), 1)
        self.assertIn(b"stopped after 1 photos", err)


class Models(Detect):
    def test_wrong_names(self):
        model = self.tiny_model(names=["only one"])
        self.assertNames(self.run_tessera("detect", *model, self.white(), status=1), "1 class names for 2 classes")

    def test_wrong_size(self):
        self.assertNames(self.detect("--size", "100", self.white(), status=1), "32")

    def test_missing_model(self):
        done = self.run_tessera("detect", "--model", "gone.cfg", self.white(), status=1)
        self.assertNames(done, "gone.cfg: no such file, and no model of this name: see `tessera pull --list`")
        done = self.run_tessera("detect", "--model", "yolov4", self.white(), status=1)
        self.assertNames(done, "yolov4: no such file, but a model to be fetched: say `tessera pull yolov4` first")

    def test_unknown_switches(self):
        self.assertNames(self.detect("--disable", "no-such-pass", self.white(), status=1), "no-such-pass")
        self.assertNames(self.detect("--kernel", "conv=no-such", self.white(), status=1), "no-such")

    def test_verbose_tells_choices(self):
        self.assertIn("conv", self.detect("--verbose", self.white()).err)


class Sizes(Detect):
    def test_extreme_photos(self):
        for width, height in ((1, 1), (1, 300), (20000, 20), (20, 20000)):
            photo = self.photos_of(self.white("x.png", width, height))[0]
            self.assertEqual((photo["width"], photo["height"]), (width, height))
            self.assertEqual(len(photo["detections"]), 4)
            for d in photo["detections"]:
                x1, y1, x2, y2 = d["box"]
                self.assertTrue(0 <= x1 <= x2 <= width and 0 <= y1 <= y2 <= height, d)
        self.detect("--output", "out", self.path("x.png"))
        self.detect("--output", "out", self.white("one.png", 1, 1))

    @unittest.skipIf("ASAN_OPTIONS" in os.environ or "TSAN_OPTIONS" in os.environ, "sanitizers keep freed memory")
    def test_memory_is_flat(self):
        """Many photos need what is on its way more than one photo, not what has been; links make many of one."""
        photo = self.white("big.png", 1500, 1000)
        for count in (1, 60):
            for n in range(count):
                link = self.path(f"p{count}/{n}.png")
                link.parent.mkdir(exist_ok=True)
                os.symlink(photo, link)
        script = ("import resource,subprocess,sys;subprocess.run(sys.argv[1:],check=True,stdout=subprocess.DEVNULL);"
                  "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
        peak = {}
        for count in (1, 60):
            command = ["python3", "-c", script, PROGRAM, "detect", *map(str, self.model), "--json", "--workers", "2", str(self.path(f"p{count}"))]
            peak[count] = int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        # Two workers and four photos ahead, three passes; as much again for what the allocator keeps. kB.
        self.assertLess(peak[60], peak[1] + 2 * 9 * 1500 * 1000 * 3 // 1024, peak)


class RealPhotos(Detect):
    @unittest.skipIf(data_folder() is None, "no TESSERA_DATA")
    def test_the_dog_is_found(self):
        """Expected: OpenCV 4.6 DNN on the same weights and photo, best box of each class: it rounds the resized photo
        to bytes, so scores differ by up to 0.01 and boxes by a few pixels."""
        models = data_folder() / "models" / "darknet"
        done = self.run_tessera("detect", "--model", models / "yolo-fastest-1.1-xl.cfg", "--names", models / "coco.names",
                                "--threshold", "0.4", "--json", data_folder() / "images" / "misc" / "dog.jpg")
        found = done.json()["photos"][0]["detections"]
        expected = {"dog": (0.958, [114, 189, 386, 536]), "bicycle": (0.894, [113, 127, 574, 497])}
        for name, (score, box) in expected.items():
            best = next(d for d in found if d["class"] == name)
            self.assertAlmostEqual(best["score"], score, delta=0.01)
            for ours, theirs in zip(best["box"], box):
                self.assertAlmostEqual(ours, theirs, delta=4, msg=best)
        self.assertIn("car", {d["class"] for d in found})


if __name__ == "__main__":
    main()
