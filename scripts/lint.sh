#!/usr/bin/env bash
# Everything that guards the text of the code. Prints what is wrong and fails.
set -euo pipefail
tool() { go tool -modfile tools/go.mod "$@"; }
status=0
check() { # what, output
  if [[ -n $2 ]]; then
    printf '%s:\n%s\n' "$1" "$2" >&2
    status=1
  fi
}
check "gofmt would change" "$(git ls-files '*.go' | xargs gofmt -l)"
check "go mod tidy would change" "$(go mod tidy -diff)"
check "go fix would change" "$(go fix -diff ./...)"
go vet ./... || status=1
go vet -tags oracle ./test/oracle || status=1 # run by hand, so nothing else would notice
tool staticcheck ./... || status=1
check "nothing reaches" "$(tool deadcode -test ./...)"
./scripts/console.sh check || status=1
exit $status
