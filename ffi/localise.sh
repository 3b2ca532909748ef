#!/bin/sh
# Makes a static library whose only global symbols are harmony_*, so that it links beside any other Rust static library.
#
#   localise.sh libharmony_stream_ffi.a libharmony_stream.a
#
# Two Rust static libraries each bring Rust's standard library along. Plain ones link together only if both were built
# by the same rustc without LTO. This one brings its own copy under local names. Needs GNU ld, objcopy, strip, ar and
# readelf (LD, OBJCOPY, STRIP, AR and READELF name others); ELF only.
set -eu

: "${LD:=ld}" "${OBJCOPY:=objcopy}" "${STRIP:=strip}" "${AR:=ar}" "${READELF:=readelf}"
in=$1
out=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# readelf, because nm hands the bitcode that some members carry to a plugin, which may give up on it.
"$READELF" --symbols --wide "$in" |
  awk '$4 == "FUNC" && $5 == "GLOBAL" && $8 ~ /^harmony_/ { print $8 }' | sort -u >"$work/functions"
if ! [ -s "$work/functions" ]; then
  echo "localise.sh: no harmony_ functions in $in" >&2
  exit 1
fi

# One object of all that the functions need. Without --force-group-allocation the references to
# DW.ref.rust_eh_personality dangle once they are local, and the first caught panic is a crash.
"$LD" -r --force-group-allocation --gc-sections -e "$(head -n 1 "$work/functions")" \
  $(sed 's/^/-u /' "$work/functions") --whole-archive "$in" -o "$work/all.o"

# Bitcode sections, where rustc left some, make ar and nm stumble. Weak references of functions that were left out (to
# what a newer libc has) must go, or they come out of here as strong ones.
"$OBJCOPY" --remove-section=.llvmbc --remove-section=.llvmcmd --strip-unneeded \
  --keep-global-symbols="$work/functions" "$work/all.o" "$work/harmony_stream.o"
"$STRIP" --strip-debug "$work/harmony_stream.o"

rm -f "$out"
"$AR" rcs "$out" "$work/harmony_stream.o"
