/* Leaks, recovery, pickers and escape by hand, case by case. Built with the feature `panic-hook`. */
#include <harmony_stream.h>

#include "check.h"

void harmony_test_panic_next(void);

static const char LEAK[] = "done. <|end|> analysis to=functions.edit code";

/* The one text of a handle is this one; frees it. */
static void check_text(harmony_texts *texts, const char *expected) {
  size_t length = 0;
  const char *text;
  CHECK(harmony_texts_count(texts) == 1);
  text = harmony_texts_get(texts, 0, &length);
  CHECK_TEXT(text, length, expected);
  CHECK(text[length] == '\0');
  CHECK(harmony_texts_get(texts, 1, &length) == NULL && length == 0);
  harmony_texts_free(texts);
}

static void a_leak_in_finished_text(void) {
  harmony_signal signals[4];
  harmony_texts *label = NULL;
  size_t n = 9;
  CHECK(sizeof(harmony_signal) == 24);
  CHECK(harmony_leak_detect(LEAK, strlen(LEAK), HARMONY_SURFACE_TEXT, HARMONY_NO_END, signals, 4, &n) == HARMONY_OK);
  CHECK(n == 2 && signals[0].start == 6 && signals[0].end == 13);
  CHECK(signals[0].classes == HARMONY_CLASS_CONTROL);
  CHECK(signals[1].classes == (HARMONY_CLASS_MARKER | HARMONY_CLASS_CHANNEL));
  CHECK(harmony_leak_label(signals, 2, &label) == HARMONY_OK);
  check_text(label, "H,M+C");
  CHECK(harmony_leak_label(NULL, 0, &label) == HARMONY_OK);
  check_text(label, "none");
  signals[0].classes = 256;
  CHECK(harmony_leak_label(signals, 1, &label) == HARMONY_E_ARGUMENT && label == NULL);
}

static void too_little_room(void) {
  harmony_signal signals[1];
  size_t n = 9;
  CHECK(harmony_leak_detect(LEAK, strlen(LEAK), 0, HARMONY_NO_END, NULL, 0, &n) == HARMONY_MORE && n == 2);
  CHECK(harmony_leak_detect(LEAK, strlen(LEAK), 0, HARMONY_NO_END, signals, 1, &n) == HARMONY_MORE && n == 2);
  CHECK(signals[0].start == 6);
  CHECK(harmony_leak_detect("clean", 5, 0, HARMONY_NO_END, NULL, 0, &n) == HARMONY_OK && n == 0);
  n = 9;
  CHECK(harmony_leak_detect(NULL, 0, 0, HARMONY_NO_END, NULL, 0, &n) == HARMONY_OK && n == 0);
  n = 9;
  CHECK(harmony_leak_detect("x", 1, 3, HARMONY_NO_END, signals, 1, &n) == HARMONY_E_ARGUMENT && n == 0);
  n = 9;
  CHECK(harmony_leak_detect(NULL, 1, 0, HARMONY_NO_END, signals, 1, &n) == HARMONY_E_NULL && n == 0);
  CHECK(harmony_leak_detect("x", 1, 0, HARMONY_NO_END, NULL, 1, &n) == HARMONY_E_NULL);
  CHECK(harmony_leak_detect("x", 1, 0, HARMONY_NO_END, signals, 1, NULL) == HARMONY_E_NULL);
}

