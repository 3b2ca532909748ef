package split

import "harmony-stream/ffi/go"

// leaks watches what goes out of one choice: the answer and the chain of thought. Arguments of calls are JSON objects
// when they go out as complete, and any file may stand in them; only the host that runs the tool can judge them.
// All methods are fine with nil, which watches nothing.
type leaks struct {
	detectors [2]*harmony.Detector // by kind: content, reasoning
	signals   [2][]harmony.Signal
}

func newLeaks() (*leaks, error) {
	text, err := harmony.NewDetector(harmony.SurfaceText, harmony.NoEnd)
	if err != nil {
		return nil, err
	}
	thinking, err := harmony.NewDetector(harmony.SurfaceThinking, harmony.NoEnd)
	if err != nil {
		text.Close()
		return nil, err
	}
	return &leaks{detectors: [2]*harmony.Detector{text, thinking}}, nil
}

func (l *leaks) close() {
	if l != nil {
		for _, detector := range l.detectors {
			detector.Close()
		}
	}
}

func (l *leaks) say(kind kind, text string) {
	if l == nil || kind == call || text == "" {
		return
	}
	if signals, err := l.detectors[kind].Push([]byte(text)); err == nil {
		l.signals[kind] = append(l.signals[kind], signals...)
	}
}

// finish tells the leaks. The second time there are none.
func (l *leaks) finish(choice int) []Leak {
	if l == nil {
		return nil
	}
	var found []Leak
	for kind, surface := range []harmony.Surface{harmony.SurfaceText, harmony.SurfaceThinking} {
		signals, err := l.detectors[kind].Finish()
		if err != nil {
			continue
		}
		all := append(l.signals[kind], signals...)
		if len(all) > 0 {
			found = append(found, Leak{
				Choice: choice, Surface: surface, Label: harmony.Label(all), Count: len(all), Offset: all[0].Start,
			})
		}
	}
	return found
}
