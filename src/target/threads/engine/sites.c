#include "target/threads/engine/sites.h"

#include "base/mem.h"
#include "target/threads/engine/blocks.h"

static struct site *sites; // by event

void sites_follow(void)
{
    engine.follow_calls = engine.keep_sites = true;
    sites = mem_reserve(engine.exec.limit * sizeof *sites);
}

const struct site *site_of(uint32_t event)
{
    return &sites[event];
}

void site_look(const struct thread *t, struct site *site)
{
    uint32_t depth = t->depth < SITE_FRAMES ? t->depth : SITE_FRAMES;
    site->frames = (uint16_t)depth;
    site->kept = (uint16_t)(t->lowest < depth ? t->lowest : depth);
    if (t->request.kind == OP_CALL) // not yet in the function
        site->frames = site->kept = 0;
    for (uint32_t i = 0; i + 1 < site->frames; i++)
        site->frame[i] = engine.calls[t->actor][i + 1];
    if (site->frames)
        site->frame[site->frames - 1] =
            t->depth > SITE_FRAMES ? engine.calls[t->actor][SITE_FRAMES] : (uint64_t)(uintptr_t)t->request.pc;
}

void sites_note(struct thread *t, uint32_t event)
{
    site_look(t, &sites[event]);
    sites[event].block = blocks_enter(t, &sites[event], event);
    t->lowest = t->depth;
}
