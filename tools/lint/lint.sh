#!/usr/bin/env bash
# lint.sh BUILD_DIR [FILE...]: formatting, clang-tidy and the house rules that a program can check.
# Without files: everything git tracks. clang-tidy results are cached per file content in BUILD_DIR/tidy.
set -uo pipefail
build=$1; shift
if [ $# -gt 0 ]; then sources=("$@"); else mapfile -t sources < <(git ls-files '*.cc' '*.h'); fi
failed=0
complain() { printf 'lint: %s\n' "$*" >&2; failed=1; }

clang-format-14 --dry-run -Werror "${sources[@]}" || complain "run clang-format-14 -i on the files above"

# A source file that no CMakeLists.txt names is dead, or a test that never runs.
for file in $(git ls-files 'src/*.cc' 'apps/*.cc' 'tests/*.cc' 'fuzz/*.cc'); do
  name=$(basename "$file")
  folder=$(dirname "$file")
  while [ "$folder" != . ] && [ ! -e "$folder/CMakeLists.txt" ]; do folder=$(dirname "$folder"); done
  stem=${name%_fuzz.cc}
  grep -qE "(^|[ /(\"])${name//./\\.}([ )\"]|$)|tessera_fuzz\($stem " "$folder/CMakeLists.txt" ||
    complain "$file is not named in $folder/CMakeLists.txt"
done

# Nothing unfinished, nothing about the machine it was written on.
if git grep -nE 'TODO|FIXME|XXX' -- ':!tools/lint/lint.sh' ':!*.svg' ':!*.json'; then complain "unfinished marks above"; fi
if git grep -nE '/(work|root|tmp/build)[-/][a-z]' -- ':!tools/lint/lint.sh' '*.cc' '*.h' '*.md' '*.py' '*.sh'; then
  complain "paths of one machine above"
fi

# Links in the documents lead somewhere.
for document in $(git ls-files '*.md'); do
  grep -oE '\]\([^)#: ]+' "$document" | cut -c3- | while read -r target; do
    [ -e "$(dirname "$document")/$target" ] || echo "$document: $target"
  done
done | { ! grep .; } || complain "dead links above"

# The page shows the example as it is.
tail -n +2 examples/detect.cc | diff -q - <(sed -n '/^```cpp$/,/^```$/p' docs/library.md | sed '1d;$d') >/dev/null ||
  complain "docs/library.md does not show examples/detect.cc"

tidy() {  # one file; prints only when there is something to say
  local stamp
  stamp=$build/tidy/$({ cat "$1" .clang-tidy; clang-tidy-14 --version; git ls-files -s '*.h'; } | sha256sum | cut -c1-32)
  [ -e "$stamp" ] && return 0
  clang-tidy-14 -p "$build" --quiet "$1" 2>/dev/null && touch "$stamp"
}
export -f tidy; export build
mkdir -p "$build/tidy"
printf '%s\n' "${sources[@]}" | grep -E '^(src|apps)/.*\.cc$' | grep -vE '_(test|bench|neon)\.cc$|_avx' |
  xargs -P "$(nproc)" -I{} bash -c 'tidy {}' || complain "clang-tidy above"

[ $failed -eq 0 ] && echo "lint: ${#sources[@]} files clean"
exit $failed
