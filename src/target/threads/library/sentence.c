#include "target/threads/library/sentence.h"

#include <string.h>

void sentence_put(char *out, size_t room, const char *text)
{
    size_t used = 0;
    text += strspn(text, " \t\n");
    while (*text && used + 2 < room) {
        size_t blanks = strspn(text, " \t\n"), lines = 0;
        for (size_t i = 0; i < blanks; i++)
            lines += text[i] == '\n';
        text += blanks;
        if (!blanks) {
            out[used++] = *text++;
        } else if (*text) {
            if (lines && !strchr(",:;", out[used - 1]))
                out[used++] = ';';
            out[used++] = ' ';
        }
    }
    out[used] = 0;
}
