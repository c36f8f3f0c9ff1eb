#!/usr/bin/env python3
"""Puts one fault after the other into a copy of the sources, rebuilds and shows that a test fails.

A mutant is killed when the test program fails (or hangs), survives when it passes, and is broken when the text it
replaces is not there exactly once or the result does not compile. Exit 0: all killed.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from boxdecode import MUTANTS

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def copy_sources(to):
    """The files git tracks, written only where they differ, so that a second run rebuilds little."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout.split(b"\0")
    for name in (n.decode() for n in names if n):
        source, target = os.path.join(ROOT, name), os.path.join(to, name)
        if not os.path.isfile(source):
            continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not os.path.exists(target) or open(source, "rb").read() != open(target, "rb").read():
            shutil.copyfile(source, target)
            shutil.copymode(source, target)


class Bench:
    def __init__(self, folder, timeout):
        self.sources, self.build, self.timeout = os.path.join(folder, "src"), os.path.join(folder, "build"), timeout
        copy_sources(self.sources)
        launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        command = ["cmake", "--preset", "dev", "-B", self.build, "-DTESSERA_TESTS=ON", *launcher]
        subprocess.run(command, cwd=self.sources, check=True, stdout=subprocess.DEVNULL)

    def compiles(self):
        command = ["cmake", "--build", self.build, "--target", "boxdecode_test"]
        done = subprocess.run(command, capture_output=True, text=True)
        self.log = done.stdout + done.stderr
        return done.returncode == 0

    def first_failure(self):
        """The name of the first failing test, or None. Only tests that decode: pages and packages know no mutants."""
        program = os.path.join(self.build, "src", "boxdecode", "boxdecode_test")
        command = [program, "--gtest_fail_fast", "--gtest_brief=1", "--gtest_filter=-BoxDecodeDocs.*"]
        try:
            done = subprocess.run(command, cwd=os.path.dirname(program), capture_output=True, text=True,
                                  timeout=self.timeout, errors="replace")
        except subprocess.TimeoutExpired:
            return "(no end)"
        if done.returncode == 0:
            return None
        named = re.search(r"\[  FAILED  \] ([\w/.]+)", done.stdout)
        return named.group(1) if named else f"(ended with {done.returncode})"

    def judge(self, file, old, new):
        path = os.path.join(self.sources, "src", "boxdecode", file)
        text = open(path).read()
        if text.count(old) != 1:
            return "broken", f"'{old}' stands {text.count(old)} times in {file}"
        try:
            with open(path, "w") as out:
                out.write(text.replace(old, new))
            if not self.compiles():
                return "broken", "does not compile: " + next((l for l in self.log.splitlines() if "error" in l), "?")
            failure = self.first_failure()
            return ("killed", failure) if failure else ("SURVIVED", "every test passes")
        finally:
            with open(path, "w") as out:
                out.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="parts of names of mutants; default: all")
    parser.add_argument("--folder", default=os.path.join(ROOT, "out", "mutants"), help="where copies are built")
    parser.add_argument("--timeout", type=float, default=240, help="seconds until a test run counts as endless")
    args = parser.parse_args()
    bench = Bench(args.folder, args.timeout)
    if not bench.compiles():
        sys.exit("mutants: the unchanged sources do not compile\n" + bench.log[-2000:])
    failure = bench.first_failure()
    if failure:
        sys.exit(f"mutants: the unchanged sources fail {failure}: mend that first")
    chosen = [m for m in MUTANTS if not args.names or any(n in m[0] for n in args.names)]
    counts = {}
    for i, (name, file, old, new) in enumerate(chosen):
        start = time.monotonic()
        verdict, why = bench.judge(file, old, new)
        counts[verdict] = counts.get(verdict, 0) + 1
        print(f"[{i + 1:2d}/{len(chosen)}] {verdict:8s} {name}: {why} ({time.monotonic() - start:.0f} s)", flush=True)
    print("mutants: " + ", ".join(f"{n} {verdict}" for verdict, n in sorted(counts.items())) + f" of {len(chosen)}")
    sys.exit(0 if counts.get("killed", 0) == len(chosen) else 1)


if __name__ == "__main__":
    main()
