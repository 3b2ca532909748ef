/* The C ABI by hand, case by case. Built with the feature `panic-hook`. */
#include <harmony_stream.h>

#include <stddef.h>

#include "check.h"

void harmony_test_panic_next(void);

static const char CALL[] =
    "<|channel|>analysis<|message|>Need it.<|end|><|start|>assistant<|channel|>commentary to=functions.weather "
    "<|constrain|>json<|message|> {\"city\":\"Oslo\"} <|call|>";

/* All events of a stream, with the texts they point to. */
typedef struct log {
  harmony_event events[64];
  size_t count;
} log;

static harmony_stream *open_stream(const harmony_options *options) {
  harmony_stream *stream = NULL;
  CHECK(harmony_stream_new(options, &stream) == HARMONY_OK);
  CHECK(stream != NULL);
  return stream;
}

static void keep(log *log, const harmony_event *events, size_t count) {
  CHECK(log->count + count <= 64);
  if (count > 0) memcpy(log->events + log->count, events, count * sizeof *events);
  log->count += count;
}

/* Takes what a call wrote, and drains the rest with arrays of the same capacity. */
static void take(harmony_stream *stream, log *log, harmony_status status, const harmony_event *room, size_t capacity,
                 size_t count) {
  harmony_event more[2];
  CHECK(status >= 0 && count <= capacity);
  keep(log, room, count);
  while (status == HARMONY_MORE) {
    /* A capacity of 0 never ends: only drain with it once. */
    const size_t now = capacity == 0 ? 1 : capacity < 2 ? capacity : 2;
    status = harmony_stream_drain(stream, more, now, &count);
    CHECK(status >= 0 && count > 0 && count <= now);
    keep(log, more, count);
  }
}

/* The whole text in pieces of `chunk` bytes, events in arrays of `capacity`. */
static void drive(harmony_stream *stream, log *log, const char *text, size_t length, size_t chunk, size_t capacity) {
  harmony_event room[64];
  size_t at, count = 99;
  harmony_status status;
  log->count = 0;
  for (at = 0; at < length; at += chunk) {
    const size_t piece = length - at < chunk ? length - at : chunk;
    status = harmony_stream_push(stream, text + at, piece, capacity ? room : NULL, capacity, &count);
    take(stream, log, status, room, capacity, count);
  }
  status = harmony_stream_finish(stream, capacity ? room : NULL, capacity, &count);
  take(stream, log, status, room, capacity, count);
}

static void the_layout_is_frozen(void) {
  CHECK(sizeof(harmony_event) == 40);
  CHECK(offsetof(harmony_event, kind) == 0 && offsetof(harmony_event, channel) == 4);
  CHECK(offsetof(harmony_event, index) == 8 && offsetof(harmony_event, code) == 12);
  CHECK(offsetof(harmony_event, offset) == 16 && offsetof(harmony_event, length) == 24);
  CHECK(offsetof(harmony_event, position) == 32);
}

static void versions_agree(void) {
  CHECK(harmony_abi() == HARMONY_ABI);
  harmony_abi_1();
  CHECK(strcmp(harmony_version(), HARMONY_VERSION) == 0);
  CHECK(harmony_version_number() == HARMONY_VERSION_NUMBER);
}

static void numbers_have_names(void) {
  CHECK(strcmp(harmony_status_name(HARMONY_E_FINISHED), "finished") == 0);
  CHECK(strcmp(harmony_event_name(HARMONY_EVENT_TOOL_CALL_START), "tool_call_start") == 0);
  CHECK(strcmp(harmony_channel_name(HARMONY_CHANNEL_FINAL), "final") == 0);
  CHECK(strcmp(harmony_call_status_name(HARMONY_CALL_MALFORMED), "malformed") == 0);
  CHECK(strcmp(harmony_message_end_name(HARMONY_END_OF_STREAM), "end_of_stream") == 0);
  CHECK(strcmp(harmony_deviation_name(HARMONY_DEVIATION_STRAY_TEXT), "stray_text") == 0);
  CHECK(strstr(harmony_deviation_message(HARMONY_DEVIATION_NO_MESSAGE), "without a harmony message") != NULL);
  CHECK(strcmp(harmony_event_name(4000000000u), "unknown") == 0);
  CHECK(strcmp(harmony_status_name(-77), "unknown") == 0);
}

