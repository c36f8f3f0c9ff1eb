"""Photos that vanish, shrink, grow or are replaced while the program reads them; folders that change while listed."""
import os
import shutil
import threading
import time

import pictures
from harness import json_lines

WHITE = pictures.png(64, 64, (b"\0" + b"\xff" * 192) * 64)
SMALL = pictures.png(9, 9, (b"\0" + b"\xff" * 27) * 9)


class Meddler:
    """Does something to one photo after the other, at random, until told to stop."""

    def __init__(self, random, photos, action):
        self.random, self.photos, self.action, self.over = random, photos, action, False
        self.thread = threading.Thread(target=self.work)

    def work(self):
        while not self.over:
            try:
                self.action(self.random.choice(self.photos), self.random)
            except OSError:
                pass
            time.sleep(0.0005)

    def __enter__(self):
        self.thread.start()

    def __exit__(self, *_):
        self.over = True
        self.thread.join()


def vanish(path, _random):
    os.unlink(path)


def come_and_go(path, random):
    if random.random() < 0.5:
        path.write_bytes(WHITE)
    else:
        os.unlink(path)


def shrink(path, random):
    os.truncate(path, random.randrange(len(WHITE)))


def rewrite(path, random):
    path.write_bytes(random.choice((WHITE, SMALL, b"", b"text", WHITE[:50])))


def replace(path, random):
    """Whole pictures only, moved into place: whoever reads sees one or the other, never a failure."""
    other = path.with_suffix(f".{random.randrange(10**9)}")
    other.write_bytes(random.choice((WHITE, SMALL)))
    os.replace(other, path)


def become_folder(path, _random):
    os.unlink(path)
    path.mkdir()


ACTIONS = (vanish, come_and_go, shrink, rewrite, replace, become_folder)


def changing(stress, times):
    for _ in range(times):
        for action in ACTIONS:
            folder = stress.fresh("photos")
            photos = [folder / f"{n}.png" for n in range(150)]
            for photo in photos:
                photo.write_bytes(WHITE)
            file = stress.folder / "out.json"
            by_name = stress.random.random() < 0.7  # else by folder, whose listing then changes too
            words = photos if by_name else [folder]
            with Meddler(stress.random, photos, action):
                ran = stress.detect(*stress.words(), "--save-json", file, "--output", stress.fresh("out"), *words)
            check(stress, ran, file, photos, action, by_name)
            shutil.rmtree(folder, ignore_errors=True)


def check(stress, ran, file, photos, action, by_name):
    try:
        results, failed = json_lines(file.read_bytes())
    except (OSError, ValueError) as error:
        return stress.complain(ran, f"the JSON is not whole: {error}")
    stress.results, stress.failures = stress.results + len(results), stress.failures + len(failed)
    told, wanted = [name for name, _ in results] + failed, [str(photo) for photo in photos]
    stress.expect(len(set(told)) == len(told), ran, "a photo has two answers")
    if by_name:  # a folder's photos may be gone before it is listed, or be folders by then
        stress.expect(sorted(told) == sorted(wanted), ran, f"{len(told)} answers for {len(wanted)} photos")
    stress.expect((ran.status == 1) == bool(failed), ran, f"status {ran.status} with {len(failed)} failures")
    sizes = {b'"width":64,"height":64', b'"width":9,"height":9'}
    stress.expect(all(any(size in line for size in sizes) for _, line in results), ran, "a size that no version had")
    if action is replace:
        stress.expect(not failed, ran, f"{len(failed)} failures where every version is whole: {failed[:2]}")
