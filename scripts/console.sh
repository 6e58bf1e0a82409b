#!/usr/bin/env bash
# Builds the console into console/dist, from where it is embedded. Does nothing when
# nothing has changed since the last time. With "check" it looks at types instead.
set -euo pipefail
cd "$(dirname "$0")/../console/web"
exec 9< package.json # tests may ask for it at the same time
flock 9

# The bundler needs a Node that older Debians do not have. The program is whole without
# the console, and says so at its address.
node_is_old() {
  local have
  have=$(node --version)
  [[ "$(printf 'v20.19\n%s\n' "$have" | sort -V | head -n 1)" != v20.19 ]] || return 1
  echo "the console is not built: it needs Node 20.19 or later, this is $have" >&2
}

packages() {
  if [[ ! node_modules/.package-lock.json -nt package-lock.json ]]; then
    # Not "npm ci": that wants the bundler for every platform there is, which not every
    # registry has. The versions are those of the lock file all the same.
    npm install --no-save --no-audit --no-fund --silent
    touch node_modules/.package-lock.json # npm keeps the time of an older one
  fi
}

# A folder is newer when a file of it has gone.
changed() {
  [[ ! -e ../dist/console.js ]] ||
    [[ -n $(find src public ./*.ts ./*.js ./*.json "$PWD/../../scripts/console.sh" -newer ../dist/console.js -print -quit) ]]
}

case ${1:-build} in
  check)
    packages
    npm run --silent check
    ;;
  build)
    changed || exit 0
    if node_is_old; then exit 0; fi
    packages
    began=$(date +%s.%N)
    npm run --silent build
    rm -rf ../dist/*
    mv build/* ../dist/
    touch -d "@$began" ../dist/console.js # what was saved meanwhile is newer
    ;;
esac