static void control_tokens(void) {
  CHECK(harmony_control_from_token_id(200006) == HARMONY_CONTROL_START);
  CHECK(harmony_control_from_token_id(17) == 0);
  CHECK(harmony_control_token_id(HARMONY_CONTROL_CALL) == 200012);
  CHECK(harmony_control_token_id(99) == 0);
  CHECK(strcmp(harmony_control_literal(HARMONY_CONTROL_CHANNEL), "<|channel|>") == 0);
  CHECK(strcmp(harmony_control_literal(0), "") == 0);
  CHECK(harmony_is_harmony(CALL, strlen(CALL)) == 1);
  CHECK(harmony_is_harmony("plain", 5) == 0);
}

static void a_call_comes_out_as_documented(void) {
  static const uint32_t kinds[] = {
      HARMONY_EVENT_MESSAGE_START, HARMONY_EVENT_REASONING,       HARMONY_EVENT_MESSAGE_END,
      HARMONY_EVENT_MESSAGE_START, HARMONY_EVENT_TOOL_CALL_START, HARMONY_EVENT_TOOL_CALL_ARGUMENTS,
      HARMONY_EVENT_TOOL_CALL_END, HARMONY_EVENT_MESSAGE_END,     HARMONY_EVENT_FINISH};
  harmony_stream *stream = open_stream(NULL);
  log log;
  size_t i;
  drive(stream, &log, CALL, strlen(CALL), strlen(CALL), 64);
  CHECK(log.count == 9);
  for (i = 0; i < 9; i++) CHECK(log.events[i].kind == kinds[i]);
  for (i = 0; i < 3; i++) CHECK(log.events[i].channel == HARMONY_CHANNEL_ANALYSIS);
  for (i = 3; i < 8; i++) CHECK(log.events[i].channel == HARMONY_CHANNEL_COMMENTARY);
  CHECK_TEXT(harmony_event_text(stream, &log.events[1]), log.events[1].length, "Need it.");
  CHECK(log.events[2].code == HARMONY_END_END);
  CHECK_TEXT(harmony_event_text(stream, &log.events[3]), log.events[3].length, "functions.weather");
  CHECK_TEXT(harmony_event_text(stream, &log.events[4]), log.events[4].length, "weather");
  CHECK(log.events[4].code == strlen("functions."));
  CHECK_TEXT(harmony_event_text(stream, &log.events[6]), log.events[6].length, "{\"city\":\"Oslo\"}");
  CHECK(log.events[6].code == HARMONY_CALL_COMPLETE && log.events[6].index == 0);
  CHECK(log.events[8].code == 0 && log.events[8].index == HARMONY_END_CALL);
  CHECK(log.events[8].channel == HARMONY_CHANNEL_NONE && log.events[8].position == strlen(CALL));
  harmony_stream_free(stream);
}

/* Whatever the room for events: the same events. */
static void capacities(void) {
  static const size_t chunks[] = {1, 2, 7, 4096};
  harmony_stream *stream = open_stream(NULL);
  log whole, part;
  size_t chunk, capacity;
  for (chunk = 0; chunk < 4; chunk++) {
    CHECK(harmony_stream_reset(stream) == HARMONY_OK);
    drive(stream, &whole, CALL, strlen(CALL), chunks[chunk], 64);
    for (capacity = 0; capacity < 4; capacity++) {
      CHECK(harmony_stream_reset(stream) == HARMONY_OK);
      drive(stream, &part, CALL, strlen(CALL), chunks[chunk], capacity);
      CHECK(part.count == whole.count);
      CHECK(memcmp(part.events, whole.events, whole.count * sizeof(harmony_event)) == 0);
    }
  }
  harmony_stream_free(stream);
}

static void events_that_wait_come_first(void) {
  harmony_stream *stream = open_stream(NULL);
  harmony_event events[8];
  size_t count = 9;
  CHECK(harmony_stream_push(stream, "<|channel|>final<|message|>One", 30, NULL, 0, &count) == HARMONY_MORE);
  CHECK(count == 0);
  CHECK(harmony_stream_push(stream, "Two", 3, events, 2, &count) == HARMONY_MORE);
  CHECK(count == 2 && events[0].kind == HARMONY_EVENT_MESSAGE_START);
  CHECK_TEXT(harmony_event_text(stream, &events[1]), events[1].length, "One");
  CHECK(harmony_stream_drain(stream, events, 8, &count) == HARMONY_OK);
  CHECK(count == 1);
  CHECK_TEXT(harmony_event_text(stream, &events[0]), events[0].length, "Two");
  CHECK(harmony_stream_drain(stream, events, 8, &count) == HARMONY_OK);
  CHECK(count == 0);
  CHECK(harmony_stream_drain(stream, NULL, 0, &count) == HARMONY_OK);
  harmony_stream_free(stream);
}

