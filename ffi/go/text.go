package harmony

// #include "harmony_stream.h"
import "C"

import "unsafe"

// bytesC and stringC lend Go memory to a C call. For nothing the pointer is nil, which the library takes for empty.

func bytesC(text []byte) *C.char {
	return (*C.char)(unsafe.Pointer(unsafe.SliceData(text)))
}

func stringC(text string) *C.char {
	return (*C.char)(unsafe.Pointer(unsafe.StringData(text)))
}

// stringGo copies C memory.
func stringGo(text *C.char, length C.size_t) string {
	return string(unsafe.Slice((*byte)(unsafe.Pointer(text)), int(length)))
}

// stringsGo copies the texts that a function made, and frees them. nil gives none.
func stringsGo(texts *C.harmony_texts) []string {
	defer C.harmony_texts_free(texts)
	copied := make([]string, C.harmony_texts_count(texts))
	for i := range copied {
		var length C.size_t
		text := C.harmony_texts_get(texts, C.size_t(i), &length)
		copied[i] = stringGo(text, length)
	}
	return copied
}

// oneGo is stringsGo for a function that makes one text, or none.
func oneGo(texts *C.harmony_texts) string {
	if all := stringsGo(texts); len(all) > 0 {
		return all[0]
	}
	return ""
}
