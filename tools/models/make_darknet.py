#!/usr/bin/env python3
"""Writes a public YOLO network as Darknet cfg and random, well-scaled weights: real structure and cost, no knowledge.

    make_darknet.py yolov4 OUT                OUT.cfg and OUT.weights
    make_darknet.py yolov4 OUT --cfg-only --classes 20 --size 416
    make_darknet.py --check FOLDER            the cfgs of all networks in FOLDER are what this program writes
"""
import argparse
import pathlib
import sys

from cfg_writer import CfgWriter
from networks import NETWORKS


def make(name, classes=80, size=None, seed=1, weights=None):
    build, own_size = NETWORKS[name]
    writer = CfgWriter(classes, size or (own_size, own_size), seed, weights)
    build(writer)
    return writer


def parse_size(text):
    sides = [int(side) for side in text.lower().split("x")]
    return (sides[0], sides[-1])


def check(folder):
    wrong = [name for name in NETWORKS if (folder / f"{name}.cfg").read_text() != make(name).text()]
    for name in wrong:
        print(f"{folder}/{name}.cfg is not what make_darknet.py writes", file=sys.stderr)
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="?", choices=sorted(NETWORKS), help="which network")
    parser.add_argument("out", nargs="?", type=pathlib.Path, help="path without .cfg")
    parser.add_argument("--classes", type=int, default=80)
    parser.add_argument("--size", type=parse_size, help="input side, or HEIGHTxWIDTH (default: the published one)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cfg-only", action="store_true", help="no weights file")
    parser.add_argument("--check", type=pathlib.Path, metavar="FOLDER")
    args = parser.parse_args()
    if args.check:
        return check(args.check)
    if not args.name or not args.out:
        parser.error("want a network and a path, or --check")
    if args.cfg_only:
        network = make(args.name, args.classes, args.size, args.seed)
    else:
        with open(f"{args.out}.weights", "wb") as weights:
            network = make(args.name, args.classes, args.size, args.seed, weights)
    pathlib.Path(f"{args.out}.cfg").write_text(network.text())
    print(f"{args.name}: {len(network.layers)} layers, {network.convolutions} convolutions, "
          f"{network.parameters} parameters (batch norm folded), {network.numbers} numbers in the weights file, "
          f"{network.macs} multiply-accumulates")
    return 0


if __name__ == "__main__":
    sys.exit(main())
