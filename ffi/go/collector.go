package harmony

// A Collector folds the events of a [Parser] into a [Parsed]. The zero value is ready to use.
type Collector struct {
	content, reasoning []byte
	calls              []collected
}

type collected struct {
	name, recipient string
	arguments       []byte
	status          CallStatus
}

// Add adds the next events. It copies what it keeps.
func (c *Collector) Add(events ...Event) {
	for i := range events {
		c.add(&events[i])
	}
}

func (c *Collector) add(event *Event) {
	switch event.Kind {
	case EventContent:
		c.content = append(c.content, event.Text...)
	case EventReasoning:
		c.reasoning = append(c.reasoning, event.Text...)
	case EventToolCallStart:
		c.calls = append(c.calls, collected{
			name: string(event.Text), recipient: string(event.Recipient), status: CallIncomplete,
		})
	case EventToolCallArguments:
		if call := c.last(); call != nil {
			call.arguments = append(call.arguments, event.Text...)
		}
	case EventToolCallEnd:
		if call := c.last(); call != nil {
			call.status = event.Status
		}
	case EventRollback:
		*c = Collector{}
	}
}

// last is the call that is open; nil if the events did not begin with the first one.
func (c *Collector) last() *collected {
	if len(c.calls) == 0 {
		return nil
	}
	return &c.calls[len(c.calls)-1]
}

// Parsed is the result so far. Its Summary is empty: the parser has it.
func (c *Collector) Parsed() Parsed {
	all := Parsed{Content: string(c.content), Reasoning: string(c.reasoning)}
	for _, call := range c.calls {
		all.ToolCalls = append(all.ToolCalls, ToolCall{
			Name: call.name, Recipient: call.recipient, Arguments: string(call.arguments), Status: call.status,
		})
	}
	return all
}
