"""Signals at random moments: what is done stays whole, and nothing waits for ever."""
import os
import signal
import subprocess
import time

from account import check_partial
from outputs import photos_of, whole_pictures

ENDING = (signal.SIGINT, signal.SIGTERM)


def signals(stress, times):
    names, clean = photos_of(stress, 300)
    took = time_of(stress, names)
    for number in range(times):
        sent = (*ENDING, signal.SIGPIPE, signal.SIGINT)[number % 4]
        file, out = stress.folder / "out.json", stress.fresh("out")
        file.unlink(missing_ok=True)
        sinks = stress.random.choice((["--output", out / "p"], ["--save-yolo", out / "y"], []))
        process = stress.start(["detect", *stress.model, *stress.words(), "--save-json", file, *sinks, *names])
        time.sleep(stress.random.random() * took)
        process.send_signal(sent)
        ran = stress.finish(process, (0, 1, -sent) if sent in ENDING else (0, -sent))
        if ran.status < 0:  # it came before the program could know: then nothing was begun
            stress.expect(not file.exists(), ran, "ended in the middle")
            continue
        done = check_partial(stress, ran, file.read_bytes(), names, clean)
        said = f"stopped after {done} photos".encode() in ran.err
        stress.expect(done == len(names) if ran.status == 0 else said, ran, f"status {ran.status} with {done} results")
        stress.expect(list(clean)[:done] == names[:done], ran, "not the first photos")
        for kind in "py":
            whole_pictures(stress, ran, out / kind)
            if (out / kind).is_dir():
                stress.expect(len(os.listdir(out / kind)) == done, ran, "other files than results")
    for _ in range(times // 4):
        twice(stress, names, took)
        while_waiting(stress, names)


def time_of(stress, names):
    """Only to aim: no check depends on it."""
    start = time.monotonic()
    stress.detect("--save-json", os.devnull, *names, statuses=(0,))
    return time.monotonic() - start


def twice(stress, names, took):
    """The second one ends the program at once."""
    process = stress.start(["detect", *stress.model, *stress.words(), "--json", *names], stdout=subprocess.DEVNULL)
    time.sleep(stress.random.random() * took)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    stress.finish(process, (0, 1, -signal.SIGINT))


def while_waiting(stress, names):
    """For names that never come: standard input stays open."""
    process = stress.start(["detect", *stress.model, "--workers", stress.random.choice("124"), "--json", "-"], stdin=subprocess.PIPE)
    process.stdin.write("".join(name + "\n" for name in names[:5]).encode())
    process.stdin.flush()
    begun = b""
    while begun.count(b"]}") < 5:
        more = os.read(process.stdout.fileno(), 65536)
        if not more:
            break
        begun += more
    process.send_signal(stress.random.choice(ENDING))
    stopped = True
    try:
        process.wait(timeout=60)
    except subprocess.TimeoutExpired:
        stopped = False
    ran = stress.finish(process, (1,))
    stress.expect(stopped, ran, "a signal did not end the wait for standard input")
    stress.expect((begun + ran.out).endswith(b"]}\n"), ran, "the JSON has no end")
