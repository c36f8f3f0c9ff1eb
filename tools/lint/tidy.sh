#!/usr/bin/env bash
# tidy.sh BUILD_DIR [FILE...]: clang-tidy on the sources (default: all but tests, benches and per-ISA files). Files that were
# clean are remembered by content in BUILD_DIR/tidy, so a second run is quick; a first one takes a quarter of an hour.
set -uo pipefail
build=$1; shift
if [ $# -gt 0 ]; then sources=("$@"); else mapfile -t sources < <(git ls-files 'src/*.cc' 'apps/*.cc'); fi
headers=$(git ls-files -s '*.h' .clang-tidy | sha256sum)

tidy() {
  local clean
  clean=$build/tidy/$({ cat "$1"; echo "$headers"; } | sha256sum | cut -c1-32)
  [ -e "$clean" ] && return 0
  clang-tidy-14 -p "$build" --quiet --extra-arg=-Wno-unknown-warning-option "$1" 2>/dev/null && touch "$clean"
}
export -f tidy
export build headers
mkdir -p "$build/tidy"
printf '%s\n' "${sources[@]}" | grep -vE '/testing/|_(test|bench|neon)\.cc$|_avx' |
  xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'tidy {}'
