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
# A copy and a rename: a build that links at this moment sees the old archive or the new one.
cp "$target/release/libharmony_stream_ffi.a" "$place/new.a"
mv "$place/new.a" "$place/libharmony_stream.a"
