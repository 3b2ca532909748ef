package harmony

/*
#cgo !harmony_pkgconfig,linux,amd64 LDFLAGS: ${SRCDIR}/lib/linux_amd64/libharmony_stream.a
#cgo !harmony_pkgconfig,linux,arm64 LDFLAGS: ${SRCDIR}/lib/linux_arm64/libharmony_stream.a
#cgo !harmony_pkgconfig,darwin,amd64 LDFLAGS: ${SRCDIR}/lib/darwin_amd64/libharmony_stream.a
#cgo !harmony_pkgconfig,darwin,arm64 LDFLAGS: ${SRCDIR}/lib/darwin_arm64/libharmony_stream.a
#cgo !harmony_pkgconfig,linux LDFLAGS: -lgcc_s -lpthread -lm -ldl
#cgo harmony_pkgconfig pkg-config: harmony_stream
#include "harmony_stream.h"

#cgo noescape harmony_abi
#cgo nocallback harmony_abi

#if HARMONY_ABI != 1
#error "this package is written for ABI 1 of harmony_stream"
#endif

// Refers to the ABI by its name, so that another one fails to link instead of misbehaving.
__attribute__((used)) static void (*const harmony_go_abi)(void) = harmony_abi_1;
*/
import "C"

import "unsafe"

// The layout that every binding relies on. Each line fails to compile when the header says otherwise.
var (
	_ [40]byte = [unsafe.Sizeof(C.harmony_event{})]byte{}
	_ [16]byte = [unsafe.Offsetof(C.harmony_event{}.offset)]byte{}
	_ [32]byte = [unsafe.Offsetof(C.harmony_event{}.position)]byte{}
	_ [24]byte = [unsafe.Sizeof(C.harmony_signal{})]byte{}
)

// Version is the version of the C library that is linked in, "1.2.3".
func Version() string { return C.GoString(C.harmony_version()) }

// linkedABI is the ABI of the library that is linked in. It does next to nothing, so it shows what a call costs.
func linkedABI() int { return int(C.harmony_abi()) }

// headerVersion is the version that this package was compiled for.
func headerVersion() string { return C.HARMONY_VERSION }
