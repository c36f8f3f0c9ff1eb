"""Files and folders that are odd themselves: unreadable, links, special files, deep folders, names, output places."""
import os
import threading

import pictures
from account import Account, check_partial
from harness import BAD, GOOD, json_lines

PNG = pictures.png(9, 9, (b"\0" + b"\xff" * 27) * 9)


def detect_all(stress, fates, *words, statuses=None, **options):
    """One run over arguments (or what `words` name) whose fates are known; every fate is checked."""
    file = stress.folder / "out.json"
    file.unlink(missing_ok=True)
    statuses = statuses or ((1,) if BAD in fates.values() else (0,))
    reads = words or list(fates)
    ran = stress.detect("--save-json", file, *stress.words(), "--", *reads, statuses=statuses, **options)
    try:
        results, failed = json_lines(file.read_bytes())
    except (OSError, ValueError) as error:
        return stress.complain(ran, f"the JSON is not whole: {error}")
    stress.results += len(results)
    stress.failures += len(failed)
    wanted = [os.fsencode(name).decode(errors="replace") for name in fates]
    fate = dict(zip(wanted, fates.values()))
    stress.expect(sorted(n for n, _ in results) == sorted(n for n in wanted if fate[n] == GOOD), ran, "other photos have results")
    stress.expect(sorted(failed) == sorted(n for n in wanted if fate[n] == BAD), ran, f"other photos fail: {failed}")


def names(stress, times):
    folder = os.fsencode(stress.fresh("names"))
    odd = [b"new\nline", b"tab\t", b'quote"s', b"it's", b"com,ma", b"back\\slash", b"-leading", b" blank ", b"%s%n{}", b"[x]", b"*",
           b"a?b", b"\xff\xfe", b"\xc3\x28", "фото 写真".encode(), b"\x1b[31m", b"\x7f", b"n" * 250 + b"7", b"..png.", b"semi;colon", b"$HOME"]
    fates = {}
    for number, name in enumerate(odd):
        path = folder + b"/" + (name if len(name) == 251 else b"%s-%04d" % (name, number)) + b".png"
        with open(path, "wb") as file:
            file.write(PNG)
        fates[os.fsdecode(path)] = GOOD
    for _ in range(times):
        detect_all(stress, fates)
        detect_all(stress, fates, os.fsdecode(folder))
    account = Account(stress, {name: GOOD for name in fates if name.isprintable()})
    account.cross(times)
    long_names(stress)


def long_names(stress):
    """Names of 255 bytes, the most there is: with another extension, or a second of the name, they would be longer."""
    photos = [stress.write(f"{sub}/{'w' * 251}{end}", PNG) for sub in ("a", "b") for end in (".png", "wxyz")]
    out = stress.fresh("out")
    sinks = ["--output", out / "pictures", "--save-yolo", out / "yolo"]
    ran = stress.detect(*stress.words(), *sinks, "--json", *photos, statuses=(0,))
    for kind in ("pictures", "yolo"):
        stress.expect(len(os.listdir(out / kind)) == len(photos), ran, f"not a file per photo in {kind}")


def links(stress, times):
    folder = stress.fresh("links")
    photo = stress.write("links/real.png", PNG)
    for name, target in (("loop1.png", "loop2.png"), ("loop2.png", "loop1.png"), ("self.png", "self.png"), ("gone.png", "nowhere"),
                         ("good.png", "real.png"), ("far.png", "good.png"), ("through.png", "real.png/x")):
        os.symlink(target, folder / name)
    os.symlink(".", folder / "here")
    os.symlink("..", folder / "up")
    fates = {str(folder / n): BAD for n in ("loop1.png", "loop2.png", "self.png", "gone.png", "through.png")}
    fates |= {str(p): GOOD for p in (folder / "good.png", folder / "far.png", photo)}
    for _ in range(times):
        detect_all(stress, fates)
        detect_all(stress, fates, str(folder))
    file = stress.folder / "r.json"
    ran = stress.detect("-r", "--save-json", file, folder, statuses=(1,))  # `up` leads to all there is, once
    results, failed = json_lines(file.read_bytes())
    stress.expect(len(failed) == 5 and len(results) == 3, ran, f"{len(results)} results, {len(failed)} failures over looping folders")


