package harmony

// #include "shim.h"
import "C"

import "runtime"

// A Registry says which tools' input can be cut where a leak begins. Close it; that releases its memory.
type Registry struct {
	handle  *C.harmony_registry
	cleanup runtime.Cleanup
}

// NewRegistry makes an empty registry.
func NewRegistry() (*Registry, error) { return newRegistry(0) }

// DefaultRegistry makes a registry with "edit" (input that begins with "@") and "eval" (any), both with the sentinel
// "\n*** Abort\n".
func DefaultRegistry() (*Registry, error) { return newRegistry(1) }

func newRegistry(defaults C.int32_t) (*Registry, error) {
	var handle *C.harmony_registry
	if err := failed(C.harmony_registry_new(defaults, &handle)); err != nil {
		return nil, err
	}
	r := &Registry{handle: handle}
	r.cleanup = runtime.AddCleanup(r, func(handle *C.harmony_registry) { C.harmony_registry_free(handle) }, handle)
	return r, nil
}

// Close releases the registry's memory. Every later call is [ErrClosed], a second Close nothing.
func (r *Registry) Close() error {
	if r.handle != nil {
		r.cleanup.Stop()
		C.harmony_registry_free(r.handle)
		r.handle = nil
	}
	return nil
}

// Add adds a tool, or changes the one with this name. Input that begins, after white space, with the prefix can be cut
// (any, if the prefix is empty); the sentinel then ends it.
//
// Errors: [ErrUTF8], [ErrClosed].
func (r *Registry) Add(name, prefix, sentinel string) error {
	if r.handle == nil {
		return ErrClosed
	}
	err := failed(C.harmony_registry_add(r.handle, stringC(name), C.size_t(len(name)),
		stringC(prefix), C.size_t(len(prefix)), stringC(sentinel), C.size_t(len(sentinel))))
	runtime.KeepAlive(r)
	return err
}

// A Recovery is what is left of a tool call after a leak.
type Recovery struct {
	// Clean is what can be run in place of the input.
	Clean string
	// Removed is the text that is lost, for the audit event.
	Removed string
}

// Recover cuts the string that a call of the tool is about, in which [DetectLeak] found its first signal at signalStart
// on [SurfaceToolArg], at the start of that signal's line.
//
// [ErrNone]: the registry does not have the tool, the tool does not accept the input, or nothing would be left; throw
// the call away. Removed is set then too.
//
// Errors: also [ErrArgument] (a start that is no place in the input), [ErrUTF8], [ErrClosed].
func (r *Registry) Recover(tool, input string, signalStart int) (Recovery, error) {
	if r.handle == nil {
		return Recovery{}, ErrClosed
	}
	var clean *C.harmony_texts
	var removed C.size_t
	status := C.harmony_leak_recover(r.handle, stringC(tool), C.size_t(len(tool)), stringC(input),
		C.size_t(len(input)), C.uint64_t(signalStart), &clean, &removed)
	runtime.KeepAlive(r)
	if err := failed(status); err != nil {
		return Recovery{}, err
	}
	return Recovery{Clean: oneGo(clean), Removed: input[removed:]}, missing(status)
}

// Continuation is what to say to the model, as the next user message, after a recovered call has run: it asks for what
// was lost.
func Continuation() string { return C.GoString(C.harmony_leak_continuation()) }
