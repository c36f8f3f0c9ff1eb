"""What every family of the stress suite shares: running the program under limits, and the account of every photo.

A run is checked by what cannot be argued with: it ends in time with status 0, 1 or 2; no sanitizer and no abort speaks;
each photo that went in is in exactly one of results and failures, in order; and each result is, byte for byte, the one
of a clean run of the same photo: serial, one worker, one thread, one photo per pass.
"""
import csv
import io
import json
import os
import pathlib
import random
import re
import resource
import shlex
import shutil
import subprocess
import tempfile
import zlib

import support

GOOD, BAD, ANY = "good", "bad", "any"  # must have a result, must fail, may do either but always the same
WALL_LIMIT = 240  # seconds for a run that takes a fraction of one: only a hang reaches it
NOBODY = 65534
CRASH = re.compile(rb"(Address|Leak|Thread|Memory|UndefinedBehavior)Sanitizer|runtime error:|terminate called|"
                   rb"Assertion|stack smashing|double free|corrupted|Segmentation fault")
MOSAICS = ([], ["--mosaic", "2x2", "--size", "128"], ["--mosaic", "1x3", "--size", "192x64"])  # tiles of 64, all of them


class Ran:
    """One finished run."""

    def __init__(self, command, status, out, err, hung):
        self.command, self.status, self.out, self.err, self.hung = command, status, out, err, hung


class Stress:
    """One family: a folder of its own, a stream of random numbers of its own, counts and complaints."""

    def __init__(self, name, program, seed):
        self.name, self.program = name, os.path.abspath(program)
        self.random = random.Random(f"{seed} {name}")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"tessera-stress-{name}-"))
        self.folder.chmod(0o755)  # a run as another user must reach the photos
        self.model = list(map(os.fspath, support.write_tiny_model(self.folder)))
        self.runs = self.results = self.failures = 0
        self.complaints, self.skipped = [], []
        self.environment = {**os.environ, "LC_ALL": "C.UTF-8", "XDG_CACHE_HOME": str(self.folder / "cache")}

    # --- photos ---

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path

    def fresh(self, name):
        """An empty folder of this name, which may have been there."""
        shutil.rmtree(self.folder / name, ignore_errors=True)
        (self.folder / name).mkdir(parents=True)
        return self.folder / name

    # --- runs ---

    def start(self, arguments, limits=(), user=None, **options):
        """`limits` are (resource, value) pairs that hold for the program alone."""
        def prepare():
            for what, value in limits:
                resource.setrlimit(what, (value, value))
            if user is not None:
                os.setgroups([])
                os.setgid(user)
                os.setuid(user)
        command = [self.program, *map(os.fspath, arguments)]
        self.runs += 1
        settings = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": self.folder,
                    "env": self.environment, "preexec_fn": prepare if limits or user is not None else None, **options}
        process = subprocess.Popen(command, **settings)
        process.command = command
        return process

    def finish(self, process, statuses=(0, 1), stdin=None, speaks=True):
        hung = False
        try:
            out, err = process.communicate(stdin, timeout=WALL_LIMIT)
        except subprocess.TimeoutExpired:
            hung = True
            process.kill()
            out, err = process.communicate()
        ran = Ran(process.command, process.returncode, out or b"", err or b"", hung)
        if hung:
            self.complain(ran, f"still running after {WALL_LIMIT} s")
        elif ran.status not in statuses:
            self.complain(ran, f"exit status {ran.status}, want one of {tuple(statuses)}")
        if CRASH.search(ran.err):
            self.complain(ran, "crashed: " + CRASH.search(ran.err).group().decode())
        if speaks and ran.status == 1 and not ran.err.startswith(b"tessera: ") and b"\ntessera: " not in ran.err:
            self.complain(ran, "failed without a word on stderr")
        return ran

    def run(self, *arguments, statuses=(0, 1), stdin=None, **options):
        if stdin is not None:
            options["stdin"] = subprocess.PIPE
        return self.finish(self.start(arguments, **options), statuses, stdin)

    def detect(self, *arguments, **options):
        return self.run("detect", *self.model, *arguments, **options)

    def complain(self, ran, text):
        command = shlex.join(ran.command) if ran else ""
        said = ran.err.decode(errors="replace") if ran else ""
        if len(command) > 400:
            command = f"{command[:330]} ... {command[-60:]}"
        if len(said) > 600:
            said = f"{said[:300]} ... {said[-250:]}"
        self.complaints.append(f"{self.name}: {text}\n  {command}\n  {said}")

    def expect(self, holds, ran, text):
        if not holds:
            self.complain(ran, text)
        return holds

    def skip(self, reason):
        self.skipped.append(reason)

    def can_be_nobody(self):
        """Root reads everything, so what must not be read is tried as another user, where it may run the program."""
        if os.geteuid() != 0:
            return True
        try:
            return subprocess.run([self.program, "--version"], capture_output=True, cwd="/", user=NOBODY, group=NOBODY,
                                  env=self.environment).returncode == 0
        except OSError:
            return False

    def nobody(self):
        return NOBODY if os.geteuid() == 0 else None

    # --- ways to run ---

    def words(self, scaled=False):
        """Mosaic, workers, threads and schedule, drawn at random."""
        pick = self.random.choice
        words = list(pick(MOSAICS)) + ["--workers", pick("124"), "--threads", pick("124")]
        words += pick(([], [], ["--serial"], ["--chunk", "4", "--chunk-ends", "2"]))
        return words + (["--scaled-decode"] if scaled else [])


# --- results as files ---

def json_lines(text):
    """Results by file name as the bytes of their lines, in order; the names of failures, in order. Raises ValueError."""
    whole = json.loads(text)
    lines = [line.rstrip(b",") for line in text.split(b"\n") if line.startswith(b'{"file":')]
    photos = [p["file"] for p in whole["photos"]]
    if [json.loads(line)["file"] for line in lines] != photos + [p["file"] for p in whole["failed"]]:
        raise ValueError("its lines are not its photos")
    return list(zip(photos, lines)), [p["file"] for p in whole["failed"]]


def check_picture(data):
    """What keeps a picture from being whole, or None."""
    if data.startswith(b"\xff\xd8\xff"):
        return None if data.endswith(b"\xff\xd9") else "a JPEG without its end"
    if not data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "neither JPEG nor PNG"
    at, pixels = 8, b""
    while at + 12 <= len(data):
        size, kind = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
        pixels += data[at + 8:at + 8 + size] if kind == b"IDAT" else b""
        at += 12 + size
        if kind == b"IEND":
            zlib.decompress(pixels)
            return None
    return "a PNG without its end"


def csv_counts(data):
    """Rows per file name; ValueError when a row has not ten fields."""
    rows = list(csv.reader(io.StringIO(data.decode(errors="replace"), newline="")))
    if not rows or rows[0][0] != "file" or any(len(row) != 10 for row in rows):
        raise ValueError("a row is not whole")
    counts = {}
    for row in rows[1:]:
        counts[row[0]] = counts.get(row[0], 0) + 1
    return counts