def folders(stress, times):
    """Deep ones, past what a path may hold; empty ones; one that is called like a photo; a thousand photos."""
    top = stress.fresh("deep")
    at, depth = os.open(top, os.O_RDONLY), 0
    while depth < 60:  # 60 levels of 101 bytes: the path gets longer than PATH_MAX, the photos below 4096 stay reachable
        os.mkdir("d" * 100, dir_fd=at)
        below = os.open("d" * 100, os.O_RDONLY, dir_fd=at)
        os.close(at)
        at, depth = below, depth + 1
        with open(os.open("x.png", os.O_WRONLY | os.O_CREAT, dir_fd=at), "wb") as file:
            file.write(PNG)
    os.close(at)
    file = stress.folder / "deep.json"
    ran = stress.detect("-r", "--save-json", file, top, statuses=(1,))
    results, failed = json_lines(file.read_bytes())
    reachable = (4095 - len(str(top)) - len("/x.png")) // 101
    stress.expect(len(results) == reachable and failed, ran, f"{len(results)} results of {reachable}, {len(failed)} failures")
    for name in ("empty", "called.png", "called.png/inner"):
        stress.fresh(name)
    stress.write("called.png/inner/y.png", PNG)
    detect_all(stress, {str(stress.folder / "empty"): BAD, str(stress.folder / "none"): BAD, str(stress.folder / "called.png"): BAD})
    many = stress.fresh("many")
    for number in range(1000):
        os.link(stress.folder / "called.png/inner/y.png", many / f"{number}.png")
    for _ in range(times):
        detect_all(stress, {str(many / f"{number}.png"): GOOD for number in range(1000)}, str(many))


def unreadable(stress, times):
    if not stress.can_be_nobody():
        return stress.skip("root reads everything, and another user cannot run the program here")
    folder = stress.fresh("shut")
    photos = {str(stress.write(f"shut/{n}.png", PNG)): BAD if n % 3 == 1 else GOOD for n in range(9)}
    for name, fate in photos.items():
        os.chmod(name, 0 if fate == BAD else 0o644)
    closed, blind = stress.fresh("closed"), stress.fresh("blind")
    hidden, unlisted = stress.write("closed/x.png", PNG), stress.write("blind/x.png", PNG)
    closed.chmod(0)
    blind.chmod(0o111)  # may be entered, not listed
    stress.fresh("theirs").chmod(0o777)
    user = stress.nobody()
    fates = {**photos, str(hidden): BAD, str(unlisted): GOOD, str(closed): BAD, str(blind): BAD}
    for _ in range(times):
        file = stress.folder / "theirs" / "out.json"
        ran = stress.detect(*stress.words(), "--save-json", file, *fates, user=user, statuses=(1,))
        results, failed = json_lines(file.read_bytes())
        stress.results, stress.failures = stress.results + len(results), stress.failures + len(failed)
        stress.expect({n for n, _ in results} == {n for n in fates if fates[n] == GOOD} and
                      sorted(failed) == sorted(n for n in fates if fates[n] == BAD), ran, f"other failures: {failed}")
    # Outputs that may not be written: told before anything is tried.
    good = next(n for n in photos if photos[n] == GOOD)
    for words in (["--output", folder / "out"], ["--save-json", folder / "x.json"], ["--save-yolo", closed / "y"], ["--trace", closed / "t"]):
        ran = stress.detect(*words, good, user=user, statuses=(1,))
        stress.expect(b"ermission denied" in ran.err, ran, "the reason is not told")


def special(stress, times):
    """Pipes and devices in the place of photos."""
    fifo = stress.folder / "fifo.png"
    os.mkfifo(fifo)
    for data, fate in ((PNG, GOOD), (PNG[:40], BAD), (b"", BAD)) * times:
        feeder = threading.Thread(target=lambda: fifo.write_bytes(data), daemon=True)
        feeder.start()
        detect_all(stress, {str(fifo): fate})
        feeder.join(5)
    photo = stress.write("good.png", PNG)
    detect_all(stress, {"/dev/null": BAD, str(photo): GOOD, "/proc/self/mem": BAD, "/proc/self/status": BAD, "/dev/fd/99": BAD})
    detect_all(stress, {str(photo): GOOD, "-": BAD}, stdin=b"")
    detect_all(stress, {"-": GOOD}, stdin=PNG)
    detect_all(stress, {"-": BAD}, stdin=PNG[:50])
    detect_all(stress, {str(photo): GOOD, "gone.png": BAD}, "-", stdin=f"{photo}\ngone.png\n".encode())
    detect_all(stress, {"-": BAD}, stdin=b"x" * 200000)
