package harmony

/*
#include "harmony_stream.h"

#cgo noescape harmony_parse
#cgo nocallback harmony_parse
#cgo noescape harmony_is_harmony
#cgo nocallback harmony_is_harmony
*/
import "C"

import "unsafe"

// A Parsed is a whole stream, split.
type Parsed struct {
	// Content is the answer; after a failure the whole text.
	Content string
	// Reasoning is the chain of thought.
	Reasoning string
	ToolCalls []ToolCall
	// Summary is how it ended; its Failure says whether the text left the grammar.
	Summary Summary
}

// A ToolCall is one call of a tool.
type ToolCall struct {
	// Name is the tool's, without "functions.".
	Name string
	// Recipient is as it was written.
	Recipient string
	// Arguments are without white space around them.
	Arguments string
	// Status says whether they are complete. Run no other call.
	Status CallStatus
}

// Parse splits a whole text at once. Every text has a result; [Options.MaxBytes] has no effect. O(length).
//
// Errors: [ErrInput] with [InputTokens], [ErrArgument] if an option means nothing.
func Parse(text string, options Options) (Parsed, error) {
	var message *C.harmony_message
	given := options.c()
	if err := failed(C.harmony_parse(&given, stringC(text), C.size_t(len(text)), &message)); err != nil {
		return Parsed{}, err
	}
	defer C.harmony_message_free(message)
	return parsed(message)
}

func parsed(message *C.harmony_message) (Parsed, error) {
	var length C.size_t
	raw := C.harmony_summary{size: C.size_t(unsafe.Sizeof(C.harmony_summary{}))}
	if err := failed(C.harmony_message_summary(message, &raw)); err != nil {
		return Parsed{}, err
	}
	all := Parsed{Summary: summary(&raw)}
	content := C.harmony_message_content(message, &length)
	all.Content = stringGo(content, length)
	reasoning := C.harmony_message_reasoning(message, &length)
	all.Reasoning = stringGo(reasoning, length)
	for i := range C.harmony_message_call_count(message) {
		all.ToolCalls = append(all.ToolCalls, call(message, i))
	}
	return all, nil
}

func call(message *C.harmony_message, index C.size_t) ToolCall {
	var length C.size_t
	one := ToolCall{Status: CallStatus(C.harmony_message_call_status(message, index))}
	name := C.harmony_message_call_name(message, index, &length)
	one.Name = stringGo(name, length)
	recipient := C.harmony_message_call_recipient(message, index, &length)
	one.Recipient = stringGo(recipient, length)
	arguments := C.harmony_message_call_arguments(message, index, &length)
	one.Arguments = stringGo(arguments, length)
	return one
}

// IsHarmony says whether a text may hold a harmony message: <|message|> behind <|channel|> or <|start|>. A cheap look,
// O(length); only parsing knows whether it does.
func IsHarmony(text string) bool {
	return C.harmony_is_harmony(stringC(text), C.size_t(len(text))) == 1
}
