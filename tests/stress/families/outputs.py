"""Places that cannot take the results: full disks, files that may not grow, closed pipes, and photos that a format refuses."""
import json
import os
import resource
import subprocess

import pictures
from account import check_partial
from harness import check_picture, json_lines
from places import PNG


def photos_of(stress, count=30):
    """Practice photos by link, their clean lines, as (names, {name: line})."""
    folder = stress.fresh("photos")
    some = pictures.practice(6)
    names = [str(folder / f"{n:03}.jpg") for n in range(count)]
    for n, name in enumerate(names):
        os.link(some[n % len(some)], name) if os.stat(some[0]).st_dev == os.stat(folder).st_dev else os.symlink(some[n % len(some)], name)
    ran = stress.detect("--serial", "--workers", "1", "--threads", "1", "--json", *names, statuses=(0,))
    return names, dict(json_lines(ran.out)[0])


def whole_pictures(stress, ran, folder):
    for path in folder.iterdir() if folder.is_dir() else ():
        data = path.read_bytes()
        if path.suffix == ".txt":
            stress.expect(not data or data.endswith(b"\n"), ran, f"{path.name}: a line is cut")
        else:
            stress.expect(check_picture(data) is None, ran, f"{path.name}: {check_picture(data)}")


def mount_small(stress, size):
    """A file system of this size, or None where that is not allowed."""
    folder = stress.fresh("disk")
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True).returncode != 0:
        return None
    return folder


def full_disk(stress, times):
    names, clean = photos_of(stress)
    for kind in ("--save-json", "--save-csv", "--save-coco", "--trace"):
        ran = stress.detect(*stress.words(), "--json", kind, "/dev/full", *names, statuses=(1,))
        stress.expect(b"/dev/full" in ran.err and b"No space left" in ran.err, ran, "the place and the reason are not told")
        check_partial(stress, ran, ran.out, names, clean)
    for _ in range(times):
        disk = mount_small(stress, stress.random.choice(("16k", "64k", "200k")))
        if disk is None:
            return stress.skip("full disk: only root may mount a small one; /dev/full stood in")
        try:
            sinks = stress.random.choice((["--output", disk / "pictures"], ["--output", disk / "p", "--png"],
                                          ["--save-yolo", disk / "y", "--output", disk / "p"]))
            ran = stress.detect(*stress.words(), *sinks, "--json", *names, statuses=(1,))
            stress.expect(b"No space left" in ran.err, ran, "the reason is not told")
            check_partial(stress, ran, ran.out, names, clean)
            for folder in disk.iterdir():
                whole_pictures(stress, ran, folder)
        finally:
            subprocess.run(["umount", str(disk)], check=True)


def file_size(stress, times):
    """Files that may not grow past a limit: the signal that the system sends must not end the program."""
    names, clean = photos_of(stress)
    for _ in range(times):
        limit = stress.random.choice((1, 1000, 5000, 20000))
        out = stress.fresh("out")
        sink = stress.random.choice((["--output", out / "p"], ["--save-json", out / "x"], ["--save-csv", out / "x"], ["--save-yolo", out / "y"]))
        ran = stress.detect(*stress.words(), *sink, "--json", *names, limits=[(resource.RLIMIT_FSIZE, limit)])
        done = check_partial(stress, ran, ran.out, names, clean)
        stress.expect(ran.status != 0 or done == len(names), ran, f"status 0 with {done} results of {len(names)}")
        whole_pictures(stress, ran, out / "p")
        whole_pictures(stress, ran, out / "y")


