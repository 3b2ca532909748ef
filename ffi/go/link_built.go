//go:build !harmony_pkgconfig

package harmony

/*
// Tells who builds for the first time what is missing; the linker would only name a file.
#if defined __linux__ && defined __x86_64__ && !__has_include("lib/linux_amd64/libharmony_stream.a")
#define HARMONY_MISSING
#elif defined __linux__ && defined __aarch64__ && !__has_include("lib/linux_arm64/libharmony_stream.a")
#define HARMONY_MISSING
#elif defined __APPLE__ && defined __x86_64__ && !__has_include("lib/darwin_amd64/libharmony_stream.a")
#define HARMONY_MISSING
#elif defined __APPLE__ && defined __aarch64__ && !__has_include("lib/darwin_arm64/libharmony_stream.a")
#define HARMONY_MISSING
#endif
#ifdef HARMONY_MISSING
#error "the C library is missing: run ffi/go/build-lib.sh, or install it and build with -tags harmony_pkgconfig"
#endif
*/
import "C"
