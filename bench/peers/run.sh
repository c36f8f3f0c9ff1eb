#!/usr/bin/env bash
# Installs the peers by name into a private environment (build-release/peers-venv), then compares. Arguments: compare.py --help.
set -euo pipefail
cd "$(dirname "$0")/../.."
venv=build-release/peers-venv
if [ ! -e "$venv/ready" ]; then
  dpkg-query -W python3-venv >/dev/null 2>&1 || apt-get install -y -qq python3-venv
  python3 -m venv "$venv"
  "$venv/bin/pip" -q install -r bench/peers/requirements.txt
  touch "$venv/ready"
fi
exec "$venv/bin/python" bench/peers/compare.py "$@"
