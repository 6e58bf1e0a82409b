#!/usr/bin/env bash
# versitygw, the S3 server that internal/blob/s3/s3test starts; it looks for this version.
# Building it takes two minutes.
exec "$(dirname "$0")/go-tool.sh" github.com/versity/versitygw/cmd/versitygw v1.8.0 "the S3 server of the tests"
