package harmony

// #include "harmony_stream.h"
import "C"

import "fmt"

// A Summary is how a stream ended.
type Summary struct {
	// Failure is why the whole text came back as content; nil if it did not.
	Failure *Failure
	// LastEnd is how the last message ended; EndNone if there was none.
	LastEnd End
	// Deviations is how many were repaired.
	Deviations int
	// Bytes of body text (content, reasoning and arguments together) by the channel they came on.
	Bytes Bytes
}

// A Failure is the first thing that is wrong with a text.
type Failure struct {
	// Deviation is what.
	Deviation Deviation
	// Offset is the byte that proved it.
	Offset int
}

// Error says it in words, "at byte N: ...".
func (f *Failure) Error() string {
	return fmt.Sprintf("at byte %d: %s", f.Offset, f.Deviation.Message())
}

// Bytes counts body text by channel; Other is for no channel, an unknown one, and text outside of messages.
type Bytes struct {
	Analysis, Commentary, Final, Other int
}

func summary(raw *C.harmony_summary) Summary {
	s := Summary{
		LastEnd:    End(raw.last_end),
		Deviations: int(raw.deviations),
		Bytes: Bytes{
			Analysis:   int(raw.bytes_analysis),
			Commentary: int(raw.bytes_commentary),
			Final:      int(raw.bytes_final),
			Other:      int(raw.bytes_other),
		},
	}
	if raw.failure != 0 {
		s.Failure = &Failure{Deviation: Deviation(raw.failure), Offset: int(raw.failure_offset)}
	}
	return s
}