static void length_zero(void) {
  harmony_stream *stream = open_stream(NULL);
  harmony_event events[4];
  harmony_message *message = NULL;
  harmony_summary end = HARMONY_SUMMARY_INIT;
  size_t count = 9, length = 9;
  CHECK(harmony_stream_push(stream, NULL, 0, events, 4, &count) == HARMONY_OK && count == 0);
  CHECK(harmony_stream_push(stream, "x", 0, events, 4, &count) == HARMONY_OK && count == 0);
  CHECK(harmony_stream_text(stream, &length) != NULL && length == 0);
  CHECK(harmony_stream_finish(stream, events, 4, &count) == HARMONY_OK);
  CHECK(count == 1 && events[0].kind == HARMONY_EVENT_FINISH);
  CHECK(events[0].code == HARMONY_DEVIATION_NO_MESSAGE);
  harmony_stream_free(stream);
  CHECK(harmony_parse(NULL, NULL, 0, &message) == HARMONY_OK);
  CHECK(harmony_message_content(message, &length) != NULL && length == 0);
  CHECK(harmony_message_summary(message, &end) == HARMONY_OK && end.failure == HARMONY_DEVIATION_NO_MESSAGE);
  harmony_message_free(message);
  CHECK(harmony_is_harmony(NULL, 0) == 0);
}

static void null_streams(void) {
  harmony_event events[4];
  harmony_summary end = HARMONY_SUMMARY_INIT;
  harmony_stream *copy = (harmony_stream *)&end;
  size_t n = 9;
  end.failure = 9;
  CHECK(harmony_stream_new(NULL, NULL) == HARMONY_E_NULL);
  CHECK(harmony_stream_push(NULL, "x", 1, events, 4, &n) == HARMONY_E_NULL && n == 0);
  n = 9;
  CHECK(harmony_stream_push_control(NULL, HARMONY_CONTROL_START, events, 4, &n) == HARMONY_E_NULL && n == 0);
  n = 9;
  CHECK(harmony_stream_finish(NULL, events, 4, &n) == HARMONY_E_NULL && n == 0);
  n = 9;
  CHECK(harmony_stream_drain(NULL, events, 4, &n) == HARMONY_E_NULL && n == 0);
  n = 9;
  CHECK(harmony_stream_text(NULL, &n) == NULL && n == 0);
  CHECK(harmony_stream_text(NULL, NULL) == NULL);
  CHECK(harmony_stream_held(NULL) == 0);
  CHECK(harmony_stream_summary(NULL, &end) == HARMONY_E_NULL && end.failure == 0);
  CHECK(harmony_stream_reset(NULL) == HARMONY_E_NULL);
  CHECK(harmony_stream_clone(NULL, &copy) == HARMONY_E_NULL && copy == NULL);
  harmony_stream_free(NULL);
}

static void null_arguments(void) {
  harmony_stream *stream = open_stream(NULL);
  harmony_event events[4];
  size_t n = 9;
  CHECK(harmony_stream_push(stream, NULL, 1, events, 4, &n) == HARMONY_E_NULL && n == 0);
  n = 9;
  CHECK(harmony_stream_push(stream, "x", 1, NULL, 4, &n) == HARMONY_E_NULL && n == 0);
  CHECK(harmony_stream_push(stream, "x", 1, events, 4, NULL) == HARMONY_E_NULL);
  CHECK(harmony_stream_finish(stream, NULL, 1, &n) == HARMONY_E_NULL);
  CHECK(harmony_stream_finish(stream, events, 4, NULL) == HARMONY_E_NULL);
  CHECK(harmony_stream_drain(stream, NULL, 1, &n) == HARMONY_E_NULL);
  CHECK(harmony_stream_drain(stream, events, 1, NULL) == HARMONY_E_NULL);
  CHECK(harmony_stream_summary(stream, NULL) == HARMONY_E_NULL);
  CHECK(harmony_stream_clone(stream, NULL) == HARMONY_E_NULL);
  CHECK(harmony_is_harmony(NULL, 5) == 0);
  /* None of that was taken. */
  CHECK(harmony_stream_text(stream, &n) != NULL && n == 0);
  CHECK(harmony_stream_push(stream, "x", 1, events, 4, &n) == HARMONY_OK && n == 1);
  /* No text is that long. */
  CHECK(harmony_stream_push(stream, "x", (size_t)-1, events, 4, &n) == HARMONY_E_ARGUMENT && n == 0);
  harmony_stream_free(stream);
}

