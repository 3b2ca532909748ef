/* A text as a JSON string, in the way of Rust's serde_json: only what must be escaped is, and bytes that are no UTF-8
 * become U+FFFD. For the examples; C99 and C++17. */
#ifndef JSON_TEXT_H
#define JSON_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* How many continuation bytes follow this first byte, -1 if it is none, and the range of the first of them. */
static int utf8_first(unsigned char byte, unsigned char *low, unsigned char *high) {
  *low = byte == 0xE0 ? 0xA0 : byte == 0xF0 ? 0x90 : 0x80;
  *high = byte == 0xED ? 0x9F : byte == 0xF4 ? 0x8F : 0xBF;
  if (byte < 0x80) return 0;
  if (byte >= 0xC2 && byte <= 0xDF) return 1;
  if (byte >= 0xE0 && byte <= 0xEF) return 2;
  if (byte >= 0xF0 && byte <= 0xF4) return 3;
  return -1;
}

/* Length of the character at the beginning of a text that is not empty; negative: that many bytes are a broken one. */
static int utf8_length(const unsigned char *text, size_t length) {
  unsigned char low, high;
  int follow = utf8_first(text[0], &low, &high);
  int at;
  if (follow < 0) return -1;
  for (at = 1; at <= follow; at++) {
    if ((size_t)at >= length || text[at] < low || text[at] > high) return -at;
    low = 0x80;
    high = 0xBF;
  }
  return follow + 1;
}

static void json_ascii(FILE *out, unsigned char byte) {
  static const char from[] = "\"\\\b\t\n\f\r", to[] = "\"\\btnfr";
  size_t i;
  for (i = 0; i + 1 < sizeof from; i++) {
    if (byte == (unsigned char)from[i]) {
      fprintf(out, "\\%c", to[i]);
      return;
    }
  }
  if (byte < 0x20) fprintf(out, "\\u%04x", byte);
  else putc(byte, out);
}

static void json_text(FILE *out, const char *text, size_t length) {
  const unsigned char *rest = (const unsigned char *)text;
  putc('"', out);
  while (length > 0) {
    int size = utf8_length(rest, length);
    size_t taken = (size_t)(size < 0 ? -size : size);
    if (size == 1) json_ascii(out, rest[0]);
    else if (size > 1) fwrite(rest, 1, taken, out);
    else fputs("\xEF\xBF\xBD", out);
    rest += taken;
    length -= taken;
  }
  putc('"', out);
}

#endif
