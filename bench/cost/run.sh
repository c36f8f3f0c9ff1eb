#!/usr/bin/env bash
# Arguments: cost.py --help. The peers' own environment holds the engines; --help makes it.
set -euo pipefail
cd "$(dirname "$0")/../.."
bench/peers/run.sh --help >/dev/null
exec build-release/peers-venv/bin/python bench/cost/cost.py "$@"