static void null_messages(void) {
  harmony_message *message = NULL;
  harmony_summary end = HARMONY_SUMMARY_INIT;
  size_t n = 9;
  CHECK(harmony_parse(NULL, "x", 1, NULL) == HARMONY_E_NULL);
  message = (harmony_message *)&end;
  CHECK(harmony_parse(NULL, NULL, 1, &message) == HARMONY_E_NULL && message == NULL);
  CHECK(harmony_message_content(NULL, &n) == NULL && n == 0);
  CHECK(harmony_message_reasoning(NULL, NULL) == NULL);
  CHECK(harmony_message_call_count(NULL) == 0 && harmony_message_call_status(NULL, 0) == 0);
  CHECK(harmony_message_call_name(NULL, 0, &n) == NULL);
  CHECK(harmony_message_call_recipient(NULL, 0, &n) == NULL);
  CHECK(harmony_message_call_arguments(NULL, 0, &n) == NULL);
  CHECK(harmony_message_summary(NULL, &end) == HARMONY_E_NULL);
  harmony_message_free(NULL);
}

static void use_after_finish(void) {
  harmony_stream *stream = open_stream(NULL);
  harmony_event events[16];
  size_t n = 9, length = 0;
  CHECK(harmony_stream_push(stream, CALL, strlen(CALL), events, 2, &n) == HARMONY_MORE);
  CHECK(harmony_stream_finish(stream, events, 2, &n) == HARMONY_MORE && n == 2);
  CHECK(harmony_stream_push(stream, "x", 1, events, 16, &n) == HARMONY_E_FINISHED && n == 0);
  CHECK(harmony_stream_finish(stream, events, 16, &n) == HARMONY_E_FINISHED && n == 0);
  CHECK(harmony_stream_held(stream) == 0);
  CHECK(harmony_stream_drain(stream, events, 16, &n) == HARMONY_OK && n == 5);
  CHECK(events[4].kind == HARMONY_EVENT_FINISH);
  CHECK(harmony_stream_text(stream, &length) != NULL && length == strlen(CALL));
  CHECK(harmony_stream_reset(stream) == HARMONY_OK);
  CHECK(harmony_stream_push(stream, "x", 1, events, 16, &n) == HARMONY_OK && n == 1);
  harmony_stream_free(stream);
}

static void tokens(void) {
  harmony_options options = HARMONY_OPTIONS_INIT;
  harmony_stream *stream;
  harmony_event events[16];
  harmony_message *message = NULL;
  size_t n = 9;
  options.input = HARMONY_INPUT_TOKENS;
  stream = open_stream(&options);
  CHECK(harmony_stream_push_control(stream, HARMONY_CONTROL_CHANNEL, events, 16, &n) == HARMONY_OK);
  CHECK(harmony_stream_push(stream, "final", 5, events, 16, &n) == HARMONY_OK);
  CHECK(harmony_stream_held(stream) == 16);
  CHECK(harmony_stream_push_control(stream, HARMONY_CONTROL_MESSAGE, events, 16, &n) == HARMONY_OK && n == 1);
  CHECK(harmony_stream_push(stream, "A <|end|> is text.", 18, events, 16, &n) == HARMONY_OK && n == 1);
  CHECK_TEXT(harmony_event_text(stream, &events[0]), events[0].length, "A <|end|> is text.");
  CHECK(harmony_stream_push_control(stream, 0, events, 16, &n) == HARMONY_E_ARGUMENT && n == 0);
  CHECK(harmony_stream_push_control(stream, 8, events, 16, &n) == HARMONY_E_ARGUMENT);
  CHECK(harmony_stream_push_control(stream, HARMONY_CONTROL_RETURN, events, 16, &n) == HARMONY_OK);
  CHECK(harmony_stream_finish(stream, events, 16, &n) == HARMONY_OK);
  CHECK(n > 0 && events[n - 1].code == 0 && events[n - 1].index == HARMONY_END_RETURN);
  harmony_stream_free(stream);
  CHECK(harmony_parse(&options, "x", 1, &message) == HARMONY_E_INPUT && message == NULL);
  stream = open_stream(NULL);
  CHECK(harmony_stream_push_control(stream, HARMONY_CONTROL_END, events, 16, &n) == HARMONY_E_INPUT && n == 0);
  harmony_stream_free(stream);
}

