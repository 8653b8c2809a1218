#include "target/threads/library/last_words.h"

#include <string.h>

#include "target/threads/libc/libc_room.h"

enum { ROOM = 2048 };

static struct {
    char text[ROOM + 1];
    size_t used;
} words;

void last_words_add(const char *text, size_t size)
{
    size_t kept = size < ROOM ? size : ROOM, before = words.used;
    if (before + kept > ROOM) {
        size_t drop = before + kept - ROOM;
        plain_move(words.text, words.text + drop, before - drop);
        before -= drop;
    }
    plain_move(words.text + before, text + (size - kept), kept);
    words.used = before + kept;
    words.text[words.used] = 0;
}

const char *last_words_line(void)
{
    while (words.used && strchr(" \t\n", words.text[words.used - 1]))
        words.text[--words.used] = 0;
    while (words.used && words.text[words.used - 1] != '\n')
        words.used--;
    return words.text + words.used;
}

const char *last_words_from(const char *start)
{
    const char *found = NULL;
    for (const char *at = words.text; (at = strstr(at, start)); at++)
        found = at;
    return found;
}
