package harmony

// An Event is what a [Parser] says while text comes in.
//
// In a message the order is [EventMessageStart], pieces of text, [EventMessageEnd]; in a tool call EventMessageStart,
// [EventToolCallStart], [EventToolCallArguments], [EventToolCallEnd], EventMessageEnd.
//
// Text and Recipient are Go memory: slices of the chunk where they lie in it, else of a buffer that the parser uses
// again. They are as good as the chunk, and until the next call on the parser; copy what you keep.
type Event struct {
	Kind    Kind
	Channel Channel // of the message that the event belongs to
	// Status is set in EventToolCallEnd.
	Status CallStatus
	// End is set in EventMessageEnd and EventFinish.
	End End
	// Deviation is set in EventDeviation, and in EventFinish if the text left the grammar.
	Deviation Deviation
	// Index counts the tool calls of a stream, from 0.
	Index int
	// Offset is where the text begins, or where the deviation is, in bytes from the beginning of the stream.
	Offset int
	// Position is how many bytes of the stream had come before the event became certain.
	Position int
	// Text is described with each kind; empty if there is none.
	Text []byte
	// Recipient is as it was written (functions.NAME, python); set in EventMessageStart and EventToolCallStart.
	Recipient []byte
}
