#!/usr/bin/env python3
"""Writes a checkpoint's weights as a Darknet weights file: the averaged (EMA) ones, or the last ones."""
import argparse
from pathlib import Path

import torch

from network import Network, save_weights


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cfg", type=Path, required=True)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--weights", type=Path, required=True, help="file to write")
    parser.add_argument("--last", action="store_true", help="the last weights (better after few steps: EMA lags)")
    args = parser.parse_args()
    state = torch.load(args.checkpoint, weights_only=False)
    network = Network(args.cfg).eval()
    network.load_state_dict(state["network" if args.last else "average"])
    save_weights(network, args.weights, state["images"])
    print(f"{args.weights}: step {state['step']}, {state['images']} images seen, {state['busy'] / 60:.0f} minutes")


if __name__ == "__main__":
    main()
