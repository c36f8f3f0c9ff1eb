#!/usr/bin/env bash
# Photos per second beside a plain OpenCV loop, then memory over 10,000 photos. Arguments: plain_opencv.py --help.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ -d "${TESSERA_DATA:-}" ] || { echo "no data at TESSERA_DATA: nothing to compare on" >&2; exit 1; }
darknet=$TESSERA_DATA/models/darknet photos=$TESSERA_DATA/images/coco-val2017
for model in yolo-fastest-1.1 yolo-fastest-1.1-xl; do
  echo "$model:"
  /usr/bin/python3 bench/loop/plain_opencv.py --model "$darknet/$model.cfg" --weights "$darknet/$model.weights" \
    --names "$darknet/coco.names" --photos "$photos" "$@"
done
python3 bench/loop/memory.py --photos "$photos"
