#include "base/fail.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/raw.h"

static void put(const char *text)
{
    raw_call(SYS_write, STDERR_FILENO, (long)text, (long)strlen(text));
}

_Noreturn void fail_at(const char *file, int line, const char *what)
{
    char digits[12];
    int at = sizeof digits - 1;
    digits[at] = 0;
    do {
        digits[--at] = (char)('0' + line % 10);
        line /= 10;
    } while (line);
    put("heddle: internal error at ");
    put(file);
    put(":");
    put(digits + at);
    put(": ");
    put(what);
    put("\n");
    _exit(70);
}