static void a_leak_while_it_streams(void) {
  harmony_detector *detector = NULL, *copy = NULL;
  harmony_signal signals[2];
  size_t n = 9;
  CHECK(harmony_detector_new(HARMONY_SURFACE_TEXT, HARMONY_NO_END, &detector) == HARMONY_OK);
  CHECK(harmony_detector_push(detector, LEAK, 8, signals, 2, &n) == HARMONY_OK && n == 0);
  CHECK(harmony_detector_detected(detector) == 0);
  CHECK(harmony_detector_push(detector, LEAK + 8, strlen(LEAK) - 8, NULL, 0, &n) == HARMONY_MORE && n == 0);
  CHECK(harmony_detector_detected(detector) == 1);
  CHECK(harmony_detector_clone(detector, &copy) == HARMONY_OK);
  CHECK(harmony_detector_finish(detector, signals, 1, &n) == HARMONY_MORE && n == 1 && signals[0].start == 6);
  CHECK(harmony_detector_drain(detector, signals, 1, &n) == HARMONY_OK && n == 1 && signals[0].start == 23);
  CHECK(harmony_detector_push(detector, "x", 1, signals, 2, &n) == HARMONY_E_FINISHED && n == 0);
  CHECK(harmony_detector_finish(detector, signals, 2, &n) == HARMONY_E_FINISHED);
  CHECK(harmony_detector_reset(detector, HARMONY_SURFACE_THINKING, HARMONY_NO_END) == HARMONY_OK);
  CHECK(harmony_detector_detected(detector) == 0);
  CHECK(harmony_detector_finish(detector, signals, 2, &n) == HARMONY_OK && n == 0);
  harmony_detector_free(detector);
  CHECK(harmony_detector_finish(copy, signals, 2, &n) == HARMONY_OK && n == 2);
  harmony_detector_free(copy);
}

static void an_end_that_is_told_late(void) {
  static const char text[] = "x = 1\nuser to=functions.eval code";
  harmony_detector *detector = NULL;
  harmony_signal signals[2];
  size_t n = 9;
  CHECK(harmony_detector_new(HARMONY_SURFACE_TOOL_ARG, HARMONY_NO_END, &detector) == HARMONY_OK);
  CHECK(harmony_detector_push(detector, text, strlen(text), signals, 2, &n) == HARMONY_OK && n == 0);
  CHECK(harmony_detector_set_parsed_end(detector, HARMONY_NO_END, signals, 2, &n) == HARMONY_E_ARGUMENT);
  CHECK(harmony_detector_set_parsed_end(detector, 5, signals, 2, &n) == HARMONY_OK);
  CHECK(n == 0);
  CHECK(harmony_detector_finish(detector, signals, 2, &n) == HARMONY_OK && n == 1);
  CHECK(signals[0].classes & HARMONY_CLASS_TRAILING);
  harmony_detector_free(detector);
}

static void null_detectors(void) {
  harmony_detector *detector = (harmony_detector *)1;
  harmony_signal signals[1];
  size_t n = 9;
  CHECK(harmony_detector_new(0, HARMONY_NO_END, NULL) == HARMONY_E_NULL);
  CHECK(harmony_detector_new(9, HARMONY_NO_END, &detector) == HARMONY_E_ARGUMENT && detector == NULL);
  CHECK(harmony_detector_push(NULL, "x", 1, signals, 1, &n) == HARMONY_E_NULL && n == 0);
  CHECK(harmony_detector_set_parsed_end(NULL, 1, signals, 1, &n) == HARMONY_E_NULL);
  CHECK(harmony_detector_finish(NULL, signals, 1, &n) == HARMONY_E_NULL);
  CHECK(harmony_detector_drain(NULL, signals, 1, &n) == HARMONY_E_NULL);
  CHECK(harmony_detector_detected(NULL) == 0);
  CHECK(harmony_detector_reset(NULL, 0, HARMONY_NO_END) == HARMONY_E_NULL);
  detector = (harmony_detector *)1;
  CHECK(harmony_detector_clone(NULL, &detector) == HARMONY_E_NULL && detector == NULL);
  harmony_detector_free(NULL);
}

