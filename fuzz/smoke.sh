#!/usr/bin/env bash
# Builds every fuzz target and runs each for so many seconds (20 if not given), or only those named:
#     fuzz/smoke.sh [SECONDS [TARGET...]]
# Needs cargo-fuzz; on the stable toolchain RUSTC_BOOTSTRAP=1 lets it use a sanitizer.
set -euo pipefail
cd "$(dirname "$0")"
seconds="${1:-20}"
shift || true
# Cargo would remember that the compiler refused a build without that.
export RUSTC_BOOTSTRAP=1 CARGO_CACHE_RUSTC_INFO=0
if ! cargo fuzz --version > /dev/null 2>&1; then
  echo "fuzz/smoke.sh: cargo-fuzz is missing: cargo install --locked cargo-fuzz" >&2
  exit 1
fi

quietly() {
  local log
  log="$(mktemp)"
  if ! "$@" > "$log" 2>&1; then
    tail -n 60 "$log"
    echo "failed: $*" >&2
    return 1
  fi
  grep -hE 'DONE|stat::number_of_executed_units|stat::new_units_added' "$log" || true
  rm -f "$log"
}

quietly cargo fuzz build -O --debug-assertions
quietly cargo run --quiet --no-default-features --example seeds -- corpus
targets=("$@")
if [ "${#targets[@]}" -eq 0 ]; then
  for source in fuzz_targets/*.rs; do targets+=("$(basename "$source" .rs)"); done
fi
for target in "${targets[@]}"; do
  echo "$target"
  mkdir -p "corpus/$target"
  quietly cargo fuzz run -O --debug-assertions "$target" "corpus/$target" regressions -- \
    -max_total_time="$seconds" -dict=harmony.dict -max_len=8192 -timeout=10 -print_final_stats=1
done
