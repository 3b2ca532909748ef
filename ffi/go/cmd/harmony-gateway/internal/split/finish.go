package split

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"harmony-stream/ffi/go"
)

// finishReason is what the upstream's finish reason should be instead, empty if it may stay.
//
// tool_calls says: run the calls. So it needs a complete one, and none that was cut. length, content_filter and
// whatever else an upstream says count more than that.
func finishReason(upstream string, found *Summary) string {
	callable := found.Calls[harmony.CallComplete] > 0 && found.Calls[harmony.CallIncomplete] == 0
	switch {
	case upstream == "stop" && callable:
		return "tool_calls"
	case (upstream == "tool_calls" || upstream == "function_call") && !callable:
		return "stop"
	}
	return ""
}

// callID is the same for the same response, streamed or not; another response has others, as long as its source (id and
// time of creation) is another.
func callID(source string, choice, call int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%d\n%d", source, choice, call))
	return "call_" + hex.EncodeToString(sum[:12])
}
