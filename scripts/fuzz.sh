#!/usr/bin/env bash
# Runs every fuzz target for the given time. A finding stays in testdata/fuzz.
set -euo pipefail
time=${1:-30s}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
fuzz() {
  echo "== $1 $2" >&2
  if go test -run '^$' -fuzz "^$2\$" -fuzztime "$time" -fuzzminimizetime 20x "$1" 2>&1 | tee "$log"; then return; fi
  # Go 1.26 may call the end of the time a failure (go.dev/issue/75804). A finding
  # names the file that it was written to.
  if grep -q 'context deadline exceeded' "$log" && ! grep -q 'Failing input written' "$log"; then
    echo "the time was up; nothing was found" >&2
    return
  fi
  return 1
}
grep -rl --include='*_test.go' '^func Fuzz' . | sort | while read -r file; do
  grep -o '^func Fuzz[A-Za-z0-9_]*' "$file" | awk '{print $2}' | while read -r target; do
    fuzz "$(dirname "$file")" "$target"
  done
done
