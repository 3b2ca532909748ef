package harmony

// #include "harmony_stream.h"
import "C"

// Escape breaks every marker in untrusted text (tool results, user text) with a U+2060 behind its <, so that neither
// this parser nor a tokenizer that looks for special tokens finds one: in this text, or in it and what stands behind
// it. What stands before it must not end in the beginning of a marker, such as <. O(length).
//
// Errors: [ErrUTF8].
func Escape(text string) (string, error) {
	var out *C.harmony_texts
	err := failed(C.harmony_escape(stringC(text), C.size_t(len(text)), &out))
	return oneGo(out), err
}

// Unescape takes back exactly what [Escape] did; else as there.
func Unescape(text string) (string, error) {
	var out *C.harmony_texts
	err := failed(C.harmony_unescape(stringC(text), C.size_t(len(text)), &out))
	return oneGo(out), err
}
