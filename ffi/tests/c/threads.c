/* A parser for each of two threads, one that moves between them, and const calls side by side. C11, pthreads. */
#include <harmony_stream.h>

#include <pthread.h>

#include "check.h"

static const char TEXT[] = "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Noon.";

/* Pushes the text byte by byte, from `from` on, and ends it. */
static size_t read_on(harmony_stream *stream, size_t from) {
  harmony_event events[4];
  size_t at, n = 0, content = 0, i;
  for (at = from; at < sizeof TEXT - 1; at++) {
    CHECK(harmony_stream_push(stream, TEXT + at, 1, events, 4, &n) == HARMONY_OK);
    for (i = 0; i < n; i++) content += events[i].kind == HARMONY_EVENT_CONTENT ? (size_t)events[i].length : 0;
  }
  CHECK(harmony_stream_finish(stream, events, 4, &n) == HARMONY_OK);
  CHECK(n > 0 && events[n - 1].kind == HARMONY_EVENT_FINISH && events[n - 1].code == 0);
  return content;
}

static void *with_ones_own(void *unused) {
  harmony_stream *stream = NULL;
  int round;
  (void)unused;
  CHECK(harmony_stream_new(NULL, &stream) == HARMONY_OK);
  for (round = 0; round < 200; round++) {
    CHECK(read_on(stream, 0) == 5);
    CHECK(harmony_stream_reset(stream) == HARMONY_OK);
  }
  harmony_stream_free(stream);
  return NULL;
}

static void *with_anothers(void *stream) {
  CHECK(read_on((harmony_stream *)stream, 40) == 5);
  return NULL;
}

/* Several threads look at one message. */
static void *look(void *message) {
  const harmony_message *seen = (const harmony_message *)message;
  harmony_summary end = HARMONY_SUMMARY_INIT;
  size_t length = 0;
  int round;
  for (round = 0; round < 500; round++) {
    const char *content = harmony_message_content(seen, &length);
    CHECK_TEXT(content, length, "Noon.");
    CHECK(harmony_message_summary(seen, &end) == HARMONY_OK && end.bytes_final == 5);
  }
  return NULL;
}

static void run_two(void *(*run)(void *), void *what) {
  pthread_t one, two;
  CHECK(pthread_create(&one, NULL, run, what) == 0);
  CHECK(pthread_create(&two, NULL, run, what) == 0);
  CHECK(pthread_join(one, NULL) == 0 && pthread_join(two, NULL) == 0);
}

int main(void) {
  harmony_stream *stream = NULL;
  harmony_message *message = NULL;
  harmony_event events[4];
  pthread_t other;
  size_t n = 0;

  run_two(with_ones_own, NULL);

  CHECK(harmony_stream_new(NULL, &stream) == HARMONY_OK);
  CHECK(harmony_stream_push(stream, TEXT, 40, events, 4, &n) == HARMONY_OK);
  CHECK(pthread_create(&other, NULL, with_anothers, stream) == 0);
  CHECK(pthread_join(other, NULL) == 0);
  CHECK(harmony_stream_held(stream) == 0);
  harmony_stream_free(stream);

  CHECK(harmony_parse(NULL, TEXT, sizeof TEXT - 1, &message) == HARMONY_OK);
  run_two(look, message);
  harmony_message_free(message);
  puts("ok");
  return 0;
}
