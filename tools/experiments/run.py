#!/usr/bin/env python3
"""Runs an experiment of docs/experiments: variants of one run, interleaved, accuracy and time together.

  run.py mish                       one experiment (catalogue.py lists them), all models whose files are there
  run.py --model tessera-nano all   all of them, one model

Prints Markdown: mAP, its difference to the first variant with the 95 % interval of `tessera eval --against` (paired
bootstrap over photos), and ms per photo as the median over rounds with [fastest .. slowest].
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

from catalogue import EXPERIMENTS, ONLY, models


def evaluate(args, model, flags, extra):
    words, photos, truth = model
    command = [args.tessera, "eval", "--images", photos, "--annotations", truth, "--quiet", "--json", *words, *flags, *extra]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"failed: {' '.join(command)}")
    return json.loads(done.stdout)


def measure(args, model, rows):
    """Per variant: the report of the first round (with its comparison), and the ms per photo of all rounds."""
    with tempfile.TemporaryDirectory() as folder:
        base, reports, times = os.path.join(folder, "base.json"), [], [[] for _ in rows]
        for round_ in range(args.rounds):
            for i, (_, flags) in enumerate(rows):
                extra = [] if round_ else ["--save-run", base] if i == 0 else ["--against", base]
                report = evaluate(args, model, flags, extra)
                times[i].append(report["ms_per_photo"])
                if round_ == 0:
                    reports.append(report)
    return reports, times


def difference(report):
    if "comparison" not in report:
        return ""
    d = report["comparison"]["map_50"]
    return f"{d['difference']:+.4f} [{d['low']:+.4f}, {d['high']:+.4f}]"


def table(rows, reports, times):
    print("| variant | mAP@50 | mAP@50:95 | difference of mAP@50 [95 %] | ms per photo |")
    print("|---|---|---|---|---|")
    for (name, _), report, ms in zip(rows, reports, times):
        print(f"| {name} | {report['map_50']:.4f} | {report['map_50_95']:.4f} | {difference(report)} | "
              f"{statistics.median(ms):.2f} [{min(ms):.2f} .. {max(ms):.2f}] |")


def run(args, name):
    page, rows = EXPERIMENTS[name]
    for label, model in models(args.data).items():
        if (args.model and label != args.model) or label not in ONLY.get(name, [label]):
            continue
        if not os.path.isdir(model[1]):
            print(f"{label}: no photos at {model[1]}: left out", file=sys.stderr)
            continue
        reports, times = measure(args, model, rows)
        print(f"\n{name} ({page}.md), {label}, {reports[0]['photos']} photos, {args.rounds} rounds\n")
        table(rows, reports, times)
        sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("experiments", nargs="+", metavar="EXPERIMENT", choices=[*EXPERIMENTS, "all"])
    parser.add_argument("--tessera", default="build-release/tessera")
    parser.add_argument("--data", default=os.environ.get("TESSERA_DATA", ""))
    parser.add_argument("--model", help="one of the models of catalogue.py")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    for name in EXPERIMENTS if "all" in args.experiments else args.experiments:
        run(args, name)


if __name__ == "__main__":
    main()