def closed(stress, times):
    """Standard streams that are closed, full or go away. A file that is opened must not become standard output."""
    names, clean = photos_of(stress)
    for form in ("text", "json", "csv", "coco"):
        with open("/dev/full", "wb") as full:
            ran = stress.detect(*stress.words(), "--format", form, *names, stdout=full, statuses=(1,))
            stress.expect(b"stdout: cannot write" in ran.err, ran, "the reason is not told")
    for _ in range(times):
        file = stress.folder / "out.json"
        for stream in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
            file.unlink(missing_ok=True)
            out = stress.fresh("out")
            command = ["sh", "-c", f'exec "$@" {stream}', "sh", stress.program, "detect", *stress.model, *stress.words(),
                       "--save-json", str(file), "--output", str(out), "--format", stress.random.choice(("json", "text")), *names]
            statuses = (1,) if ">&-" in stream and not stream.startswith("2") else (0,)
            stress.runs += 1
            ran = stress.finish(with_command(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                                              stdin=subprocess.DEVNULL, cwd=stress.folder,
                                                              env=stress.environment), command),
                                statuses, speaks="2>&-" not in stream)
            done = check_partial(stress, ran, file.read_bytes(), names, clean)
            stress.expect(statuses == (1,) or done == len(names), ran, f"{done} results of {len(names)}")
            whole_pictures(stress, ran, out)
        reader_goes_away(stress, names)


def with_command(process, command):
    process.command = command
    return process


def reader_goes_away(stress, names):
    file = stress.folder / "out.json"
    process = stress.start(["detect", *stress.model, *stress.words(), "--format", "json", "--save-csv", file, *names])
    os.read(process.stdout.fileno(), stress.random.randrange(1, 2000))
    process.stdout.close()
    process.stdout = None
    ran = stress.finish(process, (0, 1))  # 0 when all fitted into the pipe before it was closed
    stress.expect(ran.status == 0 or b"closed the pipe" in ran.err, ran, "the reason is not told")


def refused(stress, times):
    """A photo that one format refuses is a failure, and a result in none."""
    no_id = stress.write("refused/no-id.png", PNG)
    wide = stress.write("refused/7.png", pictures.one_bit_png(65535, 2))  # wider than a JPEG may be
    fine = [stress.write(f"refused/{n}.png", PNG) for n in (1, 2, 3)]
    for _ in range(times):
        for sinks, bad in ((["--save-coco", "r.coco"], no_id), (["--output", stress.fresh("out")], wide)):
            photos = [fine[0], bad, *fine[1:]]
            ran = stress.detect(*stress.words(), "--json", "--save-csv", "r.csv", "--save-yolo", stress.fresh("y"), *sinks, *photos, statuses=(1,))
            results, failed = json_lines(ran.out)
            stress.results, stress.failures = stress.results + len(results), stress.failures + len(failed)
            stress.expect([n for n, _ in results] == list(map(str, fine)) and failed == [str(bad)], ran, f"not one answer each: failed {failed}")
            stress.expect(str(bad).encode() not in (stress.folder / "r.csv").read_bytes(), ran, "a failed photo is in the CSV")
            stress.expect(sorted(os.listdir(stress.folder / "y")) == ["1.txt", "2.txt", "3.txt"], ran, "a failed photo has a YOLO file")
            if "--save-coco" in sinks:
                json.loads((stress.folder / "r.coco").read_bytes())
    in_the_way(stress)


def in_the_way(stress):
    """Folders where pictures would go, photos where pictures would go."""
    out = stress.fresh("out")
    (out / "2.jpg").mkdir()
    photos = [str(stress.folder / "refused" / f"{n}.png") for n in (1, 2, 3)]
    ran = stress.detect(*stress.words(), "--json", "--output", out, *photos, statuses=(1,))
    results, failed = json_lines(ran.out)
    stress.expect(failed == [photos[1]] and len(results) == 2, ran, f"one name that is taken is one failure: {failed}")
    folder = stress.fresh("own")
    inside = [str(stress.write(f"own/{n}.png", PNG)) for n in range(3)]
    os.symlink(folder, stress.folder / "alias") if not (stress.folder / "alias").exists() else None
    for output in (folder, stress.folder / "alias", folder / "sub" / ".."):
        for words in ([folder], inside, [str(folder) + "/*.png"]):
            ran = stress.detect("--png", "--output", output, *words, statuses=(1,))
            stress.expect(all(open(p, "rb").read() == PNG for p in inside), ran, "a photo was replaced")
