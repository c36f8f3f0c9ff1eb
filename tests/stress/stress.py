#!/usr/bin/env python3
"""stress.py --program PATH [--seed N] [--only FAMILY]... [--quick]

Runs the program over malformed and edge files, broken surroundings and signals. One line per family; status 1 when
anything failed. docs/stress.md says what is tried.
"""
import argparse
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "families"), str(HERE.parent / "cli")]
sys.dont_write_bytecode = True

import changing
import contents
import limits
import outputs
import places
import signals
from harness import Stress

# Name, function, runs beyond the fixed ones: with all, and with --quick.
FAMILIES = (
    ("truncated", contents.truncated, 24, 1),
    ("damaged", contents.damaged, 24, 1),
    ("mislabelled", contents.mislabelled, 24, 2),
    ("bombs", contents.bombs, 8, 0),
    ("rare", contents.rare, 24, 2),
    ("names", places.names, 6, 0),
    ("links", places.links, 6, 1),
    ("folders", places.folders, 4, 0),
    ("unreadable", places.unreadable, 10, 1),
    ("special", places.special, 3, 1),
    ("changing", changing.changing, 5, 0),
    ("full-disk", outputs.full_disk, 12, 1),
    ("file-size", outputs.file_size, 12, 1),
    ("closed", outputs.closed, 6, 1),
    ("refused", outputs.refused, 6, 1),
    ("signals", signals.signals, 40, 4),
    ("memory", limits.memory, 40, 2),
    ("descriptors", limits.descriptors, 40, 3),
)


def run_family(name, function, times, program, seed):
    stress = Stress(name, program, seed)
    try:
        function(stress, times)
    except Exception as error:  # a fault of the suite must not hide the families after it
        import traceback
        stress.complaints.append(f"{name}: the suite itself failed: {error!r}\n{traceback.format_exc()}")
    state = f"{len(stress.complaints)} FAILED" if stress.complaints else "ok"
    print(f"{name:<12} {stress.runs:4} runs  {stress.results:6} results  {stress.failures:6} failures reported  {state}", flush=True)
    for reason in stress.skipped:
        print(f"{'':12} skipped: {reason}")
    for complaint in stress.complaints[:5]:
        print(complaint, file=sys.stderr)
    if stress.complaints:
        print(f"kept: {stress.folder}; again: stress.py --seed {seed} --only {name}", file=sys.stderr)
    else:
        shutil.rmtree(stress.folder, ignore_errors=True)
    return stress


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[1])
    parser.add_argument("--program", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", choices=[name for name, *_ in FAMILIES])
    parser.add_argument("--quick", action="store_true", help="a selection of about ten seconds")
    args = parser.parse_args()
    done = [run_family(name, function, quick if args.quick else full, args.program, args.seed)
            for name, function, full, quick in FAMILIES if not args.only or name in args.only]
    failed = sum(bool(stress.complaints) for stress in done)
    print(f"{sum(s.runs for s in done)} runs over {len(done)} families, {sum(s.results for s in done)} results, "
          f"{sum(s.failures for s in done)} failures reported, seed {args.seed}: "
          + (f"{failed} families FAILED" if failed else "all accounted for"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
