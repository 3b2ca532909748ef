package split

import (
	"bytes"
	"slices"
)

// events finds the ends of server-sent events: a blank line.
type events struct {
	read   int // bytes of the first event that were read: whole lines
	looked int // bytes behind them in which no line ends
}

// next is the end of the first event, 0 if it is not complete. Lines end with \n, \r\n or \r.
func (e *events) next(text []byte) int {
	for {
		length := lineLength(text[e.read:], e.looked)
		if length == 0 {
			// All but the last one, which may be a \r.
			e.looked = max(0, len(text)-e.read-1)
			return 0
		}
		blank := isBlank(text[e.read : e.read+length])
		e.read, e.looked = e.read+length, 0
		if blank {
			end := e.read
			e.read = 0
			return end
		}
	}
}

// lineLength is the length of the first line with its end, 0 if it is not complete. It does not end in the bytes that
// were looked at. A \r at the very end of the text is not complete: a \n may follow.
func lineLength(text []byte, looked int) int {
	at := bytes.IndexAny(text[looked:], "\r\n")
	if at < 0 {
		return 0
	}
	at += looked
	switch {
	case text[at] == '\n':
		return at + 1
	case at+1 == len(text):
		return 0
	case text[at+1] == '\n':
		return at + 2
	}
	return at + 1
}

func isBlank(line []byte) bool { return line[0] == '\n' || line[0] == '\r' }

// eventData joins the data lines of an event. false: it has none, as a comment.
func eventData(event []byte) ([]byte, bool) {
	var data []byte
	found := false
	for line := range lines(event) {
		value, ok := dataOf(line)
		if !ok {
			continue
		}
		if found {
			data = append(append(data, '\n'), value...)
		} else {
			// Clipped: the event stays as it is when more is appended.
			data, found = slices.Clip(value), true
		}
	}
	return data, found
}

// lines gives the lines of an event with their ends; the last one may have none.
func lines(event []byte) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for len(event) > 0 {
			length := lineLength(event, 0)
			if length == 0 {
				length = len(event)
			}
			if !yield(event[:length]) {
				return
			}
			event = event[length:]
		}
	}
}

// dataOf is the value of a data line.
func dataOf(line []byte) ([]byte, bool) {
	value, ok := bytes.CutPrefix(bytes.TrimRight(line, "\r\n"), []byte("data"))
	if !ok || len(value) > 0 && value[0] != ':' {
		return nil, false
	}
	value = bytes.TrimPrefix(value, []byte(":"))
	return bytes.TrimPrefix(value, []byte(" ")), true
}

// replaceData writes an event with other data: its other lines stay.
func replaceData(out, event []byte, data string) []byte {
	written := false
	for line := range lines(event) {
		if _, ok := dataOf(line); !ok {
			out = append(out, line...)
			continue
		}
		if !written {
			out = append(append(out, "data: "...), oneLine(data)...)
			out = append(out, lineEnd(line)...)
			written = true
		}
	}
	return out
}

func lineEnd(line []byte) []byte {
	if end := line[len(bytes.TrimRight(line, "\r\n")):]; len(end) > 0 {
		return end
	}
	return []byte("\n\n")
}

// insertData writes an event that is only data.
func insertData(out []byte, data string) []byte {
	return append(append(append(out, "data: "...), oneLine(data)...), "\n\n"...)
}
