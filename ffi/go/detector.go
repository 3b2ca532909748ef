package harmony

/*
#include "shim.h"

#cgo noescape harmony_go_detector_push
#cgo nocallback harmony_go_detector_push
#cgo noescape harmony_go_detector_set_parsed_end
#cgo nocallback harmony_go_detector_set_parsed_end
#cgo noescape harmony_go_detector_finish
#cgo nocallback harmony_go_detector_finish
#cgo noescape harmony_go_detector_drain
#cgo nocallback harmony_go_detector_drain
*/
import "C"

import "runtime"

// A Detector searches one text for leaks while it streams, with a window of less than 64 KB, and 24
// bytes for each signal that waits for the first one with T in tool arguments. All its signals together
// are those of [DetectLeak] for the whole text.
//
// It may move between goroutines, but must not be used by two at once. Close it; that releases its memory.
type Detector struct {
	handle  *C.harmony_detector
	cleanup runtime.Cleanup
	out     C.harmony_go_signals
	signals []Signal
}

// NewDetector makes a detector for one text; surface and parsedEnd as in [DetectLeak], but the end may be told later.
func NewDetector(surface Surface, parsedEnd int) (*Detector, error) {
	var handle *C.harmony_detector
	if err := failed(C.harmony_detector_new(C.uint32_t(surface), endC(parsedEnd), &handle)); err != nil {
		return nil, err
	}
	return ownDetector(handle), nil
}

func ownDetector(handle *C.harmony_detector) *Detector {
	d := &Detector{handle: handle}
	d.cleanup = runtime.AddCleanup(d, func(handle *C.harmony_detector) { C.harmony_detector_free(handle) }, handle)
	return d
}

// Close releases the detector's memory. Every later call is [ErrClosed], a second Close nothing.
func (d *Detector) Close() error {
	if d.handle != nil {
		d.cleanup.Stop()
		C.harmony_detector_free(d.handle)
		d.handle = nil
	}
	return nil
}

// Push takes the next chunk of the text and gives the signals that are certain now; they are good until the next call.
// A signal is certain as soon as 240 UTF-16 units from its start and 200 behind its end are there.
//
// Errors: [ErrFinished], [ErrClosed].
func (d *Detector) Push(chunk []byte) ([]Signal, error) {
	if d.handle == nil {
		return nil, ErrClosed
	}
	C.harmony_go_detector_push(d.handle, bytesC(chunk), C.size_t(len(chunk)), &d.out)
	return d.take()
}

// SetParsedEnd tells where a valid parse of the tool's arguments ends, in bytes from the start of the text. The first
// end that is told counts. On [SurfaceToolArg] it may come any time before the finish; else it counts for signals that
// were not given yet.
//
// Errors: [ErrArgument] for an end below 0, [ErrFinished], [ErrClosed].
func (d *Detector) SetParsedEnd(end int) ([]Signal, error) {
	if d.handle == nil {
		return nil, ErrClosed
	}
	C.harmony_go_detector_set_parsed_end(d.handle, endC(end), &d.out)
	return d.take()
}

// Finish ends the text and gives the signals that waited for more of it.
//
// Errors: [ErrFinished] the second time, [ErrClosed].
func (d *Detector) Finish() ([]Signal, error) {
	if d.handle == nil {
		return nil, ErrClosed
	}
	C.harmony_go_detector_finish(d.handle, &d.out)
	return d.take()
}

func (d *Detector) take() ([]Signal, error) {
	d.signals = d.signals[:0]
	for {
		if err := failed(d.out.status); err != nil {
			return d.signals, err
		}
		d.signals = signalsGo(d.signals, d.out.signals[:d.out.count])
		if d.out.status != C.HARMONY_MORE {
			runtime.KeepAlive(d)
			return d.signals, nil
		}
		C.harmony_go_detector_drain(d.handle, &d.out)
	}
}

// Detected says whether there was a signal so far: stop the model as soon as this is so. False after Close.
func (d *Detector) Detected() bool {
	if d.handle == nil {
		return false
	}
	detected := C.harmony_detector_detected(d.handle) == 1
	runtime.KeepAlive(d)
	return detected
}

// Reset forgets the text and starts another one.
func (d *Detector) Reset(surface Surface, parsedEnd int) error {
	if d.handle == nil {
		return ErrClosed
	}
	err := failed(C.harmony_detector_reset(d.handle, C.uint32_t(surface), endC(parsedEnd)))
	runtime.KeepAlive(d)
	return err
}

// Clone copies the detector; both go on on their own, and both want to be closed.
func (d *Detector) Clone() (*Detector, error) {
	if d.handle == nil {
		return nil, ErrClosed
	}
	var handle *C.harmony_detector
	err := failed(C.harmony_detector_clone(d.handle, &handle))
	runtime.KeepAlive(d)
	if err != nil {
		return nil, err
	}
	return ownDetector(handle), nil
}
