"""tessera detect on videos: every frame in order, times, strides, cut files, playing in its own time."""
import json
import os
import shutil
import signal
import subprocess
import unittest

from support import PROGRAM, WHITE_BOXES, CliTest, main, png

READS_VIDEO = os.environ.get("TESSERA_READS_VIDEO") == "1"


class Video(CliTest):
    def setUp(self):
        super().setUp()
        self.model = self.tiny_model()

    def detect(self, *arguments, **options):
        return self.run_tessera("detect", *self.model, *arguments, **options)

    def clip(self, name="clip.mkv", frames=7, words=("-c:v", "ffv1"), white="eq(mod(N,3),0)"):
        """A 64x64 clip of 10 frames a second whose frames are white where `white` says so, else black."""
        if not shutil.which("ffmpeg"):
            self.skipTest("no ffmpeg program to make videos with")
        luma = f"if({white},235,16)"
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "color=size=64x64:rate=10", "-vf",
                        f"format=yuv420p,geq=lum='{luma}':cb=128:cr=128", "-frames:v", str(frames), *words, self.path(name)],
                       check=True)
        return self.path(name)


@unittest.skipIf(READS_VIDEO, "this build reads videos")
class WithoutFfmpeg(Video):
    def test_says_how_to_get_it(self):
        done = self.detect(self.write("clip.mp4", b"\0\0\0\x20ftypisom"), self.write("w.png", png(64, 64)), status=1)
        self.assertNames(done, "clip.mp4: this build reads no video", "libavformat-dev")
        self.assertIn("w.png", done.out)  # the others are there


@unittest.skipUnless(READS_VIDEO, "built without FFmpeg")
class Files(Video):
    def test_every_frame_in_order(self):
        clip = self.clip()
        done = self.detect("--json", clip).json()
        self.assertEqual(done["failed"], [])
        self.assertEqual([p["file"] for p in done["photos"]], [f"{clip}#{i:06}" for i in range(7)])
        self.assertEqual([p["frame"] for p in done["photos"]], list(range(7)))
        self.assertEqual([p["time"] for p in done["photos"]], [i / 10 for i in range(7)])
        for i, photo in enumerate(done["photos"]):
            self.assertEqual([d["box"] for d in photo["detections"]], WHITE_BOXES if i % 3 == 0 else [], i)
        self.assertNotIn("age_ms", done["photos"][0])

    def test_workers_and_mosaics_change_nothing(self):
        clip = self.clip(frames=23)
        one = self.detect("--json", "--workers", "1", clip).out
        self.assertEqual(one, self.detect("--json", "--workers", "3", clip).out)
        tiled = self.detect("--json", "--mosaic", "2x2", "--size", "128", "--workers", "2", clip).out
        self.assertEqual(one, tiled)

    def test_stride_start_and_duration(self):
        clip = self.clip(frames=20)
        for words, want in [(["--every", "6"], [0, 6, 12, 18]), (["--start", "1.5"], [15, 16, 17, 18, 19]),
                            (["--start", "0.5", "--duration", "0.3"], [5, 6, 7])]:
            photos = self.detect("--json", *words, clip).json()["photos"]
            self.assertEqual([p["frame"] for p in photos], want)
        self.assertNames(self.detect("--start", "9", clip, status=1), "clip.mkv: the video holds no frame that was asked for")
        for words in (["--every", "0"], ["--start", "-1"], ["--start", "nan"], ["--duration", "0"]):
            self.detect(*words, clip, status=2)

    def test_all_formats(self):
        clip = self.clip(frames=4)
        done = self.detect("--coco", "--output", "out", "--save-yolo", "labels", "--save-csv", "r.csv", clip)
        self.assertEqual({r["image_id"] for r in json.loads(done.out)}, {0, 3})
        self.assertEqual(sorted(os.listdir(self.path("out"))), [f"clip_{i:06}.jpg" for i in range(4)])
        self.assertEqual(sorted(os.listdir(self.path("labels"))), [f"clip_{i:06}.txt" for i in range(4)])
        self.assertIn(f"{clip}#000003,64,64,0,white thing", self.path("r.csv").read_text())
        self.assertTrue(self.detect(clip).out.startswith(f"{clip}#000000  64x64  4: "))

    def test_among_photos_by_pattern_and_by_list(self):
        clip, photo = self.clip(frames=2), self.write("z.png", png(64, 64))
        names = [p["file"] for p in self.detect("--json", clip, photo, str(self.path("c*.mkv"))).json()["photos"]]
        self.assertEqual(names, [f"{clip}#000000", f"{clip}#000001", str(photo)] + [f"{clip}#000000", f"{clip}#000001"])
        listed = self.detect("--json", "-", stdin=f"{clip}\n{photo}\n".encode()).json()["photos"]
        self.assertEqual([p["file"] for p in listed], names[:3])

    def test_cut_and_false_files_cost_no_results(self):
        clip = self.clip("fast.mp4", 40, ("-c:v", "mjpeg", "-movflags", "+faststart"))
        cut = self.write("cut.mp4", clip.read_bytes()[:-2000])
        prose = self.write("text.mp4", "no video")
        done = self.detect("--json", cut, prose, self.write("z.png", png(64, 64)), status=1)
        results = json.loads(done.out)
        frames = [p["frame"] for p in results["photos"] if "frame" in p]
        self.assertEqual(frames, list(range(len(frames))))
        self.assertTrue(0 < len(frames) < 40)
        self.assertEqual(results["photos"][-1]["file"], str(self.path("z.png")))
        self.assertNames(done, "cut.mp4")
        self.assertNames(done, "text.mp4: cannot open the video")
        self.assertIn("failed", done.err.splitlines()[-1])


@unittest.skipUnless(READS_VIDEO, "built without FFmpeg")
class Live(Video):
    def test_each_frame_is_a_result_or_dropped(self):
        photos = self.detect("--json", "--live", self.clip(frames=8)).json()["photos"]
        expected = 0
        for photo in photos:
            self.assertEqual(photo["frame"], expected + photo["dropped"])
            self.assertGreaterEqual(photo["age_ms"], 0)
            self.assertEqual(len(photo["detections"]), 4 if photo["frame"] % 3 == 0 else 0)
            expected = photo["frame"] + 1
        self.assertEqual(expected, 8)  # the newest is never dropped

    def test_ctrl_c_is_its_end_and_keeps_results(self):
        clip = self.clip(frames=3000, words=("-c:v", "mpeg4"))  # five minutes
        process = subprocess.Popen([PROGRAM, "detect", *map(str, self.model), "--live", "--save-json", "r.json", str(clip)],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment)
        self.assertIn(b"#000000", process.stdout.readline())  # a result is there
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=120)
        self.assertEqual((process.returncode, errors), (0, b""))
        photos = json.loads(self.path("r.json").read_text())["photos"]
        self.assertTrue(1 <= len(photos) < 3000)

    def test_what_cannot_be_reached_is_named(self):
        self.assertNames(self.detect("http://127.0.0.1:9/none", status=1), "http://127.0.0.1:9/none: cannot open the video")


if __name__ == "__main__":
    main()
