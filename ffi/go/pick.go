package harmony

// #include "harmony_stream.h"
import "C"

// For the small side calls of a chat application: a title, suggestion chips, retrieval queries.

// TitleSchema is the schema of a chat title as JSON: an object with `title`, one string.
func TitleSchema() string { return C.GoString(C.harmony_schema_title()) }

// SuggestionsSchema is the schema of suggestion chips: an object with `suggestions`, three strings.
func SuggestionsSchema() string { return C.GoString(C.harmony_schema_suggestions()) }

// QueriesSchema is the schema of retrieval queries: an object with `queries`, one string or more.
func QueriesSchema() string { return C.GoString(C.harmony_schema_queries()) }

// Extract gives the text from the first { to the last } of an answer, if that is one JSON object, at any depth.
// O(length).
//
// Errors: [ErrNone] (it is none), [ErrUTF8].
func Extract(answer string) (string, error) {
	var start, length C.size_t
	err := missing(C.harmony_extract(stringC(answer), C.size_t(len(answer)), &start, &length))
	return answer[start : start+length], err
}

// PickTitle gives the title in an answer: its `title`, trimmed. constrained says whether the decoder was really bound
// to a schema, and with it why there is no title: [ErrCut], the answer was cut, do without the value; [ErrNone], it may
// be prose, use your own parser.
//
// Errors: also [ErrUTF8].
func PickTitle(answer string, constrained bool) (string, error) {
	var out *C.harmony_texts
	err := missing(C.harmony_pick_title(stringC(answer), C.size_t(len(answer)), boolC(constrained), &out))
	return oneGo(out), err
}

// PickSuggestions gives the suggestions in an answer, at most three; else as [PickTitle].
func PickSuggestions(answer string, constrained bool) ([]string, error) {
	var out *C.harmony_texts
	err := missing(C.harmony_pick_suggestions(stringC(answer), C.size_t(len(answer)), boolC(constrained), &out))
	return stringsGo(out), err
}

// PickQueries gives the queries in an answer, best first; else as [PickTitle].
func PickQueries(answer string, constrained bool) ([]string, error) {
	var out *C.harmony_texts
	err := missing(C.harmony_pick_queries(stringC(answer), C.size_t(len(answer)), boolC(constrained), &out))
	return stringsGo(out), err
}

func boolC(yes bool) C.int32_t {
	if yes {
		return 1
	}
	return 0
}
