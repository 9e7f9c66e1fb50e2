# The habits of this repository. Everything here is one command of Go or of scripts/; .ci/run is what must pass.

FUZZTIME ?= 30s
COUNT    ?= 10
SOAK     ?= 3m
SERVERS  ?= 3m

.PHONY: help test lint vectors evidence fuzz killtable explore model race linear faults servers soak mutate quickstart bench bench-hit stampede stampede-live peers ci

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

killtable: ## wrong variants of the library, and the one test that each must turn red
	go run ./tools/killtable

explore: ## every schedule of two processes to eight steps, and tens of thousands of walks of three: about ten minutes
	CACHEASIDE_EXPLORE=full go test -v -count=1 -timeout 30m -run Full ./internal/proof/explore

model: ## random histories against a small model of the contract
	go test -v -count=1 -run Any ./internal/proof/model -rapid.checks=20000

race: ## an old load, an update, an invalidation and a late fill, a million times in memory and ten thousand on a real Redis
	FLEET_RACES_MEMORY=1000000 FLEET_RACES_REDIS=10000 FLEET_RACES_EVICTION=10000 FLEET_INVALIDATIONS=1000000 \
		go test -v -count=1 -timeout 60m ./internal/proof/fleet

linear: ## concurrent records on a real Redis under faults, against a linearizability checker
	CACHEASIDE_LINEAR_OPERATIONS=8000 go test -race -v -count=1 ./internal/proof/linear

faults: ## every fault of a connection at every command
	go test -race -v -count=1 -run Matrix ./internal/proof/faults

servers: ## real servers that crash, fail over, run full and move slots, for SERVERS
	CACHEASIDE_SERVERS=$(SERVERS) go test -race -v -count=1 -timeout 60m ./internal/proof/servers

soak: ## everything at once on a real Redis with the race detector, for SOAK
	CACHEASIDE_SOAK=$(SOAK) go test -race -v -count=1 -timeout 60m -run TestSoak ./internal/proof/soak

mutate: ## mutants of the pure packages and of the Lua scripts
	scripts/mutate
	go run ./tools/luamutate

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