static harmony_status with_options(const harmony_options *options) {
  harmony_stream *stream = NULL;
  const harmony_status status = harmony_stream_new(options, &stream);
  CHECK((status == HARMONY_OK) == (stream != NULL));
  harmony_stream_free(stream);
  return status;
}

static void option_numbers(void) {
  harmony_options options = HARMONY_OPTIONS_INIT;
  options.policy = 2;
  CHECK(with_options(&options) == HARMONY_E_ARGUMENT);
  options.policy = 1;
  options.routing = 2;
  CHECK(with_options(&options) == HARMONY_E_ARGUMENT);
  options.routing = 1;
  options.start = 4;
  CHECK(with_options(&options) == HARMONY_E_ARGUMENT);
  options.start = 3;
  options.input = 2;
  CHECK(with_options(&options) == HARMONY_E_ARGUMENT);
  options.input = 1;
  CHECK(with_options(&options) == HARMONY_OK);
}

/* A caller with an older or a newer struct. */
static void option_sizes(void) {
  struct {
    harmony_options options;
    uint64_t newer;
  } grown = {HARMONY_OPTIONS_INIT, 0};
  grown.options.size = sizeof grown;
  CHECK(with_options(&grown.options) == HARMONY_OK);
  grown.newer = 1;
  CHECK(with_options(&grown.options) == HARMONY_E_ARGUMENT);
  grown.options.size = 0;
  CHECK(with_options(&grown.options) == HARMONY_E_ARGUMENT);
  grown.options.size = sizeof(harmony_options) - 1;
  CHECK(with_options(&grown.options) == HARMONY_E_ARGUMENT);
  grown.options.size = (size_t)-1;
  CHECK(with_options(&grown.options) == HARMONY_E_ARGUMENT);
}

static void summary_sizes(void) {
  harmony_stream *stream = open_stream(NULL);
  struct {
    harmony_summary summary;
    uint64_t newer;
  } grown = {HARMONY_SUMMARY_INIT, 7};
  grown.summary.size = sizeof grown;
  CHECK(harmony_stream_summary(stream, &grown.summary) == HARMONY_OK);
  CHECK(grown.summary.size == sizeof grown && grown.newer == 0);
  grown.summary.size = 8;
  CHECK(harmony_stream_summary(stream, &grown.summary) == HARMONY_E_ARGUMENT);
  harmony_stream_free(stream);
}

static void the_limit(void) {
  harmony_options options = HARMONY_OPTIONS_INIT;
  harmony_stream *stream;
  harmony_event events[4];
  const char *text;
  size_t n = 9;
  options.max_bytes = 4;
  stream = open_stream(&options);
  CHECK(harmony_stream_push(stream, "abc", 3, events, 4, &n) == HARMONY_OK);
  CHECK(harmony_stream_push(stream, "de", 2, events, 4, &n) == HARMONY_E_LIMIT && n == 0);
  text = harmony_stream_text(stream, &n);
  CHECK_TEXT(text, n, "abc");
  CHECK(harmony_stream_push(stream, "d", 1, events, 4, &n) == HARMONY_OK);
  harmony_stream_free(stream);
}

static void clones_go_their_own_way(void) {
  harmony_stream *stream = open_stream(NULL), *copy = NULL;
  harmony_event events[4];
  size_t n = 9;
  CHECK(harmony_stream_push(stream, "<|channel|>final<|message|>A", 28, events, 1, &n) == HARMONY_MORE);
  CHECK(harmony_stream_clone(stream, &copy) == HARMONY_OK);
  harmony_stream_free(stream);
  CHECK(harmony_stream_drain(copy, events, 4, &n) == HARMONY_OK && n == 1);
  CHECK(events[0].channel == HARMONY_CHANNEL_FINAL);
  CHECK(harmony_stream_push(copy, "B", 1, events, 4, &n) == HARMONY_OK && n == 1);
  CHECK_TEXT(harmony_event_text(copy, &events[0]), events[0].length, "B");
  harmony_stream_free(copy);
}

