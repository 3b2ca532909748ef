#!/usr/bin/env bash
# Which lines of src/ the core's tests and the corpora reach: fuzz/coverage.sh [--missing] prints a table, and with
# --missing the lines that nothing reaches. Needs llvm-profdata and llvm-cov of rustc's own LLVM version.
set -euo pipefail
cd "$(dirname "$0")"
version="$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')"
tool() {
  for name in "$1-$version" "$1"; do
    if command -v "$name" > /dev/null && "$name" --version | grep -q "version $version"; then echo "$name"; return; fi
  done
  echo "fuzz/coverage.sh: $1 of LLVM $version is missing (Debian's package llvm-$version)" >&2
  exit 1
}
profdata="$(tool llvm-profdata)"
cov="$(tool llvm-cov)"

out="$PWD/coverage"
rm -rf "$out"
mkdir -p "$out"
export CARGO_TARGET_DIR="$out/target" RUSTFLAGS='-C instrument-coverage' CARGO_INCREMENTAL=0
export LLVM_PROFILE_FILE="$out/%p-%m.profraw"

# Tests of the core and its program, then the seeds and whatever corpora lie here.
(cd .. && cargo test --quiet -p harmony-stream --all-features > "$out/tests.log" 2>&1) || { tail -n 40 "$out/tests.log"; exit 1; }
cargo run --quiet --no-default-features --example seeds -- "$out/seeds" > /dev/null
cargo run --quiet --no-default-features --example replay -- "$out/seeds" > /dev/null
[ ! -d corpus ] || cargo run --quiet --no-default-features --example replay -- corpus > /dev/null

"$profdata" merge -sparse "$out"/*.profraw -o "$out/all.profdata"
objects=()
while read -r object; do objects+=(-object "$object"); done < <(
  find "$CARGO_TARGET_DIR/debug" -type f -executable ! -name '*.so' ! -path '*/build/*' -size +100k
)
report() { "$cov" "$@" -instr-profile "$out/all.profdata" "${objects[@]}" -ignore-filename-regex '/(tests|fuzz|ffi|benches|\.cargo|rustc|library)/'; }
# Columns: lines, lines missed, share of lines.
report report 2> /dev/null | awk '/\.rs |^TOTAL/ { print $1, $8, $9, $10 }' | column -t
if [ "${1:-}" = --missing ]; then
  report show -show-line-counts-or-regions=false 2> /dev/null | grep -E '^ *[0-9]+\| *0\||\.rs:$' || true
fi
