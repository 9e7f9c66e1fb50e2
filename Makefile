# The habits of this repository. Everything here is one command of Go or of scripts/; .ci/run is what must pass.

FUZZTIME ?= 30s
COUNT    ?= 10

.PHONY: help test lint vectors evidence fuzz quickstart bench bench-hit stampede stampede-live peers ci

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST)

test: ## the README's test command
	GORACE=atexit_sleep_ms=0 $$(grep -m1 '^go test ' README.md)

lint: ## gofmt, go vet, staticcheck over every module
	scripts/lint

vectors: ## the published vectors against an implementation that shares no code
	python3 scripts/vectors.py --check

evidence: ## all tests, then docs/evidence.md against what ran
	scripts/evidence

fuzz: ## every fuzz target, FUZZTIME each
	scripts/fuzz $(FUZZTIME)

quickstart: ## every way in which a read can end, on an embedded cache
	go run ./examples/quickstart

bench: ## hits, a stampede and records, once
	go test -run '^$$' -bench 'FreshHit|Stampede|Record' -benchmem ./cacheaside ./redisadapter

bench-hit: ## what a hit costs, COUNT times, summarised by benchstat
	go test -run '^$$' -bench 'Hit|Lookup' -benchmem -count $(COUNT) ./cacheaside/... ./redisadapter/... | tee /dev/stderr | go tool benchstat -

stampede: ## what a stampede does to each policy: the short suite, in virtual time
	go run ./bench

stampede-live: ## the same on a real Redis, in real time, with processes
	go run ./bench -mode live

peers: ## this library beside others on a real Redis
	go run ./bench/peers

ci: ## what must pass before a change lands
	bash .ci/run
