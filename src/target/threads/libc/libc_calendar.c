// Dates and times of day, in front of libc's own. Those that give a pointer to storage of their own share it among all
// threads; here it is the program's, so that two threads that use it at once are reported as a race.
#define _GNU_SOURCE
#include <time.h>

#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/native.h"
#include "target/threads/libc/public.h"

enum { MOST_TEXT = 26 }; // what asctime_r asks for

static PROGRAM_STATE struct tm localtime_storage;
static PROGRAM_STATE char asctime_storage[64]; // asctime gives long years more than MOST_TEXT

// Without reporting what the C library does inside; `call` must have been reported before.
#define UNSEEN(call)                                                                                                   \
    ({                                                                                                                 \
        struct thread *me = engine.running;                                                                            \
        engine.running = NULL;                                                                                         \
        __typeof__(call) answer = call;                                                                                \
        engine.running = me;                                                                                           \
        answer;                                                                                                        \
    })

static struct tm *libc_calendar_convert(struct tm *(*native)(const time_t *, struct tm *), const time_t *from,
                                        struct tm *to, const void *pc)
{
    if (pc) {
        access_read(from, sizeof *from, pc);
        access_write(to, sizeof *to, pc);
    }
    return UNSEEN(native(from, to));
}

PUBLIC struct tm *localtime_r(const time_t *restrict from, struct tm *restrict to)
{
    return libc_calendar_convert(NATIVE(localtime_r), from, to, CALLER());
}

PUBLIC struct tm *gmtime_r(const time_t *restrict from, struct tm *restrict to)
{
    return libc_calendar_convert(NATIVE(gmtime_r), from, to, CALLER());
}

// Unlike localtime_r it looks whether the zone has changed.
static struct tm *libc_calendar_local(const time_t *from, const void *pc)
{
    UNSEEN((tzset(), 0));
    return libc_calendar_convert(NATIVE(localtime_r), from, &localtime_storage, pc);
}

PUBLIC struct tm *localtime(const time_t *from)
{
    return libc_calendar_local(from, CALLER());
}

PUBLIC struct tm *gmtime(const time_t *from)
{
    return libc_calendar_convert(NATIVE(gmtime_r), from, &localtime_storage, CALLER());
}

static char *libc_calendar_spell(const struct tm *from, char *to, size_t size, const void *pc)
{
    if (pc) {
        access_read(from, sizeof *from, pc);
        access_write(to, size, pc);
    }
    return UNSEEN(NATIVE(asctime_r)(from, to));
}

PUBLIC char *asctime_r(const struct tm *restrict from, char *restrict to)
{
    return libc_calendar_spell(from, to, MOST_TEXT, CALLER());
}

PUBLIC char *asctime(const struct tm *from)
{
    return libc_calendar_spell(from, asctime_storage, sizeof asctime_storage, CALLER());
}

PUBLIC char *ctime_r(const time_t *from, char *to)
{
    struct tm own;
    const struct tm *found = libc_calendar_convert(NATIVE(localtime_r), from, &own, CALLER());
    return found ? libc_calendar_spell(found, to, MOST_TEXT, CALLER()) : NULL;
}

PUBLIC char *ctime(const time_t *from)
{
    const struct tm *found = libc_calendar_local(from, CALLER());
    return found ? libc_calendar_spell(found, asctime_storage, sizeof asctime_storage, CALLER()) : NULL;
}

static time_t count_seconds(time_t (*native)(struct tm *), struct tm *from, const void *pc)
{
    if (pc) {
        access_read(from, sizeof *from, pc);
        access_write(from, sizeof *from, pc); // brings its fields into their ranges
    }
    return UNSEEN(native(from));
}

PUBLIC time_t mktime(struct tm *from)
{
    return count_seconds(NATIVE(mktime), from, CALLER());
}

PUBLIC time_t timegm(struct tm *from)
{
    return count_seconds(NATIVE(timegm), from, CALLER());
}

PUBLIC size_t strftime(char *restrict to, size_t room, const char *restrict format, const struct tm *restrict from)
{
    const void *pc = CALLER();
    if (!pc)
        return NATIVE(strftime)(to, room, format, from);
    reported_length(format, SIZE_MAX, pc);
    access_read(from, sizeof *from, pc);
    access_write(to, room, pc); // what lies behind the text's end is undefined
    return UNSEEN(NATIVE(strftime)(to, room, format, from));
}
