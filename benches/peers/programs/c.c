/* harmony-stream through its C interface, pushed and at once. */
#include "c.h"

#include <harmony_stream.h>

enum { ROOM = 16 };

static int what(uint32_t kind) {
  switch (kind) {
    case HARMONY_EVENT_CONTENT: return CONTENT;
    case HARMONY_EVENT_REASONING: return REASONING;
    case HARMONY_EVENT_TOOL_CALL_START: return CALL;
    case HARMONY_EVENT_TOOL_CALL_ARGUMENTS: return ARGUMENTS;
    case HARMONY_EVENT_ROLLBACK: return ROLLBACK;
    default: return -1;
  }
}

static size_t take(harmony_stream *stream, harmony_status status, harmony_event *events, size_t count, sink sink,
                   void *to) {
  size_t bytes = 0, i;
  for (;;) {
    for (i = 0; i < count; i++) {
      const int kind = what(events[i].kind);
      if (kind < 0) continue;
      bytes += (size_t)events[i].length;
      if (sink != NULL) sink(to, kind, harmony_event_text(stream, &events[i]), (size_t)events[i].length);
    }
    if (status != HARMONY_MORE) return bytes;
    status = harmony_stream_drain(stream, events, ROOM, &count);
  }
}

size_t parse_pieces(const piece *pieces, size_t count, sink sink, void *to) {
  harmony_event events[ROOM];
  harmony_stream *stream = NULL;
  harmony_status status;
  size_t bytes = 0, written, i;
  if (harmony_stream_new(NULL, &stream) < 0) return 0;
  for (i = 0; i < count; i++) {
    status = harmony_stream_push(stream, pieces[i].text, pieces[i].length, events, ROOM, &written);
    bytes += take(stream, status, events, written, sink, to);
  }
  status = harmony_stream_finish(stream, events, ROOM, &written);
  bytes += take(stream, status, events, written, sink, to);
  harmony_stream_free(stream);
  return bytes;
}

size_t parse_whole(const char *text, size_t length, sink sink, void *to) {
  harmony_message *message = NULL;
  size_t bytes = 0, part, i;
  const char *at;
  if (harmony_parse(NULL, text, length, &message) < 0) return 0;
  at = harmony_message_content(message, &part);
  bytes += part;
  if (sink != NULL) sink(to, CONTENT, at, part);
  at = harmony_message_reasoning(message, &part);
  bytes += part;
  if (sink != NULL) sink(to, REASONING, at, part);
  for (i = 0; i < harmony_message_call_count(message); i++) {
    at = harmony_message_call_name(message, i, &part);
    bytes += part;
    if (sink != NULL) sink(to, CALL, at, part);
    at = harmony_message_call_arguments(message, i, &part);
    bytes += part;
    if (sink != NULL) sink(to, ARGUMENTS, at, part);
  }
  harmony_message_free(message);
  return bytes;
}
