#!/usr/bin/env bash
# Brings hls.js into video/player/dist, from where it is embedded. Does nothing
# when it is there already in the version of the lock file.
set -euo pipefail
cd "$(dirname "$0")/../video/player"
exec 9< package.json # tests may ask for it at the same time
flock 9
if [[ dist/hls.js -nt package-lock.json ]]; then
  exit 0
fi
npm ci --no-audit --no-fund --silent
# Without the line that names the source map, which is not served.
grep -v '^//# sourceMappingURL=' node_modules/hls.js/dist/hls.min.mjs > dist/hls.js.new
mv dist/hls.js.new dist/hls.js
