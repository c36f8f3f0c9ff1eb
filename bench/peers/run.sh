#!/usr/bin/env bash
# Installs the peers by name into a private environment (build-release/peers-venv), then compares. Arguments: compare.py --help.
set -euo pipefail
cd "$(dirname "$0")/../.."
venv=build-release/peers-venv
wanted=bench/peers/requirements.txt
# PyTorch multiplies matrices by whatever BLAS there is; the reference BLAS would take ten times as long.
dpkg-query -W python3-torch libopenblas0-pthread >/dev/null 2>&1 ||
  apt-get install -y -qq --no-install-recommends python3-torch libopenblas0-pthread >&2 ||
  echo "no python3-torch here: PyTorch will be missing from the table, unless PEERS_PYTHON has it" >&2
if ! cmp -s "$wanted" "$venv/ready"; then
  dpkg-query -W python3-venv >/dev/null 2>&1 || apt-get install -y -qq python3-venv >&2
  # Debian's Python: its own packages (PyTorch) are then of the same version.
  [ -x "$venv/bin/python" ] || /usr/bin/python3 -m venv "$venv"
  grep -v '^#' "$wanted" | while read -r package; do
    "$venv/bin/pip" install -q --disable-pip-version-check --no-deps "$package" </dev/null >&2 ||
      echo "no $package here: its engine will be missing from the table" >&2
  done
  cp "$wanted" "$venv/ready"
fi
exec "$venv/bin/python" bench/peers/compare.py "$@"
