#!/usr/bin/env bash
# What a newcomer sees before the log begins.
data=${STOA_DATA:-./stoa-data}
cat <<TEXT

  Stoa is starting. The polls:

    pages       http://${STOA_LISTEN:-127.0.0.1:8000}/
    API         http://${STOA_LISTEN:-127.0.0.1:8000}/api/v4/polls
    staging     http://${STOA_SECOND_LISTEN:-127.0.0.1:8001}/, to try things out: nothing is shared
    operator    on an empty folder, name and password are shown below, once
    accounts    bin/stoa user create ann --email ann@example.com

  The videos, for the official api.video clients:

    API         http://${STOA_VIDEO_LISTEN:-127.0.0.1:8010}/
    sandbox     http://${STOA_SECOND_VIDEO_LISTEN:-127.0.0.1:8011}/, whose videos are short and soon gone
    API keys    on an empty folder, one is shown below, once; bin/stoa apikey create my-site makes another

  The rate limit service:

    decisions   http://localhost:${PORT:-8080}/json and gRPC on localhost:${GRPC_PORT:-8081}
    live        http://localhost:${DEBUG_PORT:-6070}/live
    rules       $data/ratelimit/config/*.yaml, read again when you edit them

  To see all of it with something in it (in another terminal):

    bin/stoa demo          # people, polls, votes, videos, rules, a cluster document
    bin/stoa demo live     # a broadcast, until Ctrl-C

  A first rule, and a question (in another terminal):

    mkdir -p $data/ratelimit/config && cp deploy/examples/shop.yaml $data/ratelimit/config/
    bin/stoa ratelimit ask -domain shop -descriptors path=/api,user=u1

  Everything is kept in $data. Ctrl-C stops it.

TEXT