static void a_failure_takes_everything_back(void) {
  static const char text[] = "<|channel|>final<|message|>A<|channel|>";
  harmony_stream *stream = open_stream(NULL);
  harmony_summary end = HARMONY_SUMMARY_INIT;
  log log;
  drive(stream, &log, text, strlen(text), 4096, 8);
  CHECK(log.count == 5);
  CHECK(log.events[2].kind == HARMONY_EVENT_ROLLBACK);
  CHECK(log.events[3].kind == HARMONY_EVENT_CONTENT && log.events[3].channel == HARMONY_CHANNEL_NONE);
  CHECK_TEXT(harmony_event_text(stream, &log.events[3]), log.events[3].length, text);
  CHECK(log.events[4].code == HARMONY_DEVIATION_CHANNEL_IN_BODY && log.events[4].offset == 28);
  CHECK(harmony_stream_summary(stream, &end) == HARMONY_OK);
  CHECK(end.failure == HARMONY_DEVIATION_CHANNEL_IN_BODY && end.failure_offset == 28);
  CHECK(end.bytes_other == strlen(text) && end.bytes_final == 0);
  harmony_stream_free(stream);
}

static void repairs_are_reported(void) {
  static const char text[] = "<|end|><|channel|>final<|message|>A";
  harmony_options options = HARMONY_OPTIONS_LENIENT_INIT;
  harmony_stream *stream = open_stream(&options);
  harmony_summary end = HARMONY_SUMMARY_INIT;
  log log;
  drive(stream, &log, text, strlen(text), 1, 1);
  CHECK(log.events[0].kind == HARMONY_EVENT_DEVIATION);
  CHECK(log.events[0].code == HARMONY_DEVIATION_STRAY_TERMINATOR && log.events[0].offset == 0);
  CHECK_TEXT(harmony_event_text(stream, &log.events[0]), log.events[0].length, "<|end|>");
  CHECK(harmony_stream_summary(stream, &end) == HARMONY_OK);
  CHECK(end.failure == 0 && end.deviations == 1 && end.bytes_final == 1);
  harmony_stream_free(stream);
}

static void bytes_that_are_no_utf8_pass(void) {
  static const char text[] = "<|channel|>final<|message|>\xFF\xC3|\xE2\x82";
  harmony_message *message = NULL;
  size_t length = 0;
  const char *content;
  CHECK(harmony_parse(NULL, text, sizeof text - 1, &message) == HARMONY_OK);
  content = harmony_message_content(message, &length);
  CHECK_TEXT(content, length, "\xFF\xC3|\xE2\x82");
  harmony_message_free(message);
}

static void a_whole_text(void) {
  harmony_message *message = NULL;
  harmony_summary end = HARMONY_SUMMARY_INIT;
  const char *text;
  size_t length = 0;
  CHECK(harmony_parse(NULL, CALL, strlen(CALL), &message) == HARMONY_OK);
  text = harmony_message_reasoning(message, &length);
  CHECK_TEXT(text, length, "Need it.");
  CHECK(harmony_message_call_count(message) == 1);
  text = harmony_message_call_name(message, 0, &length);
  CHECK_TEXT(text, length, "weather");
  text = harmony_message_call_recipient(message, 0, &length);
  CHECK_TEXT(text, length, "functions.weather");
  text = harmony_message_call_arguments(message, 0, &length);
  CHECK_TEXT(text, length, "{\"city\":\"Oslo\"}");
  CHECK(harmony_message_call_status(message, 0) == HARMONY_CALL_COMPLETE);
  CHECK(harmony_message_call_status(message, 1) == 0);
  CHECK(harmony_message_call_name(message, 1, &length) == NULL && length == 0);
  CHECK(harmony_message_summary(message, &end) == HARMONY_OK);
  CHECK(end.last_end == HARMONY_END_CALL && end.bytes_analysis == 8 && end.bytes_commentary == 15);
  harmony_message_free(message);
}

