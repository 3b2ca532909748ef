/* The least that a test needs: checks that say where they stand. C99 and C++17. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                     \
  do {                                                                       \
    if (!(condition)) {                                                      \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                               \
    }                                                                        \
  } while (0)

/* A text given as pointer and length is this one. */
#define CHECK_TEXT(text, length, expected) \
  CHECK((length) == strlen(expected) && memcmp((text), (expected), (length)) == 0)

#endif
