#!/usr/bin/env python3
"""Resident memory of one `tessera detect` while thousands of photos go through it.

  memory.py --photos DIR [--count 10000] [-- WORDS FOR detect]

The photos of DIR are named again and again on standard input. Prints the resident set after each tenth.
"""
import argparse
import itertools
import os
import subprocess
import threading


def resident_mib(pid):
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def feed(pipe, paths):
    with pipe:
        for path in paths:
            pipe.write(path + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", required=True)
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--tessera", default="build-release/tessera")
    parser.add_argument("words", nargs="*")
    args = parser.parse_args()
    paths = sorted(os.path.join(args.photos, name) for name in os.listdir(args.photos))
    run = subprocess.Popen([args.tessera, "detect", "-", "--json", "--quiet", *args.words], stdin=subprocess.PIPE,
                           stdout=subprocess.PIPE, text=True)
    endless = itertools.islice(itertools.cycle(paths), args.count)
    threading.Thread(target=feed, args=(run.stdin, endless), daemon=True).start()
    done, seen = 0, []
    for line in run.stdout:
        if not line.startswith('{"file"'):  # a photo is a line
            continue
        done += 1
        if done % (args.count // 10) == 0:
            seen.append(resident_mib(run.pid))
            print(f"{done:7d} photos {seen[-1]:8.1f} MiB", flush=True)
    print(f"from the first tenth to the last: {seen[-1] - seen[0]:+.1f} MiB; exit status {run.wait()}")


if __name__ == "__main__":
    main()
