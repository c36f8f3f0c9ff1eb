"""tessera pull against a small server on loopback that can misbehave. No other network is touched."""
import contextlib
import hashlib
import http.server
import os
import pathlib
import threading
import unittest

from support import COCO_NAMES, CliTest, data_folder, main

NAMES = ("\n".join(COCO_NAMES) + "\n").encode()
FILES = {"/yolov7-tiny.cfg": b"[net]\n", "/yolov7-tiny.weights": bytes(range(256)) * 4000, "/coco.names": NAMES}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        server = self.server
        server.requests.append((self.path, self.headers.get("Range")))
        body = server.files.get(self.path)
        if body is None:
            return self.send_error(server.missing)
        begin, status = 0, 200
        if self.headers.get("Range") and not server.ignore_range:
            begin, status = int(self.headers["Range"].split("=")[1].rstrip("-")), 206
            if begin >= len(body):
                return self.send_error(416)
        self.send_response(status)
        self.send_header("Content-Length", str(len(body) - begin))
        if status == 206:
            self.send_header("Content-Range", f"bytes {begin}-{len(body) - 1}/{len(body)}")
        self.end_headers()
        cut = server.cuts.pop(self.path, None)
        self.wfile.write(body[begin:] if cut is None else body[begin:begin + cut])
        if cut is not None:
            self.wfile.flush()
            self.connection.shutdown(2)
            self.close_connection = True


@contextlib.contextmanager
def serving(files, cuts=None, ignore_range=False, missing=404):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda *_: None  # a client that hangs up is part of the tests
    server.files, server.cuts, server.ignore_range, server.missing, server.requests = files, cuts or {}, ignore_range, missing, []
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server, f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


class Pull(CliTest):
    def setUp(self):
        super().setUp()
        self.assertEqual(hashlib.sha256(NAMES).hexdigest(), "634a1132eb33f8091d60f2c346ababe8b905ae08387037aed883953b7329af84")
        self.cache = self.path("cache/tessera/models/yolov7-tiny")
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            self.environment.pop(name, None)
        self.environment["no_proxy"] = "127.0.0.1"

    def pull(self, url, *arguments, name="yolov7-tiny", **options):
        return self.run_tessera("pull", name, "--mirror", url, *arguments, **options)

    def assertPulled(self):
        for path, body in FILES.items():
            self.assertEqual((self.cache / path[1:]).read_bytes(), body, path)
        self.assertEqual(list(self.cache.glob("*.part")), [])

    def test_fetches_and_shows_the_licence(self):
        with serving(FILES) as (server, url):
            done = self.pull(url)
            self.assertEqual(done.out, f"{self.cache}\n")
            self.assertNames(done, "licence: YOLO LICENSE v2 (public domain)")
            self.assertNames(done, "yolov7-tiny.weights: no checksum is known for it")
            self.assertPulled()
            count = len(server.requests)
            self.assertNames(self.pull(url), "yolov7-tiny.cfg: already here")
            self.assertEqual(len(server.requests), count)
        self.assertIn("[pulled]", self.run_tessera("pull", "--list").out)

    def test_a_cut_download_goes_on_where_it_ended(self):
        with serving(FILES, cuts={"/yolov7-tiny.weights": 300000}) as (server, url):
            self.assertNames(self.pull(url, status=1), "the connection was cut; pull again to go on from there")
            self.assertEqual((self.cache / "yolov7-tiny.weights.part").stat().st_size, 300000)
            self.pull(url)
            self.assertIn(("/yolov7-tiny.weights", "bytes=300000-"), server.requests)
            self.assertPulled()

    def test_a_server_without_ranges(self):
        with serving(FILES, cuts={"/yolov7-tiny.weights": 300000}, ignore_range=True) as (_, url):
            self.pull(url, status=1)
            self.pull(url)
            self.assertPulled()

    def test_a_part_that_is_already_whole_or_too_long(self):
        for extra in (b"", b"too long"):
            with self.subTest(extra=extra), serving(FILES) as (_, url):
                self.write(f"{self.cache}/yolov7-tiny.weights.part", FILES["/yolov7-tiny.weights"] + extra)
                self.pull(url)
                self.assertPulled()
                os.remove(self.cache / "yolov7-tiny.weights")

    def test_wrong_sum_is_refused_and_not_kept(self):
        with serving({**FILES, "/coco.names": NAMES[:-1] + b"!"}) as (_, url):
            done = self.pull(url, status=1)
            self.assertNames(done, "coco.names: the file's SHA-256 is", "expected 634a1132")
            self.assertFalse((self.cache / "coco.names").exists())
            self.assertFalse((self.cache / "coco.names.part").exists())

    def test_missing_and_broken_servers(self):
        with serving({}) as (_, url):
            self.assertNames(self.pull(url, status=1), "yolov7-tiny.cfg: the server has no such file (404)")
            self.assertFalse((self.cache / "yolov7-tiny.cfg").exists())
        with serving({}, missing=503) as (_, url):
            self.assertNames(self.pull(url, status=1), "the server answers 503")
        self.assertNames(self.pull(url, status=1), "yolov7-tiny.cfg", "connect")
        self.assertNames(self.pull("ftp://127.0.0.1", status=1), "yolov7-tiny.cfg")

    def test_error_page_does_not_end_up_in_a_part(self):
        with serving({k: v for k, v in FILES.items() if "weights" not in k}) as (_, url):
            self.write(f"{self.cache}/yolov7-tiny.weights.part", b"begun")
            self.pull(url, status=1)
            self.assertEqual((self.cache / "yolov7-tiny.weights.part").read_bytes(), b"begun")

    def test_names_and_list(self):
        done = self.run_tessera("pull", "yolov99", status=1)
        self.assertNames(done, "yolov99: no model of this name: see `tessera pull --list`")
        out = self.run_tessera("pull", "--list").out
        for name in ("yolo-fastest-1.1", "yolov4-tiny", "yolov3", "yolox-nano"):
            self.assertIn(name, out)
        self.assertIn("Apache-2.0", out)
        self.assertNotIn("[pulled]", out)

    def test_no_cache_folder(self):
        self.environment.pop("XDG_CACHE_HOME")
        self.environment.pop("HOME", None)
        self.assertNames(self.run_tessera("pull", "yolov4", status=1), "no cache folder: set XDG_CACHE_HOME or HOME")
        self.environment["XDG_CACHE_HOME"] = str(self.write("file", ""))
        with serving(FILES) as (_, url):
            self.assertNames(self.pull(url, status=1), "cannot make the folder")

    @unittest.skipIf(data_folder() is None, "no TESSERA_DATA")
    def test_the_listed_sums_are_those_of_the_real_files_and_detect_takes_the_name(self):
        models = data_folder() / "models" / "darknet"
        files = {"/" + name: (models / name).read_bytes()
                 for name in ("yolo-fastest-1.1.cfg", "yolo-fastest-1.1.weights", "coco.names")}
        with serving(files) as (_, url):
            self.pull(url, name="yolo-fastest-1.1")
        photo = data_folder() / "images" / "misc" / "dog.jpg"
        found = self.run_tessera("detect", "--model", "yolo-fastest-1.1", "--json", photo).json()["photos"][0]["detections"]
        self.assertIn("dog", {d["class"] for d in found})


if __name__ == "__main__":
    main()
