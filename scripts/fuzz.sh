#!/usr/bin/env bash
# Runs every fuzz target for the given time. A finding stays in testdata/fuzz.
set -euo pipefail
time=${1:-30s}
grep -rl --include='*_test.go' '^func Fuzz' . | sort | while read -r file; do
  dir=$(dirname "$file")
  grep -o '^func Fuzz[A-Za-z0-9_]*' "$file" | awk '{print $2}' | while read -r target; do
    echo "== $dir $target" >&2
    go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 20x "$dir"
  done
done
