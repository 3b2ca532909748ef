package split

import "harmony-stream/ffi/go"

type phase int

const (
	plain  phase = iota // no harmony yet: all that was found is the text itself
	unsure              // harmony, but it may still fail (verbatim policy)
	split               // harmony for good
	unread              // nothing more is read; what was not decided stays as it came
)

// A choice of a response has a parser of its own.
type choice struct {
	index    int
	parser   *harmony.Parser // nil when the text has ended
	recovers bool
	phase    phase
	pieces   pieces
	length   int    // of the text so far
	known    int    // while plain: the text up to here is content for certain
	released int    // while plain: and up to here it stays in its events
	between  []byte // while plain: the text from released to known
	found    Summary
	leaks    *leaks // nil: not wanted
}

func newChoice(index int, settings *Settings, whole bool) (*choice, error) {
	parser, err := harmony.NewParser(settings.options())
	if err != nil {
		return nil, err
	}
	c := &choice{index: index, parser: parser, recovers: settings.Parser.Policy == harmony.PolicyRecover}
	c.pieces.whole = whole
	if settings.Detect {
		c.leaks, err = newLeaks()
		if err != nil {
			c.close()
			return nil, err
		}
	}
	return c, nil
}

// close frees what lies outside of Go's memory. Nothing else is lost.
func (c *choice) close() {
	c.endParser()
	c.leaks.close()
}

func (c *choice) endParser() {
	if c.parser != nil {
		c.parser.Close()
		c.parser = nil
	}
}

// push reads on. Behind the end, a limit, or a bug in the library, the text is content as it comes.
func (c *choice) push(text string) {
	if c.parser == nil {
		c.pass(text)
		return
	}
	if text == "" {
		return
	}
	events, err := c.parser.PushString(text)
	if err != nil {
		if err == harmony.ErrLimit {
			c.found.limit("transcript")
		}
		c.giveUp()
		c.pass(text)
		return
	}
	c.length += len(text)
	c.listen(events)
}

func (c *choice) pass(text string) {
	if c.phase == split {
		c.pieces.text(content, []byte(text))
	}
}

// end says that the text is complete.
func (c *choice) end() {
	if c.parser == nil {
		return
	}
	if events, err := c.parser.Finish(); err == nil {
		c.listen(events)
	}
	switch c.phase {
	case plain:
		c.leaveAlone()
	case unsure:
		c.phase = split
	}
	c.endParser()
}

// giveUp reads no more. What is split already stays so.
func (c *choice) giveUp() {
	if c.phase == split {
		c.end()
		return
	}
	c.leaveAlone()
	c.endParser()
}

// leaveAlone: it stays as it came, so nothing was repaired and no call found.
func (c *choice) leaveAlone() {
	c.phase = unread
	c.pieces.take()
	c.found.Deviations, c.found.Calls = Summary{}.Deviations, Summary{}.Calls
}

// listen takes what the parser has to say.
func (c *choice) listen(events []harmony.Event) {
	for i := range events {
		event := &events[i]
		c.found.count(event)
		switch {
		case event.Kind == harmony.EventContent && c.phase == plain && event.Offset == c.known:
			c.known += len(event.Text)
			c.between = append(c.between, event.Text...)
		case event.Kind == harmony.EventDeviation && len(event.Text) == 0:
		case event.Kind == harmony.EventRollback:
			c.fail(harmony.DeviationNone)
		case event.Kind == harmony.EventFinish:
			c.finished(event)
		case c.phase != unread:
			c.leavePlain()
			c.pieces.add(event)
		}
	}
	// Structure may have been read of which no event tells.
	if c.phase == plain && c.parser != nil && c.length-c.parser.Held() > c.known {
		c.leavePlain()
	}
}

func (c *choice) finished(event *harmony.Event) {
	if summary, err := c.parser.Summary(); err == nil {
		c.found.Bytes = summary.Bytes
	}
	if event.Deviation != harmony.DeviationNone && c.phase != unread {
		c.fail(event.Deviation)
	}
}

// fail: the whole text is content (verbatim policy). A text without any message has not failed, it is plain.
func (c *choice) fail(why harmony.Deviation) {
	c.leaveAlone()
	if why != harmony.DeviationNoMessage {
		c.found.Failed = 1
	}
}

func (c *choice) leavePlain() {
	if c.phase != plain {
		return
	}
	c.phase = unsure
	if c.recovers {
		c.phase = split
	}
	c.pieces.text(content, c.between)
	c.between = nil
}

// settled says whether the text up to here needs to wait no longer.
func (c *choice) settled(end int) bool {
	return c.phase == split || c.phase == unread || c.phase == plain && end <= c.known
}

// A fate is what becomes of the text in an event.
type fate struct {
	untouched bool
	pieces    []piece
	reason    string // the new finish reason; empty: the upstream's
}

// release says whether the text up to here stays as it came because no harmony was found so far. Then it is not said
// again when harmony follows.
func (c *choice) release(end int) bool {
	if c.phase != plain {
		return false
	}
	c.between = c.between[end-c.released:]
	c.released = end
	return true
}

// decide gives the fate of a part that is settled.
func (c *choice) decide(p *part) fate {
	if p.plain || c.phase != split {
		c.leaks.say(content, p.text)
		return fate{untouched: true}
	}
	f := fate{pieces: c.pieces.take(), reason: finishReason(p.reason, &c.found)}
	for i := range f.pieces {
		c.leaks.say(f.pieces[i].kind, string(f.pieces[i].text))
	}
	f.untouched = f.reason == "" && says(f.pieces, p.text)
	return f
}

// says tells whether the pieces are just this text, as content.
func says(pieces []piece, text string) bool {
	if len(pieces) == 0 {
		return text == ""
	}
	return len(pieces) == 1 && pieces[0].kind == content && string(pieces[0].text) == text
}

// summary is complete after end.
func (c *choice) summary() Summary {
	found := c.found
	switch {
	case c.phase == split:
		found.Split = 1
	case found.Failed == 0:
		found.Plain = 1
	}
	found.Leaks = c.leaks.finish(c.index)
	return found
}
