"""The account of photos: what a clean run says of each, and whether another way to run says the same."""
import json
import os

from harness import ANY, BAD, GOOD, check_picture, csv_counts, json_lines

CLEAN = ["--serial", "--workers", "1", "--threads", "1"]


def stem(name):
    return os.path.splitext(os.path.basename(name))[0]


class Account:
    """Photos whose stems differ, with their fates. `reads` are the words that name them to the program."""

    def __init__(self, stress, fates, reads=None):
        self.stress, self.fates = stress, {os.fspath(name): fate for name, fate in fates.items()}
        self.reads = reads or list(self.fates)
        self.clean, self.failed, self.files = {}, set(), {}
        for scaled in (False, True):
            self._run_clean(scaled)

    def _run_clean(self, scaled):
        s = self.stress
        out, json_file = s.fresh("clean"), s.folder / "clean.json"
        sinks = ["--save-json", json_file, "--save-yolo", out / "yolo"]
        sinks += ["--scaled-decode"] if scaled else ["--output", out / "pictures"]
        ran = s.detect(*CLEAN, *sinks, *self.reads)
        try:
            results, failed = json_lines(json_file.read_bytes())
        except (OSError, ValueError) as error:
            return s.complain(ran, f"a clean run leaves no whole JSON: {error}")
        self.clean[scaled], self.failed = dict(results), set(failed)
        for name, fate in self.fates.items():
            if not s.expect((name in self.clean[scaled]) + (name in self.failed) == 1, ran, f"{name}: not exactly one answer"):
                continue
            wrong = {GOOD: name in self.failed, BAD: name in self.clean[scaled], ANY: False}[fate]
            s.expect(not wrong, ran, f"{name}: should be {fate}")
        for folder in ("yolo",) if scaled else ("yolo", "pictures"):
            self.files[folder, scaled] = read_folder(out / folder)
        for name, data in ({} if scaled else self.files["pictures", False]).items():
            s.expect(check_picture(data) is None, ran, f"{name}: {check_picture(data)}")

    def cross(self, times):
        """Other ways to run over the same photos, with other sinks, each checked in full."""
        s = self.stress
        for _ in range(times):
            scaled = s.random.random() < 0.3
            out, json_file = s.fresh("out"), s.folder / "out.json"
            sinks = ["--save-json", json_file]
            wants = {kind for kind in ("yolo", "pictures", "csv", "coco") if s.random.random() < 0.4}
            wants -= {"pictures"} if scaled else set()
            sinks += [f"--save-yolo={out}/yolo"] * ("yolo" in wants) + [f"--output={out}/pictures"] * ("pictures" in wants)
            sinks += [f"--save-csv={out}/r.csv"] * ("csv" in wants) + [f"--save-coco={out}/r.json"] * ("coco" in wants)
            stdout = s.random.choice(("text", "json", "csv"))
            ran = s.detect(*s.words(scaled), *sinks, "--format", stdout, *self.reads, statuses=(1 if self.failed else 0,))
            try:
                self._check(ran, scaled, json_file.read_bytes(), stdout)
                self._check_files(ran, scaled, out, wants)
            except (OSError, ValueError) as error:
                s.complain(ran, f"a result is not whole: {error}")

    def _check(self, ran, scaled, text, stdout):
        s = self.stress
        results, failed = json_lines(text)
        s.results += len(results)
        s.failures += len(failed)
        clean = self.clean.get(scaled, {})
        s.expect([n for n, _ in results] == list(clean), ran, "other photos have results than in a clean run, or another order")
        s.expect(sorted(failed) == sorted(self.failed), ran, "other photos fail than in a clean run")
        changed = [name for name, line in results if clean.get(name) != line]
        s.expect(not changed, ran, f"other bytes than in a clean run: {changed[:3]}")
        if stdout == "json":
            s.expect(ran.out == text, ran, "stdout and the file differ")
        elif stdout == "csv":
            s.expect(csv_counts(ran.out) == detections_of(results), ran, "the CSV has other rows than the JSON")
        elif not any("\n" in name for name in self.fates):
            s.expect(ran.out.count(b"\n") == len(results), ran, "the text has not one line per result")

    def _check_files(self, ran, scaled, out, wants):
        s = self.stress
        for kind in wants & {"yolo", "pictures"}:
            s.expect(read_folder(out / kind) == self.files.get((kind, scaled)), ran, f"other {kind} than in a clean run")
        counts = detections_of(self.clean.get(scaled, {}).items())
        if "csv" in wants:
            s.expect(csv_counts((out / "r.csv").read_bytes()) == counts, ran, "the CSV has other rows than the JSON")
        if "coco" in wants:
            s.expect(len(json.loads((out / "r.json").read_bytes())) == sum(counts.values()), ran, "COCO has other boxes")


def read_folder(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def detections_of(results):
    counts = {json.loads(line)["file"]: len(json.loads(line)["detections"]) for _, line in results}
    return {name: count for name, count in counts.items() if count}


def check_partial(stress, ran, text, photos, clean):
    """The JSON of a run that was ended: whole, and what it tells is told once, in order, and as a clean run does."""
    try:
        results, failed = json_lines(text)
    except ValueError as error:
        stress.complain(ran, f"the JSON is not whole: {error}")
        return 0
    stress.results += len(results)
    stress.failures += len(failed)
    names = [name for name, _ in results]
    stress.expect(len(set(names + failed)) == len(names) + len(failed), ran, "a photo has two answers")
    stress.expect(names == [p for p in photos if p in set(names)], ran, "results are not in order")
    stress.expect(all(clean.get(name) == line for name, line in results), ran, "other bytes than in a clean run")
    return len(results)