static void a_registry_of_ones_own(void) {
  static const char input[] = "select 1;\nuser to=functions.sql code";
  harmony_registry *registry = NULL;
  harmony_texts *clean = NULL;
  size_t removed = 9;
  CHECK(harmony_leak_recover(NULL, "sql", 3, input, strlen(input), 15, &clean, &removed) == HARMONY_NONE);
  CHECK(clean == NULL && removed == 15);
  CHECK(harmony_registry_new(0, &registry) == HARMONY_OK);
  CHECK(harmony_leak_recover(registry, "eval", 4, input, strlen(input), 15, &clean, &removed) == HARMONY_NONE);
  CHECK(harmony_registry_add(registry, "sql", 3, "select", 6, "\n-- cut\n", 8) == HARMONY_OK);
  CHECK(harmony_leak_recover(registry, "sql", 3, input, strlen(input), 15, &clean, &removed) == HARMONY_OK);
  CHECK(removed == 10);
  check_text(clean, "select 1;\n-- cut\n");
  CHECK(harmony_registry_add(registry, "sql", 3, "with", 4, "", 0) == HARMONY_OK);
  CHECK(harmony_leak_recover(registry, "sql", 3, input, strlen(input), 15, &clean, &removed) == HARMONY_NONE);
  CHECK(harmony_registry_add(registry, "\xFF", 1, NULL, 0, NULL, 0) == HARMONY_E_UTF8);
  CHECK(harmony_registry_add(registry, NULL, 3, NULL, 0, NULL, 0) == HARMONY_E_NULL);
  CHECK(harmony_registry_add(NULL, "a", 1, NULL, 0, NULL, 0) == HARMONY_E_NULL);
  harmony_registry_free(registry);
  harmony_registry_free(NULL);
  CHECK(harmony_registry_new(1, NULL) == HARMONY_E_NULL);
}

static void recovery_checks_its_arguments(void) {
  harmony_texts *clean = (harmony_texts *)1;
  size_t removed = 9;
  CHECK(harmony_leak_recover(NULL, "eval", 4, "a", 1, 2, &clean, &removed) == HARMONY_E_ARGUMENT);
  CHECK(clean == NULL && removed == 0);
  CHECK(harmony_leak_recover(NULL, "eval", 4, "\xC3\xA9", 2, 1, &clean, &removed) == HARMONY_E_ARGUMENT);
  CHECK(harmony_leak_recover(NULL, "eval", 4, "\xC3", 1, 0, &clean, &removed) == HARMONY_E_UTF8);
  CHECK(harmony_leak_recover(NULL, "eval", 4, NULL, 1, 0, &clean, &removed) == HARMONY_E_NULL);
  removed = 99;
  CHECK(harmony_leak_recover(NULL, "eval", 4, "a", 1, 0, NULL, &removed) == HARMONY_E_NULL && removed == 0);
  CHECK(harmony_leak_recover(NULL, "eval", 4, "a", 1, 0, &clean, NULL) == HARMONY_E_NULL && clean == NULL);
  CHECK(strstr(harmony_leak_continuation(), "issue the remaining operations again") != NULL);
}

static void audits(void) {
  harmony_audit audit = HARMONY_AUDIT_INIT;
  char most[255];
  size_t at;
  CHECK(harmony_leak_audit("user to=functions.edit s3cret", 29, &audit) == HARMONY_OK);
  CHECK(audit.removed_length == 29 && audit.removed_bytes == 29 && strlen(audit.removed_sha8) == 8);
  CHECK(strstr(audit.removed_preview, "s3cret") == NULL);
  CHECK(strncmp(audit.removed_preview, "user to=functions.edit ", 23) == 0);
  /* The longest preview: three bytes for each of 64 units. */
  for (at = 0; at < 255; at += 3) memcpy(most + at, "\xE5\xA4\xA7", 3);
  CHECK(harmony_leak_audit(most, 255, &audit) == HARMONY_OK);
  CHECK(strlen(audit.removed_preview) == 192 && audit.removed_length == 85);
  CHECK(harmony_leak_audit("\xFF", 1, &audit) == HARMONY_E_UTF8 && audit.removed_sha8[0] == '\0');
  CHECK(harmony_leak_audit(NULL, 1, &audit) == HARMONY_E_NULL);
  CHECK(harmony_leak_audit("x", 1, NULL) == HARMONY_E_NULL);
  audit.size = 5;
  CHECK(harmony_leak_audit("x", 1, &audit) == HARMONY_E_ARGUMENT);
  CHECK(harmony_leak_is_target("openai-codex", 12) == 1 && harmony_leak_is_target("openai", 6) == 0);
  CHECK(harmony_leak_is_target(NULL, 4) == 0);
  CHECK(strcmp(harmony_action_name(HARMONY_ACTION_ESCALATED), "escalated") == 0);
  CHECK(strcmp(harmony_surface_name(HARMONY_SURFACE_TOOL_ARG), "tool_arg") == 0);
}

