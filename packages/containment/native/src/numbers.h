/* Numbers as text without stdio, which is not to be used between a fork and an exec. */
#ifndef WARDEN_NUMBERS_H
#define WARDEN_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

enum { NUMBER_BYTES = 21 };

/* Writes the decimal digits and a closing NUL; returns how many digits there are. */
static inline size_t write_number(char *text, uint64_t value) {
  char digits[NUMBER_BYTES];
  size_t count = 0;
  do {
    digits[count] = (char)('0' + value % 10);
    count += 1;
    value /= 10;
  } while (value > 0);
  for (size_t i = 0; i < count; i += 1) text[i] = digits[count - 1 - i];
  text[count] = '\0';
  return count;
}

#endif
