#!/usr/bin/env bash
# Runs the browser tests against a freshly built stoa.
set -euo pipefail
cd "$(dirname "$0")/.."
./scripts/player.sh
./scripts/console.sh
CGO_ENABLED=0 go build -o bin/stoa ./cmd/stoa
cd test/browser
npm ci --no-audit --no-fund --silent
node --test --test-concurrency=2
