#!/usr/bin/env bash
# Pebble, the certificate authority that app/acme_test.go asks; it looks for this version.
exec "$(dirname "$0")/go-tool.sh" github.com/letsencrypt/pebble/v2/cmd/pebble v2.10.1 "the certificate authority of the tests"
