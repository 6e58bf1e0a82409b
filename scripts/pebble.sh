#!/usr/bin/env bash
# Builds Pebble, the certificate authority that tests ask, from the Go module proxy
# into a cache outside the tree, once, and prints where it is. app/acme_test.go looks
# for it under this name.
set -euo pipefail

version=v2.10.1
program=${XDG_CACHE_HOME:-$HOME/.cache}/stoa/pebble-$version
if [[ -x $program ]]; then
  echo "$program"
  exit
fi

echo "building Pebble $version, the certificate authority of the tests" >&2
mkdir -p "$(dirname "$program")"
work=$(mktemp -d "$program.XXXXXX") # beside the program, so that mv is one step
trap 'rm -rf "$work"' EXIT
if ! GOBIN=$work GOFLAGS='' GOWORK=off go install -ldflags '-s -w' "github.com/letsencrypt/pebble/v2/cmd/pebble@$version"; then
  echo "Pebble $version could not be built; the tests of ACME need it" >&2
  exit 1
fi
mv "$work/pebble" "$program"
echo "$program"
