package harmony

// #include "shim.h"
import "C"

import "runtime"

// A BlockKind is what a [Block] is.
type BlockKind uint8

const (
	// BlockOther is not searched.
	BlockOther BlockKind = C.HARMONY_BLOCK_OTHER
	// BlockText is visible text.
	BlockText BlockKind = C.HARMONY_BLOCK_TEXT
	// BlockThinking is the chain of thought.
	BlockThinking BlockKind = C.HARMONY_BLOCK_THINKING
	// BlockToolCall is a tool call.
	BlockToolCall BlockKind = C.HARMONY_BLOCK_TOOL_CALL
)

// String is its name: "tool_call".
func (k BlockKind) String() string { return name(k, "other", "text", "thinking", "tool_call") }

// A Block is a part of a finished message.
type Block struct {
	Kind BlockKind
	// Text is the text; of a tool call its arguments as JSON. A string `input` in them is what is searched, else their
	// text without its white space.
	Text string
	// Tool is the tool's name.
	Tool string
	// ParsedEnd is where a valid parse of what is searched in a tool call ends, so that 0 makes all of it lie behind
	// that end. [NoEnd], where nobody knows: it is not searched.
	ParsedEnd int
}

// ToolCallBlock is a tool call of which nobody knows where a valid parse ends; set ParsedEnd if you do.
func ToolCallBlock(tool, arguments string) Block {
	return Block{Kind: BlockToolCall, Text: arguments, Tool: tool, ParsedEnd: NoEnd}
}

// DetectMessageLeak searches the blocks of a message in order, up to the first one with a leak: its index and signals.
// There are none, and the index is len(blocks), if all is clean.
//
// Errors: [ErrArgument] (a block's kind), [ErrUTF8].
func DetectMessageLeak(blocks []Block) (int, []Signal, error) {
	for index := range blocks {
		signals, err := blocks[index].detect()
		if err != nil || len(signals) > 0 {
			return index, signals, err
		}
	}
	return len(blocks), nil, nil
}

func (b *Block) detect() ([]Signal, error) {
	signals := make([]C.harmony_signal, 8)
	for {
		var count C.size_t
		status := C.harmony_go_detect_block(C.uint64_t(b.Kind), stringC(b.Text), C.size_t(len(b.Text)),
			endC(b.ParsedEnd), &signals[0], C.size_t(len(signals)), &count)
		if status != C.HARMONY_MORE {
			return signalsGo(nil, signals[:count]), failed(status)
		}
		signals = make([]C.harmony_signal, count)
	}
}

// Searched is what is searched in the block, and what offsets count in. From the first signal on it is what is lost if
// the message is thrown away.
//
// Errors: [ErrArgument] (its kind), [ErrUTF8].
func (b *Block) Searched() (string, error) {
	var texts *C.harmony_texts
	err := failed(C.harmony_go_block_searched(C.uint64_t(b.Kind), stringC(b.Text), C.size_t(len(b.Text)), &texts))
	return oneGo(texts), err
}

// RecoverBlock is [Registry.Recover] for a tool call whose arguments have a string `input`. With a recovery the call
// stands alone in its message, which stops for tool use, and Clean takes the place of `input`; drop all other blocks,
// and opaque payloads of the provider too, since nobody can tell whether they are clean.
//
// Errors: [ErrNone] (there is no recovery), [ErrArgument], [ErrUTF8], [ErrClosed].
func (r *Registry) RecoverBlock(block *Block, signalStart int) (Recovery, error) {
	if r.handle == nil {
		return Recovery{}, ErrClosed
	}
	var texts *C.harmony_texts
	status := C.harmony_go_block_recover(r.handle, C.uint64_t(block.Kind), stringC(block.Text),
		C.size_t(len(block.Text)), stringC(block.Tool), C.size_t(len(block.Tool)), C.uint64_t(signalStart), &texts)
	runtime.KeepAlive(r)
	both := stringsGo(texts)
	if err := missing(status); err != nil {
		return Recovery{}, err
	}
	return Recovery{Clean: both[0], Removed: both[1]}, nil
}
