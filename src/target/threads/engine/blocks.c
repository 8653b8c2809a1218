#include "target/threads/engine/blocks.h"

#include "base/mem.h"
#include "target/threads/libc/libc_room.h"

static const struct block_job *blocks;
static uint32_t (*known)[MAX_ACTORS]; // by the first event of a block
static uint32_t *number;              // of the events of each actor, by what `own` says
static uint32_t own[MAX_ACTORS + 1];

void blocks_use(const struct block_job *job)
{
    blocks = job->ranges ? job : NULL;
    if (!blocks)
        return;
    known = mem_reserve(engine.exec.limit * sizeof *known);
    number = mem_reserve((engine.exec.limit + MAX_ACTORS) * sizeof *number);
}

bool blocks_used(void)
{
    return blocks != NULL;
}

static const struct block_range *range_at(uint64_t return_address)
{
    uint64_t pc = return_address - 1;
    uint32_t low = 0, high = blocks->ranges;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (blocks->range[middle].end <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < blocks->ranges && blocks->range[low].start <= pc ? &blocks->range[low] : NULL;
}

static const struct block_range *outermost(const struct site *site, uint32_t *frame)
{
    for (*frame = 0; *frame < site->frames; ++*frame) {
        const struct block_range *r = range_at(site->frame[*frame]);
        if (r)
            return r;
    }
    return NULL;
}

static bool same_instance(const struct thread *t, const struct site *site, const struct block_range *r, uint32_t frame)
{
    return t->block == r->block + 1u && t->block_frame == frame && site->kept > frame &&
           (r->loops || r->line >= t->block_line);
}

bool blocks_goes_on(const struct thread *t)
{
    struct site site;
    uint32_t frame;
    if (!blocks || !t->block)
        return false;
    site_look(t, &site);
    const struct block_range *r = outermost(&site, &frame);
    return r && same_instance(t, &site, r, frame);
}

uint32_t blocks_enter(struct thread *t, const struct site *site, uint32_t event)
{
    uint32_t frame, first = event;
    const struct block_range *r = blocks ? outermost(site, &frame) : NULL;
    if (r && same_instance(t, site, r, frame))
        first = site_of(engine.exec.actors[t->actor].last)->block;
    t->block = r ? r->block + 1u : 0;
    t->block_frame = r ? frame : 0;
    t->block_line = r ? r->line : 0;
    return first;
}

// ---- order ----

static void number_events(void)
{
    const struct exec *x = &engine.exec;
    uint32_t at = 0;
    for (uint32_t actor = 0; actor < x->known; actor++) {
        own[actor] = at;
        at += x->actors[actor].events + 1;
    }
    for (uint32_t i = 0; i < x->count; i++)
        number[own[x->events[i].actor] + x->events[i].index] = i;
}

static void blocks_learn(uint32_t *knows, const uint32_t *other)
{
    for (uint32_t actor = 0; actor < engine.exec.known; actor++)
        if (knows[actor] < other[actor])
            knows[actor] = other[actor];
}

// Blocks are not interrupted, so what an event knows has been through: the blocks of others that it knows something of are
// complete. What its own block learns later it knows as well.
void blocks_order(void)
{
    const struct exec *x = &engine.exec;
    number_events();
    for (uint32_t i = 0; i < x->count; i++) {
        const struct event *e = &x->events[i];
        uint32_t first = site_of(i)->block, *knows = known[first];
        if (first == i)
            plain_fill(knows, 0, sizeof *known);
        if (first == i && e->old_last != NO_EVENT)
            blocks_learn(knows, known[site_of(e->old_last)->block]);
        for (uint32_t actor = 0; actor < x->known; actor++) {
            uint32_t index = clock_lane(&x->clocks, e->clock, actor);
            if (actor != e->actor && index > knows[actor])
                blocks_learn(knows, known[site_of(number[own[actor] + index])->block]);
        }
        knows[e->actor] = e->index;
    }
}

bool blocks_know(uint32_t later, uint32_t actor, uint32_t index)
{
    return known[site_of(later)->block][actor] >= index;
}
