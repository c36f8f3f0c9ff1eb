#!/usr/bin/env python3
"""Markdown tables from boxdecode_bench's JSON and the lines of peers.py."""
import argparse
import json
import re

SHARE_WANTED = 1 / 3


def medians(path):
    """name -> (median CPU time in us, spread in %, counters of the median run), over the repetitions."""
    runs = {}
    for run in json.load(open(path, encoding="utf-8"))["benchmarks"]:
        if run.get("run_type") != "iteration":
            continue
        if run.get("error_occurred"):
            raise SystemExit(f"{run['name']}: {run['error_message']}")
        scale = {"ns": 1e-3, "us": 1.0, "ms": 1e3}[run["time_unit"]]
        runs.setdefault(run["run_name"], []).append((run["cpu_time"] * scale, run))
    out = {}
    for name, times in runs.items():
        times.sort(key=lambda t: t[0])
        median, run = times[len(times) // 2]
        out[name] = (median, 100 * (times[-1][0] - times[0][0]) / median, run)
    return out


def scan_table(results):
    yield "| route | threshold | scanner | candidates | bytes touched | us | spread | GB/s | share of read bandwidth |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for name, (us, spread, run) in results.items():
        found = re.fullmatch(r"scan/(.+)/T=([\d.]+)/(\w+)", name)
        if not found:
            continue
        low = " (below a third)" if run["share"] < SHARE_WANTED and found[3] != "scalar" else ""
        yield (f"| {found[1]} | {found[2]} | {found[3]} | {run['candidates']:.0f} | {run['touched']:,.0f} | {us:.1f} | "
               f"{spread:.0f} % | {run['GB/s']:.1f} | {run['share']:.2f}{low} |")


def selection_table(results, peers):
    if "select/T=0.001" not in results:
        return
    ours = results["select/T=0.001"]
    run = ours[2]
    yield "| selection | candidates | kept | kept by one side only | us | times ours |"
    yield "|---|---|---|---|---|---|"
    yield f"| Tessera | {run['candidates']:.0f} | {run['kept']:.0f} | - | {ours[0]:.0f} | 1 |"
    for peer in peers:
        if "skipped" in peer:
            yield f"| {peer['peer']} | skipped: {peer['skipped']} | | | | |"
            continue
        yield (f"| {peer['peer']} {peer['version']} | {peer['candidates']} | {peer['kept']} | "
               f"{peer['only_peer'] + peer['only_here']} | {peer['median_us']:.0f} | {peer['median_us'] / ours[0]:.1f} |")


def step_table(results):
    yield "| m640 canvas (four photos), whole step | candidates | kept | us | spread |"
    yield "|---|---|---|---|---|"
    for name, (us, spread, run) in results.items():
        if name.startswith("step/m640/"):
            yield f"| {name.rsplit('/', 1)[1]} | {run['candidates']:.0f} | {run['kept']:.0f} | {us:.0f} | {spread:.0f} % |"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("json")
    parser.add_argument("peers", nargs="*", help="files with lines of peers.py")
    args = parser.parse_args()
    results = medians(args.json)
    lines = [json.loads(line) for path in args.peers for line in open(path, encoding="utf-8") if line.strip()]
    lines.sort(key=lambda line: "skipped" not in line)  # where one Python lacks a peer, another may have it
    peers = {line["peer"]: line for line in lines}.values()
    context = json.load(open(args.json, encoding="utf-8"))["context"]
    print(f"Heads: {context['heads']}. {context['num_cpus']} CPUs at {context['mhz_per_cpu']} MHz, load "
          f"{context['load_avg'][0]:.1f}, {context['date'][:10]}. Medians of CPU time over repetitions.\n")
    for table in (scan_table(results), selection_table(results, peers), step_table(results)):
        print("\n".join(table), end="\n\n")


if __name__ == "__main__":
    main()
