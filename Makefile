# Every target installs what it needs on a fresh machine; `make help` lists the targets.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help run unit race test build bench check generate lint fmt vuln fuzz soak packages screenshots clean

# Arguments for run and bench, as in: make run ARGS='--listen 127.0.0.1:9000'
ARGS ?=
# How long each fuzz target runs, and on how many processors (empty: all). With FUZZUNTIL each runs only until it has
# had that many CPU seconds in total.
FUZZTIME ?= 20s
FUZZWORKERS ?=
FUZZUNTIL ?=
# Test programs are linked without debug information and symbol table, which is twice as fast.
LINK = -ldflags='-w -s'

# Soak test: how often one appliance is killed, how long the load of 80 % lasts afterwards, and how often the database of
# two appliances is stopped, one of them killed, and each kind of file damaged. Overnight: make soak CUTS=200 SOAK=2h FAULTS=50
CUTS ?= 20
SOAK ?= 10m
FAULTS ?= 5

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## Build and serve, by default on http://127.0.0.1:8080 (ARGS='--listen …')
	@exec bin/munadi serve $(ARGS)

unit: ## Run the tests that need no browser, no SIP software and no network: about a minute once built, seconds after a small change
	@packaging/setup build
	go test $(LINK) -vet=off -short -p 4 ./...

# A rehearsal has five seconds, and the race detector makes the longest one 20 times slower.
race: ## Run the same tests with the race detector: some ten minutes
	@packaging/setup build
	go test -race -vet=off -short -skip TestRehearsalsAreBounded ./...

test: ## Run every test; one that fails is run three times more, alone
	@packaging/setup test
	FIRST='./appliance/whole ./store/badger ./store/postgres' packaging/testrun/run $(LINK) -timeout 45m

build: ## Build bin/munadi
	@packaging/setup build
	go build -ldflags "-X main.revision=$$(git describe --always --dirty 2>/dev/null)" -o bin/munadi ./appliance/cmd/munadi

bench: ## Compare speed and memory with sherpa-onnx and onnx-asr (ARGS=--brief)
	@packaging/setup bench
	packaging/bench/run $(ARGS)

check: ## Run everything that a change must pass: generated files, go.mod, vet, lint, known vulnerabilities, tests
	@packaging/setup lint
	$(MAKE) --no-print-directory generate
	git diff --exit-code -- '*_templ.go'
	go mod tidy -diff
	go vet ./...
	.cache/bin/golangci-lint run
	packaging/vuln
	$(MAKE) --no-print-directory test
	@if [ -e .cache/vuln-skipped ]; then cat .cache/vuln-skipped; fi

generate: ## Make the *_templ.go files from their templates
	@packaging/setup build
	go tool templ generate

lint: ## Run golangci-lint
	@packaging/setup lint
	.cache/bin/golangci-lint run

fmt: ## Format Go files and templates
	@packaging/setup lint
	.cache/bin/golangci-lint fmt
	go tool templ fmt .

vuln: ## Check for known vulnerabilities (queries the Go vulnerability database, or GOVULNDB)
	@packaging/setup vuln
	@packaging/vuln

fuzz: ## Run each fuzz target for FUZZTIME (20s), continuing from the last run
	@packaging/setup build
	packaging/fuzz $(if $(FUZZUNTIL),--until $(FUZZUNTIL),$(FUZZTIME)) $(FUZZWORKERS)

soak: build ## Kill an appliance CUTS times (20) under load, check that nothing was lost, load it for SOAK (10m); then two appliances on PostgreSQL with FAULTS (5) stops and kills, each kind of file damaged FAULTS times, and SIP trunks without audio or that refuse calls
	@packaging/setup test
	@mkdir -p .cache/soak
	rm -rf .cache/soak/data .cache/soak/munadi-*
	go run ./packaging/soak -folder .cache/soak -cuts $(CUTS) -for $(SOAK)
	go run ./packaging/soak -folder .cache/soak -appliances 2 -stops $(FAULTS) -cuts $(FAULTS)
	go run ./packaging/soak -folder .cache/soak -damage $(FAULTS)
	go run ./packaging/soak -folder .cache/soak -trunk-calls 40

packages: ## Make deb, rpm, tarball, SBOM and checksums in dist (ARGS=amd64: only these; ARGS=--check: twice, and compare; VULN=skip: without the vulnerability check)
	@packaging/setup packages
	@[ "$(VULN)" = skip ] || VULN=require packaging/vuln
	packaging/package $(ARGS)

screenshots: ## Make the README's pictures of the console again, in packaging/screenshots
	@packaging/setup test
	MUNADI_PICTURES=$(CURDIR)/packaging/screenshots go test -count=1 -timeout 20m -run TestPictures ./appliance/whole

clean: ## Remove build results; .cache and data are kept
	rm -rf bin dist bench-results
