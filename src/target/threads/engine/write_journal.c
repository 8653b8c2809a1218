#include "base/paths.h"
#include "target/threads/engine/engine.h"

// Only what happens with other threads there, or after there were any, tells something.
static bool journal_matters(void)
{
    return engine.exec.actors[0].children;
}

// What an operation does is part of its event, which is not among the events yet: heddle itself runs then, and no thread.
static uint32_t journal_at(void)
{
    return engine.exec.count + !engine.running;
}

// Not RARE: with --only races every access comes here.
__attribute__((noinline)) void journal_put(enum journal_access_kind kind, uint32_t actor, uint64_t word, uint8_t mask,
                                           const void *pc)
{
    if (!journal_matters())
        return;
    const struct access_site site = {word, (uint64_t)(uintptr_t)pc, (uint8_t)kind, mask};
    journal_add_access(&engine.journal, &site, actor, journal_at());
}

__attribute__((noinline)) void journal_tell(enum journal_note_kind kind, uint32_t actor, uint64_t other)
{
    if (!journal_matters())
        return;
    if (kind == JOURNAL_CREATE || kind == JOURNAL_JOIN)
        journal_add_thread(&engine.journal, kind, actor, (uint32_t)other, journal_at());
    else
        journal_add_lock(&engine.journal, kind, actor, other, journal_at());
}
