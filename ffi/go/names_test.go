package harmony

import (
	"bytes"
	"fmt"
	"os"
	"testing"
)

func TestNames(t *testing.T) {
	for want, value := range map[string]fmt.Stringer{
		"tool_call_start": EventToolCallStart, "finish": EventFinish, "analysis": ChannelAnalysis,
		"other": ChannelOther, "malformed": CallMalformed, "next_header": EndNextHeader,
		"wrong_terminator": DeviationWrongTerminator, "tool_arg": SurfaceToolArg, "abort_retry": ActionAbortRetry,
		"recover": PolicyRecover, "any_recipient": RoutingAnyRecipient, "final_body": StartFinalBody,
		"tokens": InputTokens, "thinking": BlockThinking, "call": ControlCall, "M+C+S": ClassMarker | ClassChannel |
			ClassScript,
	} {
		same(t, "name", value.String(), want)
	}
	for _, value := range []fmt.Stringer{Kind(99), Channel(99), CallStatus(99), End(99), Deviation(99), Surface(99),
		Action(99), Policy(99), Routing(99), Start(99), Input(99), BlockKind(99), Control(99), Control(0)} {
		same(t, fmt.Sprintf("%T", value), value.String(), "unknown")
	}
	for _, value := range []fmt.Stringer{Kind(0), ChannelNone, CallStatus(0), EndNone, DeviationNone, Action(0),
		Class(0)} {
		same(t, fmt.Sprintf("%T", value), value.String(), "none")
	}
}

func TestDeviationsHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for _, deviation := range Deviations() {
		seen[deviation.String()] = true
		same(t, deviation.String(), deviation.Message() != Deviation(99).Message(), true)
	}
	same(t, "deviations", len(seen), 20)
	same(t, "unknown", seen["unknown"], false)
}

func TestControls(t *testing.T) {
	for control := ControlStart; control <= ControlConstrain; control++ {
		found, ok := ControlFromTokenID(control.TokenID())
		same(t, control.String(), found, control)
		same(t, control.String(), ok, true)
		same(t, control.String(), control.Literal(), "<|"+control.String()+"|>")
	}
	_, ok := ControlFromTokenID(1)
	same(t, "no control", ok, false)
	same(t, "call", ControlCall.TokenID(), uint32(200012))
}

func TestErrorsSayWhatTheyAre(t *testing.T) {
	seen := map[string]bool{}
	for _, err := range []Error{ErrArgument, ErrFinished, ErrInput, ErrLimit, ErrUTF8, ErrPanic, ErrNone, ErrCut,
		ErrClosed, Error(-77)} {
		seen[err.Error()] = true
	}
	same(t, "messages", len(seen), 10)
}

// The copy of the header that this package is compiled with must be the project's.
func TestHeaderIsTheProjects(t *testing.T) {
	ours, err := os.ReadFile("harmony_stream.h")
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := os.ReadFile("../../include/harmony_stream.h")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(ours, theirs) {
		t.Fatal("copy include/harmony_stream.h to ffi/go")
	}
	same(t, "version", Version(), headerVersion())
	same(t, "ABI", linkedABI(), 1)
}
