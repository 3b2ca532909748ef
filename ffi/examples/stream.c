/* Reads the text of a model from standard input in pieces and prints the events, one JSON object a line: the same as
 * `harmony-stream --format events`.
 *
 *   cc stream.c $(pkg-config --cflags --libs harmony_stream) -o stream
 *   ./stream [--lenient] [--chunk BYTES] < transcript.txt
 */
#include <harmony_stream.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_text.h"

static void text_field(const char *name, const char *text, size_t length) {
  printf(",\"%s\":", name);
  json_text(stdout, text, length);
}

static void name_field(const char *name, const char *value) {
  printf(",\"%s\":\"%s\"", name, value);
}

static void number_field(const char *name, uint64_t value) {
  printf(",\"%s\":%llu", name, (unsigned long long)value);
}

static void print_finish(const harmony_stream *stream) {
  harmony_summary end = HARMONY_SUMMARY_INIT;
  harmony_stream_summary(stream, &end);
  if (end.failure == 0) {
    printf(",\"failure\":null");
  } else {
    printf(",\"failure\":{\"kind\":\"%s\"", harmony_deviation_name(end.failure));
    number_field("offset", end.failure_offset);
    printf("}");
  }
  if (end.last_end == 0) printf(",\"last_end\":null");
  else name_field("last_end", harmony_message_end_name(end.last_end));
  number_field("deviations", end.deviations);
  printf(",\"bytes\":{\"analysis\":%llu", (unsigned long long)end.bytes_analysis);
  number_field("commentary", end.bytes_commentary);
  number_field("final", end.bytes_final);
  number_field("other", end.bytes_other);
  printf("}");
}

static void print_event(const harmony_stream *stream, const harmony_event *event) {
  const char *text = harmony_event_text(stream, event);
  const size_t length = (size_t)event->length;

  printf("{\"event\":\"%s\"", harmony_event_name(event->kind));
  switch (event->kind) {
    case HARMONY_EVENT_MESSAGE_START:
      name_field("channel", harmony_channel_name(event->channel));
      if (length == 0) printf(",\"recipient\":null");
      else text_field("recipient", text, length);
      break;
    case HARMONY_EVENT_CONTENT:
    case HARMONY_EVENT_REASONING:
      text_field("text", text, length);
      break;
    case HARMONY_EVENT_TOOL_CALL_START:
      number_field("index", event->index);
      text_field("name", text, length);
      text_field("recipient", text - event->code, length + event->code);
      break;
    case HARMONY_EVENT_TOOL_CALL_ARGUMENTS:
      number_field("index", event->index);
      text_field("text", text, length);
      break;
    case HARMONY_EVENT_TOOL_CALL_END:
      number_field("index", event->index);
      text_field("arguments", text, length);
      name_field("status", harmony_call_status_name(event->code));
      break;
    case HARMONY_EVENT_MESSAGE_END:
      name_field("end", harmony_message_end_name(event->code));
      break;
    case HARMONY_EVENT_DEVIATION:
      name_field("kind", harmony_deviation_name(event->code));
      number_field("offset", event->offset);
      text_field("dropped", text, length);
      break;
    case HARMONY_EVENT_FINISH:
      print_finish(stream);
      break;
    default:
      break;
  }
  printf("}\n");
}

/* Prints the events at hand and those that found no room. */
static harmony_status print_all(harmony_stream *stream, harmony_status status, harmony_event *events, size_t capacity,
                                size_t count) {
  size_t i;
  for (;;) {
    for (i = 0; i < count; i++) print_event(stream, &events[i]);
    if (status != HARMONY_MORE) return status;
    status = harmony_stream_drain(stream, events, capacity, &count);
  }
}

static harmony_status run(harmony_stream *stream, char *piece, size_t chunk) {
  harmony_event events[16];
  size_t length, count;
  harmony_status status;
  while ((length = fread(piece, 1, chunk, stdin)) > 0) {
    status = harmony_stream_push(stream, piece, length, events, 16, &count);
    status = print_all(stream, status, events, 16, count);
    if (status < 0) return status;
  }
  status = harmony_stream_finish(stream, events, 16, &count);
  return print_all(stream, status, events, 16, count);
}

int main(int argc, char **argv) {
  harmony_options options = HARMONY_OPTIONS_INIT;
  harmony_options lenient = HARMONY_OPTIONS_LENIENT_INIT;
  harmony_stream *stream = NULL;
  harmony_status status;
  size_t chunk = 65536;
  char *piece;
  int i;

  for (i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--lenient") == 0) options = lenient;
    else if (strcmp(argv[i], "--chunk") == 0 && i + 1 < argc) chunk = (size_t)strtoul(argv[++i], NULL, 10);
    else chunk = 0;
  }
  if (chunk == 0 || (piece = malloc(chunk)) == NULL) {
    fprintf(stderr, "usage: %s [--lenient] [--chunk BYTES] < transcript.txt\n", argv[0]);
    return 2;
  }
  status = harmony_stream_new(&options, &stream);
  if (status >= 0) status = run(stream, piece, chunk);
  if (status < 0) fprintf(stderr, "%s: %s\n", argv[0], harmony_status_name(status));
  harmony_stream_free(stream);
  free(piece);
  return status < 0 ? 2 : 0;
}