static void a_message(void) {
  static const char arguments[] = "{\"input\": \"print(1)\\nuser to=functions.eval code\"}";
  harmony_block blocks[3] = {{HARMONY_BLOCK_OTHER, NULL, 0, NULL, 0, HARMONY_NO_END},
                             {HARMONY_BLOCK_TEXT, "Running it.", 11, NULL, 0, HARMONY_NO_END},
                             {HARMONY_BLOCK_TOOL_CALL, arguments, sizeof arguments - 1, "eval", 4, HARMONY_NO_END}};
  harmony_signal signals[2];
  harmony_texts *texts = NULL;
  size_t index = 9, n = 9, length = 0;
  const char *text;
  CHECK(harmony_leak_detect_message(blocks, 3, &index, signals, 2, &n) == HARMONY_OK && n == 0 && index == 3);
  blocks[2].parsed_end = 9;
  CHECK(harmony_leak_detect_message(blocks, 3, &index, signals, 2, &n) == HARMONY_OK && n == 1 && index == 2);
  CHECK(harmony_block_recover(NULL, &blocks[2], signals[0].start, &texts) == HARMONY_OK);
  CHECK(harmony_texts_count(texts) == 2);
  text = harmony_texts_get(texts, 0, &length);
  CHECK_TEXT(text, length, "print(1)\n*** Abort\n");
  text = harmony_texts_get(texts, 1, &length);
  CHECK_TEXT(text, length, "user to=functions.eval code");
  harmony_texts_free(texts);
  CHECK(harmony_block_searched(&blocks[2], &texts) == HARMONY_OK);
  check_text(texts, "print(1)\nuser to=functions.eval code");
  CHECK(harmony_block_recover(NULL, &blocks[1], 0, &texts) == HARMONY_NONE && texts == NULL);
  CHECK(harmony_block_recover(NULL, &blocks[2], 99, &texts) == HARMONY_E_ARGUMENT);
  blocks[0].kind = 77;
  CHECK(harmony_leak_detect_message(blocks, 3, &index, signals, 2, &n) == HARMONY_E_ARGUMENT && n == 0);
  CHECK(harmony_leak_detect_message(NULL, 1, &index, signals, 2, &n) == HARMONY_E_NULL && index == 0);
  CHECK(harmony_leak_detect_message(NULL, 0, &index, signals, 2, &n) == HARMONY_OK && index == 0);
  CHECK(harmony_leak_detect_message(blocks, 3, NULL, signals, 2, &n) == HARMONY_E_NULL && n == 0);
  index = 99;
  CHECK(harmony_leak_detect_message(blocks, 3, &index, signals, 2, NULL) == HARMONY_E_NULL && index == 0);
  index = 99;
  CHECK(harmony_leak_detect_message(blocks, 3, &index, NULL, 2, &n) == HARMONY_E_NULL && index == 0 && n == 0);
  CHECK(harmony_block_searched(NULL, &texts) == HARMONY_E_NULL && texts == NULL);
  CHECK(harmony_block_recover(NULL, NULL, 0, &texts) == HARMONY_E_NULL);
}

