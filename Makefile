# Two commands do everything: `make run` and `make test`. `make` lists the rest.
SHELL := /bin/bash
BIN   := bin/stoa
FUZZTIME ?= 30s

.PHONY: help
help: ## list what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: run
run: build ## build and run stoa with everything there is, on the default ports
	@./scripts/where-to-look.sh
	@exec $(BIN) serve

.PHONY: build
build: ## build bin/stoa
	@./scripts/deps.sh build
	@./scripts/player.sh
	@./scripts/console.sh
	CGO_ENABLED=0 go build -trimpath -o $(BIN) ./cmd/stoa

.PHONY: test
test: deps ## every test, on real servers and in a real browser
	go test -race -gcflags='modernc.org/...=-race=false' -timeout 15m ./... # not inside SQLite, which is C by origin and keeps its own locks
	go test -run AllocatesNothing ./ratelimit/... # the race detector allocates
	./scripts/browser-test.sh

.PHONY: lint
lint: ## format, vet, modernise, staticcheck, dead code
	./scripts/lint.sh

.PHONY: fuzz
fuzz: ## fuzz every parser of foreign bytes, FUZZTIME each
	./scripts/fuzz.sh $(FUZZTIME)

.PHONY: bench
bench: ## measure: the rate limit service against a bare gRPC server, the polls against a stub, the inventory by size, the videos against ffmpeg, the disk and nginx
	@./scripts/deps.sh bench
	go run ./bench/ratelimit
	go run ./bench/polls
	go run ./bench/inventory
	go run ./bench/video
	go test -run '^$$' -bench . -benchtime 0.5s ./ratelimit/ ./ratelimit/memory/ ./ratelimit/internal/... ./inventory/...

.PHONY: deps
deps: ## install the servers and the browser that tests need
	@./scripts/deps.sh test
