/* One program, two Rust libraries; each of them panics, and catches it. */
#include <harmony_stream.h>

#include "check.h"

void harmony_test_panic_next(void);
uint32_t neighbour_works(void);
uint32_t neighbour_catches_a_panic(void);
uint32_t neighbour_knows_grammars(void);

static void ours_works(void) {
  harmony_message *message = NULL;
  const char *content;
  size_t length = 0;
  CHECK(harmony_parse(NULL, "<|channel|>final<|message|>Noon.", 32, &message) == HARMONY_OK);
  content = harmony_message_content(message, &length);
  CHECK_TEXT(content, length, "Noon.");
  harmony_message_free(message);
}

static void ours_catches_a_panic(void) {
  harmony_stream *stream = NULL;
  size_t n = 9;
  CHECK(harmony_stream_new(NULL, &stream) == HARMONY_OK);
  harmony_test_panic_next();
  CHECK(harmony_stream_push(stream, "x", 1, NULL, 0, &n) == HARMONY_E_PANIC && n == 0);
  harmony_stream_free(stream);
}

int main(void) {
  ours_works();
  CHECK(neighbour_works() == 3);
  ours_catches_a_panic();
  CHECK(neighbour_catches_a_panic() == 1);
  ours_catches_a_panic();
  ours_works();
  CHECK(neighbour_works() == 3 && neighbour_knows_grammars() == 1);
  puts("ok");
  return 0;
}
