#!/bin/sh
# Builds the C library and puts it where this module links it from: lib/GOOS_GOARCH/libharmony_stream.a.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
place="$here/lib/$(go env GOOS)_$(go env GOARCH)"

cd "$root"
cargo build --quiet --release -p harmony-stream-ffi
target=${CARGO_TARGET_DIR:-$root/target}
mkdir -p "$place"
built="$target/release/libharmony_stream_ffi.a"
if [ "$(go env GOOS)" = linux ]; then
  # Only harmony_* stays global, so that it links beside another Rust library (see ../README.md); and it is small.
  ffi/localise.sh "$built" "$place/new.a"
else
  cp "$built" "$place/new.a"
fi
# A build that links at this moment sees the old archive or the new one.
mv "$place/new.a" "$place/libharmony_stream.a"
