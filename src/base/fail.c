#include "base/fail.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/raw.h"

static void put(const char *text)
{
    raw_call(SYS_write, STDERR_FILENO, (long)text, (long)strlen(text));
}

// Past the runtime, which stands in front of `_exit` and would take it for the program's.
static _Noreturn void end(int status)
{
    for (;;)
        raw_call(SYS_exit_group, status, 0, 0);
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
    end(70);
}

void (*fail_out_of_room)(const char *what);

_Noreturn void out_of_room(const char *what)
{
    void (*tell)(const char *) = fail_out_of_room;
    fail_out_of_room = NULL; // telling may need room too
    if (tell)
        tell(what);
    put("heddle: there is no room left for ");
    put(what);
    put("\n");
    end(FAIL_INCOMPLETE);
}
