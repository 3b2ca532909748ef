/* One C call a chunk: it fills a struct that lies in Go memory. The struct holds no pointer as far as Go knows, so that
 * passing it costs no check; addresses of C memory are numbers in it. */
#ifndef HARMONY_GO_SHIM_H
#define HARMONY_GO_SHIM_H

#include "harmony_stream.h"

enum { HARMONY_GO_EVENTS = 16, HARMONY_GO_SIGNALS = 8 };

typedef struct harmony_go_events {
  harmony_status status;
  size_t count;
  uintptr_t text; /* the transcript */
  size_t length;  /* of the transcript */
  harmony_event events[HARMONY_GO_EVENTS];
} harmony_go_events;

static inline void harmony_go_note_text(harmony_stream *stream, harmony_go_events *out) {
  out->text = (uintptr_t)harmony_stream_text(stream, &out->length);
}

static inline void harmony_go_push(harmony_stream *stream, const char *data, size_t length, harmony_go_events *out) {
  out->status = harmony_stream_push(stream, data, length, out->events, HARMONY_GO_EVENTS, &out->count);
  harmony_go_note_text(stream, out);
}

static inline void harmony_go_push_control(harmony_stream *stream, uint32_t control, harmony_go_events *out) {
  out->status = harmony_stream_push_control(stream, control, out->events, HARMONY_GO_EVENTS, &out->count);
  harmony_go_note_text(stream, out);
}

static inline void harmony_go_finish(harmony_stream *stream, harmony_go_events *out) {
  out->status = harmony_stream_finish(stream, out->events, HARMONY_GO_EVENTS, &out->count);
  harmony_go_note_text(stream, out);
}

static inline void harmony_go_drain(harmony_stream *stream, harmony_go_events *out) {
  out->status = harmony_stream_drain(stream, out->events, HARMONY_GO_EVENTS, &out->count);
  harmony_go_note_text(stream, out);
}

typedef struct harmony_go_signals {
  harmony_status status;
  size_t count;
  harmony_signal signals[HARMONY_GO_SIGNALS];
} harmony_go_signals;

static inline void harmony_go_detector_push(harmony_detector *detector, const char *data, size_t length,
                                            harmony_go_signals *out) {
  out->status = harmony_detector_push(detector, data, length, out->signals, HARMONY_GO_SIGNALS, &out->count);
}

static inline void harmony_go_detector_set_parsed_end(harmony_detector *detector, uint64_t end,
                                                      harmony_go_signals *out) {
  out->status = harmony_detector_set_parsed_end(detector, end, out->signals, HARMONY_GO_SIGNALS, &out->count);
}

static inline void harmony_go_detector_finish(harmony_detector *detector, harmony_go_signals *out) {
  out->status = harmony_detector_finish(detector, out->signals, HARMONY_GO_SIGNALS, &out->count);
}

static inline void harmony_go_detector_drain(harmony_detector *detector, harmony_go_signals *out) {
  out->status = harmony_detector_drain(detector, out->signals, HARMONY_GO_SIGNALS, &out->count);
}

/* A block's texts are Go memory, so the struct that points to them is made here and not in Go. */

static inline harmony_status harmony_go_detect_block(uint64_t kind, const char *text, size_t text_length,
                                                     uint64_t parsed_end, harmony_signal *signals, size_t capacity,
                                                     size_t *count) {
  const harmony_block block = {kind, text, text_length, NULL, 0, parsed_end};
  size_t index;
  return harmony_leak_detect_message(&block, 1, &index, signals, capacity, count);
}

static inline harmony_status harmony_go_block_searched(uint64_t kind, const char *text, size_t text_length,
                                                       harmony_texts **out) {
  const harmony_block block = {kind, text, text_length, NULL, 0, HARMONY_NO_END};
  return harmony_block_searched(&block, out);
}

static inline harmony_status harmony_go_block_recover(const harmony_registry *registry, uint64_t kind,
                                                      const char *text, size_t text_length, const char *tool,
                                                      size_t tool_length, uint64_t signal_start,
                                                      harmony_texts **out) {
  const harmony_block block = {kind, text, text_length, tool, tool_length, HARMONY_NO_END};
  return harmony_block_recover(registry, &block, signal_start, out);
}

#endif
