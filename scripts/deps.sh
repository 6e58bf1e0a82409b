#!/usr/bin/env bash
# Installs what is missing on a Debian machine: for "build" Node, which brings the
# player's script and builds the console, and ffmpeg, which encodes; for "test" also a
# C compiler (the race detector), servers, programs to ask and a browser; for "bench"
# what is compared with.
set -euo pipefail

need_go() {
  if ! command -v go >/dev/null; then
    echo "stoa needs Go 1.26 or later: https://go.dev/dl" >&2
    exit 1
  fi
  local have
  have=$(go env GOVERSION)
  if [[ "$(printf 'go1.26\n%s\n' "$have" | sort -V | head -n 1)" != go1.26 ]]; then
    echo "stoa needs Go 1.26 or later, this is $have" >&2
    exit 1
  fi
}

# command or file -> Debian package
build_packages() {
  command -v ffmpeg >/dev/null || echo ffmpeg
  command -v node >/dev/null || echo nodejs
  command -v npm >/dev/null || echo npm
}

test_packages() {
  build_packages
  command -v curl >/dev/null || echo curl
  command -v gcc >/dev/null || echo gcc libc6-dev
  command -v redis-server >/dev/null || echo redis-server
  command -v redis-cli >/dev/null || echo redis-tools
  command -v memcached >/dev/null || echo memcached
  compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null || echo postgresql
  command -v openssl >/dev/null || echo openssl
  command -v chromium >/dev/null || echo chromium fonts-dejavu-core
  # The tests ask these about rendered files; none of them runs as a service.
  PATH=$PATH:/usr/sbin
  command -v haproxy >/dev/null || echo haproxy
  command -v keepalived >/dev/null || echo keepalived
  command -v containerd >/dev/null || echo containerd
  command -v chronyd >/dev/null || echo chrony
  command -v sysctl >/dev/null || echo procps
  command -v systemd-analyze >/dev/null || echo systemd
}

bench_packages() {
  test_packages
  PATH=$PATH:/usr/sbin
  command -v nginx >/dev/null || echo nginx-light
}

install() {
  local sudo=()
  if [[ $(id -u) != 0 ]]; then sudo=(sudo); fi
  if ! command -v apt-get >/dev/null; then
    echo "stoa needs: $*. Install them; this machine has no apt-get." >&2
    exit 1
  fi
  echo "installing $*" >&2
  "${sudo[@]}" apt-get update -q >/dev/null
  if [[ " $* " == *" postgresql "* ]]; then no_postgres_cluster; fi
  apt_install "$@"
}

apt_install() {
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" >/dev/null
}

# The tests start servers of their own: installing must not leave one running.
no_postgres_cluster() {
  apt_install postgresql-common
  echo 'create_main_cluster = false' | "${sudo[@]}" tee -a /etc/postgresql-common/createcluster.conf >/dev/null
}

need_go
read -ra missing <<<"$("${1}_packages" | tr '\n' ' ')"
if ((${#missing[@]})); then install "${missing[@]}"; fi
if [[ $1 != build ]]; then
  # The S3 server and the certificate authority of the tests are no Debian packages.
  "$(dirname "$0")/versitygw.sh" >/dev/null
  "$(dirname "$0")/pebble.sh" >/dev/null
  if [[ ! -x ${XDG_CACHE_HOME:-$HOME/.cache}/stoa/kubeadm-v1.34.2 ]]; then
    echo "building kubeadm, once; this takes some minutes" >&2
    "$(dirname "$0")/kubeadm.sh" >/dev/null
  fi
fi
