#!/usr/bin/env bash
# What a newcomer sees before the log begins.
data=${STOA_DATA:-./stoa-data}
cat <<TEXT

  Stoa is starting. The rate limit service:

    decisions   http://localhost:${PORT:-8080}/json and gRPC on localhost:${GRPC_PORT:-8081}
    live        http://localhost:${DEBUG_PORT:-6070}/live
    rules       $data/ratelimit/config/*.yaml, read again when you edit them

  A first rule, and a question (in another terminal):

    mkdir -p $data/ratelimit/config && cp deploy/examples/shop.yaml $data/ratelimit/config/
    bin/stoa ratelimit ask -domain shop -descriptors path=/api,user=u1

  Ctrl-C stops it.

TEXT
