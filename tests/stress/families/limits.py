"""Too little memory, too few files: named, never a crash, and no photo is lost."""
import os
import resource

import pictures
from account import check_partial
from harness import json_lines
from outputs import photos_of
from places import PNG


def check_all(stress, ran, file, names, what):
    """Either the program could not begin, and says so, or every photo has one answer."""
    if ran.status < 0 or not file.exists() or not file.stat().st_size:
        return stress.expect(ran.status == 1, ran, f"{what}: neither results nor an error")
    try:
        results, failed = json_lines(file.read_bytes())
    except ValueError as error:
        return stress.complain(ran, f"{what}: the JSON is not whole: {error}")
    stress.results, stress.failures = stress.results + len(results), stress.failures + len(failed)
    told = [name for name, _ in results] + failed
    stress.expect(len(set(told)) == len(told), ran, f"{what}: a photo has two answers")
    # What ran out between photos ends the run, which then says so.
    stress.expect(sorted(told) == sorted(names) or b"out of memory" in ran.err, ran,
                  f"{what}: {len(told)} answers for {len(names)} photos")
    stress.expect(ran.status == 1 or not failed, ran, f"{what}: status 0 with failures")


def has_sanitizers(stress):
    """They take terabytes of addresses, and cannot begin with fewer."""
    began = stress.run("--version", limits=[(resource.RLIMIT_AS, 2 << 30)], statuses=range(-64, 256)).status == 0
    stress.complaints.clear()
    return not began


def memory(stress, times):
    if has_sanitizers(stress):
        return stress.skip("a program with sanitizers needs more addresses than a limit leaves")
    names, _ = photos_of(stress, 12)
    names[6:6] = [str(stress.write(f"large/{side}.png", pictures.one_bit_png(side, side))) for side in (2000, 6000, 9000)]
    for _ in range(times):
        file = stress.folder / "out.json"
        file.unlink(missing_ok=True)
        megabytes = stress.random.choice((20, 40, 60, 80, 100, 150, 200, 300, 500, 800, 1200, 2000))
        sinks = stress.random.choice(([], ["--output", stress.fresh("out")], ["--save-yolo", stress.fresh("y")]))
        ran = stress.detect(*stress.words(), "--save-json", file, *sinks, *names, limits=[(resource.RLIMIT_AS, megabytes << 20)],
                            statuses=(0, 1, 127))  # 127: not even its libraries fit
        if ran.status != 127:
            check_all(stress, ran, file, names, f"{megabytes} MB")
    endless(stress)


def endless(stress):
    """A picture on standard input that never ends, in memory that does."""
    with open("/dev/zero", "rb") as zeros:
        process = stress.start(["detect", *stress.model, "--json", "-"], stdin=-1, limits=[(resource.RLIMIT_AS, 600 << 20)])
        try:
            process.stdin.write(PNG[:40])
            while True:
                process.stdin.write(zeros.read(1 << 20))
        except BrokenPipeError:
            pass
        ran = stress.finish(process, (1,))
    stress.expect(json_lines(ran.out) == ([], ["-"]), ran, "no failure is reported")


def descriptors(stress, times):
    if has_sanitizers(stress):
        return stress.skip("sanitizers open pipes to look at memory, and report an error where they get none")
    names, clean = photos_of(stress, 30)
    for _ in range(times):
        file = stress.folder / "out.json"
        file.unlink(missing_ok=True)
        number = stress.random.randrange(3, 20)
        sinks = stress.random.choice(([], ["--output", stress.fresh("out")], ["--save-csv", "r.csv"], ["--trace", "t.json"]))
        words = stress.random.choice((names, [os.path.dirname(names[0])]))
        ran = stress.detect(*stress.words(), *sinks, "--save-json", file, *words, limits=[(resource.RLIMIT_NOFILE, number)],
                            statuses=(0, 1, 127))
        if ran.status == 127 or words is not names and b"cannot list the folder" in ran.err:
            continue
        if file.exists() and file.stat().st_size and b"cannot create" in ran.err:  # a picture's place ends the run
            check_partial(stress, ran, file.read_bytes(), names, clean)
        elif ran.status != 127:
            check_all(stress, ran, file, names, f"{number} files")
