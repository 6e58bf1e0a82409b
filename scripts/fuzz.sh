#!/usr/bin/env bash
# Runs every fuzz target for the given time, as many at once as there are processors.
# A finding stays in testdata/fuzz of its package.
set -euo pipefail
cd "$(dirname "$0")/.."
export time=${1:-30s}
work=$(mktemp -d)
cache=$(go env GOCACHE)/fuzz/stoa # where `go test -fuzz` keeps what it has learnt
export work cache
trap 'rm -rf "$work"' EXIT

# fuzz runs one target of a package. What it says is shown when it is over, in one piece.
fuzz() { # package folder, target
  local log=$work/$(tr / _ <<<"$1")-$2.log status=0
  (cd "$1" && "$work/$(tr / _ <<<"$1").test" -test.run '^$' -test.fuzz "^$2\$" -test.fuzztime "$time" \
    -test.fuzzminimizetime 20x -test.parallel 1 -test.fuzzcachedir "$cache/${1#./}") >"$log" 2>&1 || status=1
  # Go 1.26 may call the end of the time a failure (go.dev/issue/75804). A finding
  # names the file that it was written to.
  if ((status)) && grep -q 'context deadline exceeded' "$log" && ! grep -q 'Failing input written' "$log"; then
    echo "the time was up; nothing was found" >>"$log"
    status=0
  fi
  printf '== %s %s\n%s\n' "$1" "$2" "$(tail -n 40 "$log")" >&2
  return $status
}
export -f fuzz

grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u | while read -r package; do
  go test -c -fuzz=. -o "$work/$(tr / _ <<<"$package").test" "$package"
  grep -ho '^func Fuzz[A-Za-z0-9_]*' "$package"/*_test.go | awk -v package="$package" '{print package, $2}'
done | xargs -P "$(nproc)" -L1 bash -euo pipefail -c 'fuzz "$0" "$1"'
