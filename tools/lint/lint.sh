#!/usr/bin/env bash
# lint.sh [FILE...]: formatting and the house rules that a program can check. Without files: everything git tracks.
set -uo pipefail
if [ $# -gt 0 ]; then sources=("$@"); else mapfile -t sources < <(git ls-files '*.cc' '*.h'); fi
failed=0
complain() { printf 'lint: %s\n' "$*" >&2; failed=1; }

clang-format-14 --dry-run -Werror "${sources[@]}" || complain "run clang-format-14 -i on the files above"

# A source file that no CMakeLists.txt names is dead, or a test that never runs.
for file in $(git ls-files 'src/*.cc' 'apps/*.cc' 'fuzz/*.cc'); do
  name=$(basename "$file")
  folder=$(dirname "$file")
  while [ "$folder" != . ] && [ ! -e "$folder/CMakeLists.txt" ]; do folder=$(dirname "$folder"); done
  grep -qwE "${name//./\\.}|${name%_fuzz.cc}" "$folder/CMakeLists.txt" ||
    complain "$file is not named in $folder/CMakeLists.txt"
done

# Nothing unfinished, nothing about the machine it was written on.
if git grep -InE '\b(TODO|FIXME|XXX)\b' -- ':!tools/lint/lint.sh' ':!*.svg' ':!*.json'; then complain "unfinished marks above"; fi
if git grep -InE '/(work|root|tmp/build)[-/][a-z]' -- ':!tools/lint/lint.sh' '*.cc' '*.h' '*.md' '*.py' '*.sh'; then
  complain "paths of one machine above"
fi

# Links in the documents lead somewhere.
dead=$(for document in $(git ls-files '*.md'); do
  grep -oE '\]\([^)#: ]+' "$document" | cut -c3- | while read -r target; do
    [[ $target == http* || -e "$(dirname "$document")/$target" ]] || echo "$document: $target"
  done
done)
[ -z "$dead" ] || complain "dead links:" "$dead"

# The page shows the example as it is.
tail -n +2 examples/detect.cc | diff -q - <(sed -n '/^```cpp$/,/^```$/p' docs/library.md | sed '1d;$d') >/dev/null ||
  complain "docs/library.md does not show examples/detect.cc"

[ $failed -eq 0 ] && echo "lint: ${#sources[@]} files clean"
exit $failed
