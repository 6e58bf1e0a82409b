#!/usr/bin/env bash
# Builds kubeadm of one Kubernetes version from the Go module proxy into a cache
# outside the tree, once, and prints where it is. Tests ask it about the
# configuration we render. It takes minutes.
set -euo pipefail

version=${1:-v1.34.2}
if [[ ! $version =~ ^v1\.([0-9]+)\.([0-9]+)$ ]]; then
  echo "usage: $0 v1.MINOR.PATCH" >&2
  exit 2
fi
minor=${BASH_REMATCH[1]}
patch=${BASH_REMATCH[2]}
program=${XDG_CACHE_HOME:-$HOME/.cache}/stoa/kubeadm-$version
if [[ -x $program ]]; then
  echo "$program"
  exit
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export GOFLAGS=-mod=mod GOWORK=off CGO_ENABLED=0

# Kubernetes itself requires the modules of its own tree at v0.0.0. They are
# published too, as v0 of the same release.
go mod init stoa.invalid/kubeadm 2>/dev/null
spec=$(go mod download -json "k8s.io/kubernetes@$version" | sed -n 's/^\t"GoMod": "\(.*\)",$/\1/p')
awk '$1 == "go" || $1 == "godebug"' "$spec" >>go.mod.more
sed -i '/^go /d' go.mod
{
  cat go.mod.more
  echo "require k8s.io/kubernetes $version"
  awk -v v="v0.$minor.$patch" '$1 ~ /^k8s\.io\// && $2 == "v0.0.0" {print "replace " $1 " => " $1 " " v}' "$spec"
} >>go.mod
flags="-s -w"
for pair in gitVersion="$version" gitMajor=1 gitMinor="$minor" gitTreeState=clean; do
  flags+=" -X k8s.io/component-base/version.$pair"
done
mkdir -p "$(dirname "$program")"
nice go build -trimpath -ldflags "$flags" -o "$program.new" k8s.io/kubernetes/cmd/kubeadm
mv "$program.new" "$program"
echo "$program"