static void pickers(void) {
  static const char answer[] = "Sure! {\"title\": \" Rome \", \"queries\": [\"a\", \" \", \"b\"], \"suggestions\": []}";
  harmony_texts *texts = NULL;
  size_t start = 9, length = 9;
  CHECK(harmony_extract(answer, strlen(answer), &start, &length) == HARMONY_OK && start == 6);
  CHECK(length == strlen(answer) - 6);
  CHECK(harmony_extract("none", 4, &start, &length) == HARMONY_NONE && start == 0 && length == 0);
  CHECK(harmony_extract(NULL, 4, &start, &length) == HARMONY_E_NULL);
  length = 9;
  CHECK(harmony_extract(answer, 5, NULL, &length) == HARMONY_E_NULL && length == 0);
  CHECK(harmony_extract("\xFF", 1, &start, &length) == HARMONY_E_UTF8);
  CHECK(harmony_pick_title(answer, strlen(answer), 1, &texts) == HARMONY_OK);
  check_text(texts, "Rome");
  CHECK(harmony_pick_queries(answer, strlen(answer), 0, &texts) == HARMONY_OK);
  CHECK(harmony_texts_count(texts) == 2);
  harmony_texts_free(texts);
  CHECK(harmony_pick_suggestions(answer, strlen(answer), 0, &texts) == HARMONY_NONE && texts == NULL);
  CHECK(harmony_pick_suggestions(answer, strlen(answer), 1, &texts) == HARMONY_CUT && texts == NULL);
  CHECK(harmony_pick_title(NULL, 0, 0, &texts) == HARMONY_NONE);
  CHECK(harmony_pick_title(answer, 4, 0, NULL) == HARMONY_E_NULL);
  CHECK(strstr(harmony_schema_title(), "\"title\"") != NULL);
  CHECK(strstr(harmony_schema_suggestions(), "\"maxItems\": 3") != NULL);
  CHECK(strstr(harmony_schema_queries(), "\"queries\"") != NULL);
}

static void escapes(void) {
  harmony_texts *texts = NULL;
  CHECK(harmony_escape("a <|end|>", 9, &texts) == HARMONY_OK);
  check_text(texts, "a <\xE2\x81\xA0|end|>");
  CHECK(harmony_unescape("a <\xE2\x81\xA0|end|>", 12, &texts) == HARMONY_OK);
  check_text(texts, "a <|end|>");
  CHECK(harmony_escape(NULL, 0, &texts) == HARMONY_OK);
  check_text(texts, "");
  CHECK(harmony_escape("\xFF", 1, &texts) == HARMONY_E_UTF8 && texts == NULL);
  CHECK(harmony_escape("x", 1, NULL) == HARMONY_E_NULL);
  CHECK(harmony_unescape(NULL, 1, &texts) == HARMONY_E_NULL);
  CHECK(harmony_texts_count(NULL) == 0 && harmony_texts_get(NULL, 0, NULL) == NULL);
  harmony_texts_free(NULL);
}

static void panics(void) {
  harmony_detector *detector = (harmony_detector *)1;
  harmony_texts *texts = (harmony_texts *)1;
  harmony_signal signals[1];
  size_t n = 9;
  harmony_test_panic_next();
  CHECK(harmony_leak_detect("x", 1, 0, HARMONY_NO_END, signals, 1, &n) == HARMONY_E_PANIC && n == 0);
  harmony_test_panic_next();
  CHECK(harmony_detector_new(0, HARMONY_NO_END, &detector) == HARMONY_E_PANIC && detector == NULL);
  CHECK(harmony_detector_new(0, HARMONY_NO_END, &detector) == HARMONY_OK);
  harmony_test_panic_next();
  CHECK(harmony_detector_finish(detector, signals, 1, &n) == HARMONY_E_PANIC && n == 0);
  CHECK(harmony_detector_push(detector, "x", 1, signals, 1, &n) == HARMONY_E_PANIC);
  CHECK(harmony_detector_detected(detector) == 0);
  harmony_detector_free(detector);
  harmony_test_panic_next();
  CHECK(harmony_escape("x", 1, &texts) == HARMONY_E_PANIC && texts == NULL);
  texts = (harmony_texts *)1;
  harmony_test_panic_next();
  CHECK(harmony_pick_title("{\"title\":\"x\"}", 13, 0, &texts) == HARMONY_E_PANIC && texts == NULL);
}

int main(void) {
  a_leak_in_finished_text();
  too_little_room();
  a_leak_while_it_streams();
  an_end_that_is_told_late();
  null_detectors();
  a_registry_of_ones_own();
  recovery_checks_its_arguments();
  audits();
  a_message();
  pickers();
  escapes();
  panics();
  puts("ok");
  return 0;
}
