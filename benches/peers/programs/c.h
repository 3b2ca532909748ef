#ifndef C_H
#define C_H

#include <stddef.h>

typedef struct piece {
  const char *text;
  size_t length;
} piece;

enum { CONTENT, REASONING, CALL, ARGUMENTS, ROLLBACK };

/* Takes a result; may be NULL. */
typedef void (*sink)(void *to, int what, const char *text, size_t length);

/* Both give the number of bytes that came out. */
size_t parse_pieces(const piece *pieces, size_t count, sink sink, void *to);
size_t parse_whole(const char *text, size_t length, sink sink, void *to);

#endif
