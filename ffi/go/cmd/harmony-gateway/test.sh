#!/bin/sh
# Checks the gateway. Without arguments everything; else the modes named, in their order:
#   lib    build the C library for the Go module
#   vet    gofmt, go vet, and that go.mod and go.sum are tidy
#   plain  go test
#   race   with the race detector
#   asan   with AddressSanitizer
#   fuzz   the fuzz target for FUZZTIME (100000x: so many inputs)
#   bench  the benchmarks, and what the gateway adds to a token's latency (not part of everything)
# Quiet when all is well.
set -eu
cd "$(dirname "$0")"
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Shows what a command said only if it failed.
quietly() {
  if ! "$@" >"$log" 2>&1; then
    cat "$log"
    echo "FAILED: $*" >&2
    exit 1
  fi
}

formatted() {
  files=$(gofmt -l .) || return 1
  [ -z "$files" ] || { echo "gofmt: $files"; return 1; }
}

# -count=1: Go does not see that the C library has changed.
tests() { quietly go test -count=1 -timeout 30m "$@" ./...; }

for mode in ${*:-lib vet plain race asan fuzz}; do
  case $mode in
    lib) quietly ../../build-lib.sh ;;
    vet) quietly formatted; quietly go vet ./...; quietly go mod tidy -diff ;;
    plain) tests ;;
    race) tests -race ;;
    asan) CC=gcc tests -asan ;;
    # A time limit would end in "context deadline exceeded" now and then (golang/go#75804).
    # By default most of the time goes into making inputs shorter.
    fuzz) quietly go test -run='^$' -fuzz=FuzzFilter -fuzztime="${FUZZTIME:-100000x}" -fuzzminimizetime=10x ./internal/split ;;
    bench) go test -run='^$' -bench=. ./...; go run ./latency ;;
    *) echo "no such mode: $mode" >&2; exit 2 ;;
  esac
done
