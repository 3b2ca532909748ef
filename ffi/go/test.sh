#!/bin/sh
# Checks the Go module. Without arguments everything; else the modes named, in their order:
#   lib      build the C library into lib/
#   missing  what is said where the C library was not built
#   vet      gofmt and go vet
#   plain    go test
#   race     with the race detector
#   asan     with AddressSanitizer
#   cgocheck with every pointer write checked (GOEXPERIMENT=cgocheck2)
#   stress   with a garbage collection at every turn
#   events   harmony-events prints what `harmony-stream --format events` does
#   pkgconfig with the library installed by CMake and found by pkg-config
#   fuzz     each fuzz target for FUZZTIME (100000x: so many inputs)
#   bench    the benchmarks (not part of everything)
# Quiet when all is well.
set -eu
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
log=$(mktemp)
work=$(mktemp -d)
trap 'rm -rf "$log" "$work"' EXIT

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
tests() { quietly go test -count=1 "$@" ./...; }

events() {
  target=${CARGO_TARGET_DIR:-$root/target}
  (cd "$root" && quietly cargo build --quiet --features cli --bin harmony-stream)
  quietly go build -o "$work/harmony-events" ./cmd/harmony-events
  for file in "$root"/tests/transcripts/*.txt; do
    for chunk in 1 4 64 65536; do
      for lenient in "" lenient; do
        "$target/debug/harmony-stream" --format events --chunk $chunk ${lenient:+--lenient} <"$file" >"$work/rust" || true
        "$work/harmony-events" --chunk $chunk ${lenient:+--lenient} <"$file" >"$work/go"
        quietly diff "$work/rust" "$work/go"
        [ -s "$work/go" ] || { echo "FAILED: no events of $file" >&2; exit 1; }
      done
    done
  done
}

# The prefix is the same each time: Go's cache keeps what pkg-config said.
pkgconfig() {
  prefix=$PWD/lib/pkgconfig
  quietly cmake -S "$root/ffi" -B "$work/build" -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib
  quietly cmake --build "$work/build"
  quietly cmake --install "$work/build"
  export PKG_CONFIG_PATH="$prefix/lib/pkgconfig" LD_LIBRARY_PATH="$prefix/lib"
  tests -tags harmony_pkgconfig
  unset PKG_CONFIG_PATH LD_LIBRARY_PATH
}

missing() {
  mkdir "$work/missing"
  cp ./*.go ./*.h go.mod "$work/missing"
  if (cd "$work/missing" && go build .) >"$log" 2>&1 || ! grep -q 'error: .*run ffi/go/build-lib.sh' "$log"; then
    cat "$log"
    echo "FAILED: nobody says that the C library is missing" >&2
    exit 1
  fi
}

for mode in ${*:-lib missing vet plain race asan cgocheck stress events pkgconfig fuzz}; do
  case $mode in
    lib) quietly ./build-lib.sh ;;
    missing) missing ;;
    vet) quietly formatted; quietly go vet ./... ;;
    plain) tests ;;
    race) tests -race ;;
    asan) CC=gcc tests -asan ;;
    cgocheck) GOEXPERIMENT=cgocheck2 tests ;;
    stress) GOGC=1 GODEBUG=clobberfree=1 tests ;;
    events) events ;;
    pkgconfig) pkgconfig ;;
    # A time limit would end in "context deadline exceeded" now and then (golang/go#75804).
    fuzz)
      for target in FuzzChunks FuzzLeaks; do
        quietly go test -run='^$' -fuzz="^$target\$" -fuzztime="${FUZZTIME:-100000x}" -fuzzminimizetime=10x .
      done ;;
    bench) go test -run='^$' -bench=. -count=3 . ;;
    *) echo "no such mode: $mode" >&2; exit 2 ;;
  esac
done
