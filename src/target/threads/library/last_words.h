// What the program printed last, in this execution or an earlier one: libraries print what is wrong before they abort.
#ifndef TARGET_LAST_WORDS_H
#define TARGET_LAST_WORDS_H

#include <stddef.h>

void last_words_add(const char *text, size_t size);

// The last line, without blanks at its end; it is taken away, so that the next call gives the line before.
const char *last_words_line(void);

// What was printed from the last occurrence of these words on; null if they were not printed.
const char *last_words_from(const char *words);

#endif
