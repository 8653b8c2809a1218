#include "transactions/level.h"

#include <string.h>

static const struct level levels[] = {
    {"serializable", "serializable", SERIALIZABLE, NO_ORDER},
    {"strict-serializable", "strictly serializable", SERIALIZABLE, TIME_ORDER},
    {"session-serializable", "serializable with sessions", SERIALIZABLE, SESSION_ORDER},
    {"snapshot-isolation", "snapshot isolated", SNAPSHOT_ISOLATION, NO_ORDER},
    {"strong-snapshot-isolation", "strongly snapshot isolated", SNAPSHOT_ISOLATION, TIME_ORDER},
    {"session-snapshot-isolation", "snapshot isolated with sessions", SNAPSHOT_ISOLATION, SESSION_ORDER},
    {"read-committed", "read committed", READ_COMMITTED, NO_ORDER},
};

const struct level *level_nth(size_t n)
{
    return n < sizeof levels / sizeof *levels ? &levels[n] : NULL;
}

const struct level *level_default(void)
{
    return &levels[0];
}

const struct level *level_find(const char *name)
{
    const struct level *level;
    for (size_t n = 0; (level = level_nth(n)); n++)
        if (!strcmp(level->name, name))
            return level;
    return NULL;
}
