#!/usr/bin/env bash
# go-tool.sh PACKAGE VERSION WHAT builds a program that tests need, from the Go module
# proxy into a cache outside the tree, once, and prints where it is: by the last part of
# its package and its version.
set -euo pipefail

package=$1 version=$2 what=$3
name=$(basename "$package")
program=${XDG_CACHE_HOME:-$HOME/.cache}/stoa/$name-$version
if [[ -x $program ]]; then
  echo "$program"
  exit
fi

echo "building $name $version, $what" >&2
mkdir -p "$(dirname "$program")"
work=$(mktemp -d "$program.XXXXXX") # beside the program, so that mv is one step
trap 'rm -rf "$work"' EXIT
if ! GOBIN=$work GOFLAGS='' GOWORK=off go install -ldflags '-s -w' "$package@$version"; then
  echo "$name $version could not be built; it is $what" >&2
  exit 1
fi
mv "$work/$name" "$program"
echo "$program"