static int count_content(void *user, const harmony_event *event, const char *text) {
  if (event->kind == HARMONY_EVENT_CONTENT) {
    *(size_t *)user += (size_t)event->length;
    CHECK(text[0] == 'A');
    return 1;
  }
  return 0;
}

static void callbacks(void) {
  harmony_stream *stream = open_stream(NULL);
  harmony_event event;
  size_t n = 9, bytes = 0;
  CHECK(harmony_stream_push(stream, "<|channel|>final<|message|>AAA", 30, NULL, 0, &n) == HARMONY_MORE);
  CHECK(harmony_stream_finish(stream, NULL, 0, &n) == HARMONY_MORE);
  CHECK(harmony_stream_each(stream, count_content, &bytes) == HARMONY_MORE && bytes == 3);
  CHECK(harmony_stream_drain(stream, &event, 1, &n) == HARMONY_MORE && event.kind == HARMONY_EVENT_MESSAGE_END);
  CHECK(harmony_stream_each(stream, count_content, &bytes) == HARMONY_OK && bytes == 3);
  harmony_stream_free(stream);
}

static void a_panic_comes_back_as_a_status(void) {
  harmony_stream *stream = open_stream(NULL), *copy = stream;
  harmony_event events[4];
  harmony_summary end = HARMONY_SUMMARY_INIT;
  size_t n = 9;
  harmony_test_panic_next();
  CHECK(harmony_stream_push(stream, "x", 1, events, 4, &n) == HARMONY_E_PANIC && n == 0);
  n = 9;
  CHECK(harmony_stream_push(stream, "x", 1, events, 4, &n) == HARMONY_E_PANIC && n == 0);
  CHECK(harmony_stream_push_control(stream, 1, events, 4, &n) == HARMONY_E_PANIC);
  CHECK(harmony_stream_finish(stream, events, 4, &n) == HARMONY_E_PANIC);
  CHECK(harmony_stream_drain(stream, events, 4, &n) == HARMONY_E_PANIC);
  CHECK(harmony_stream_reset(stream) == HARMONY_E_PANIC);
  CHECK(harmony_stream_summary(stream, &end) == HARMONY_E_PANIC);
  CHECK(harmony_stream_clone(stream, &copy) == HARMONY_E_PANIC && copy == NULL);
  n = 9;
  CHECK(harmony_stream_text(stream, &n) == NULL && n == 0);
  CHECK(harmony_stream_held(stream) == 0);
  harmony_stream_free(stream);
}

static void a_panic_in_other_calls(void) {
  harmony_stream *stream = (harmony_stream *)1;
  harmony_message *message = (harmony_message *)1;
  size_t n = 9;
  harmony_test_panic_next();
  CHECK(harmony_stream_new(NULL, &stream) == HARMONY_E_PANIC && stream == NULL);
  harmony_test_panic_next();
  CHECK(harmony_parse(NULL, "x", 1, &message) == HARMONY_E_PANIC && message == NULL);
  harmony_test_panic_next();
  CHECK(harmony_is_harmony("x", 1) == 0);
  stream = open_stream(NULL);
  harmony_test_panic_next();
  CHECK(harmony_stream_text(stream, &n) == NULL && n == 0);
  CHECK(harmony_stream_reset(stream) == HARMONY_E_PANIC);
  harmony_stream_free(stream);
  CHECK(harmony_parse(NULL, "x", 1, &message) == HARMONY_OK);
  harmony_test_panic_next();
  CHECK(harmony_message_call_count(message) == 0);
  CHECK(harmony_message_content(message, &n) == NULL && n == 0);
  harmony_message_free(message);
}

int main(void) {
  the_layout_is_frozen();
  versions_agree();
  numbers_have_names();
  control_tokens();
  a_call_comes_out_as_documented();
  capacities();
  events_that_wait_come_first();
  length_zero();
  null_streams();
  null_arguments();
  null_messages();
  use_after_finish();
  tokens();
  option_numbers();
  option_sizes();
  summary_sizes();
  the_limit();
  clones_go_their_own_way();
  a_failure_takes_everything_back();
  repairs_are_reported();
  bytes_that_are_no_utf8_pass();
  a_whole_text();
  callbacks();
  a_panic_comes_back_as_a_status();
  a_panic_in_other_calls();
  puts("ok");
  return 0;
}
