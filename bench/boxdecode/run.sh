#!/usr/bin/env bash
# Measures BoxDecode and prints Markdown. PEERS_PYTHON: a Python with torch and torchvision, if there is one.
# Arguments go to boxdecode_bench (--benchmark_filter=...).
set -euo pipefail
cd "$(dirname "$0")/../.."
out=out/bench/boxdecode
mkdir -p "$out"
model="${TESSERA_DATA:-}/models/darknet/yolo-fastest-1.1-xl"
photo="${TESSERA_DATA:-}/images/misc/dog.jpg"
if [ -e "$model.weights" ] && [ -e "$photo" ]; then
  export BOXDECODE_HEADS="$out/heads"
  [ -e "$BOXDECODE_HEADS/p5.npy" ] ||
    /usr/bin/python3 bench/boxdecode/real_heads.py --tessera build-release/tessera --model "$model" --photo "$photo" \
      --output "$BOXDECODE_HEADS"
else
  echo "no data at TESSERA_DATA: generated heads" >&2
fi
bench=build-release/bench/boxdecode/boxdecode_bench
"$bench" --dump="$out"
"$bench" --benchmark_repetitions=5 --benchmark_min_time=0.05 --benchmark_enable_random_interleaving=true \
  --benchmark_out_format=json --benchmark_out="$out/bench.json" "$@" >&2
/usr/bin/python3 bench/boxdecode/peers.py "$out" >"$out/peers.jsonl"
[ -z "${PEERS_PYTHON:-}" ] || "$PEERS_PYTHON" bench/boxdecode/peers.py "$out" >>"$out/peers.jsonl"
/usr/bin/python3 bench/boxdecode/report.py "$out/bench.json" "$out/peers.jsonl"
