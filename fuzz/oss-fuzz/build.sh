#!/bin/bash
# Builds every target with its dictionary, options and seed corpus into $OUT. Fails if there is none.
set -eu
cd "$SRC/harmony-stream/fuzz"

# "fuzz build" must be cargo's first words: the coverage build looks for them.
cargo fuzz build -O --debug-assertions
built="$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')"
triple="$(rustc -vV | sed -n 's/^host: //p')"

# The seeds are made by a program for the build machine, without a sanitizer.
RUSTFLAGS='' cargo run --quiet --no-default-features --example seeds -- "$WORK/seeds" > /dev/null

for source in fuzz_targets/*.rs; do
  target="$(basename "$source" .rs)"
  cp "$built/$triple/release/$target" "$OUT/"
  cp harmony.dict "$OUT/$target.dict"
  cp target.options "$OUT/$target.options"
  (cd "$WORK/seeds" && zip -qr "$OUT/${target}_seed_corpus.zip" "$target")
  zip -qjr "$OUT/${target}_seed_corpus.zip" regressions
done
