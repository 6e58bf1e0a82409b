#!/usr/bin/env bash
# Builds versitygw, the S3 server that tests talk to, from the Go module proxy
# into a cache outside the tree, once, and prints where it is. It takes two
# minutes. internal/blob/s3/s3test looks for it under this name.
set -euo pipefail

version=v1.8.0
program=${XDG_CACHE_HOME:-$HOME/.cache}/stoa/versitygw-$version
if [[ -x $program ]]; then
  echo "$program"
  exit
fi

echo "building versitygw $version, the S3 server of the tests" >&2
mkdir -p "$(dirname "$program")"
work=$(mktemp -d "$program.XXXXXX") # beside the program, so that mv is one step
trap 'rm -rf "$work"' EXIT
if ! GOBIN=$work GOFLAGS='' GOWORK=off go install -ldflags '-s -w' "github.com/versity/versitygw/cmd/versitygw@$version"; then
  echo "versitygw $version could not be built; the tests of internal/blob/s3 need it" >&2
  exit 1
fi
mv "$work/versitygw" "$program"
echo "$program"
