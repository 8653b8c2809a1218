// Memory that another order would use after its release, or read before it is written.
//
// A use that the order leaves open relative to the release of its block: can the release come first? And a read whose variable is on the
// heap or a global that was written before each read in the recorded run: can it come before the first of these writes, if that
// is another thread's? Races are left out, and atomics but for one question: what if the
// variable ordered nothing itself (loosened)? That says nothing unless the run fails. Of a global that says little, since what
// was there before may be as good: it counts only if the confirmed run fails.
#include "predict/prediction_hunt.h"

#include <stdlib.h>

#include "base/alloc.h"

static void try_early(struct hunt *h, uint32_t read, uint32_t write)
{
    struct prediction p = {.kind = PREDICT_EARLY,
                           .records = {read, write},
                           .record_count = 2,
                           .wishes = {{read, write}},
                           .wish_count = 1,
                           .lock = NOT_RECORDED,
                           .weak = h->r->blocks[h->r->variables[h->r->records[read].object].block].kind != BLOCK_HEAP};
    p.loosened = h->loosened;
    p.weak |= h->loosened;
    uint32_t signature = hunt_signature(h, &p);
    if (hunt_is_open(h, signature) && !order_before(&h->m.order, write, read) && !hunt_may_race(h, read, write) &&
        record_table[h->r->records[read].kind].atomic == h->loosened)
        hunt_ask(h, &p, signature);
}

// The first access of all, if it is a write and there are others; NOT_RECORDED: it is not.
static uint32_t first_write(const struct hunt *h, uint32_t variable)
{
    uint32_t count, first = NOT_RECORDED;
    const struct access_line *lines = accesses_lines(&h->accesses, variable, &count);
    for (uint32_t i = 0; i < count; i++)
        if (lines[i].records[0] < first)
            first = lines[i].records[0];
    return count > 1 && record_writes(&h->r->records[first]) ? first : NOT_RECORDED;
}

bool hunt_is_published(const struct hunt *h, uint32_t variable)
{
    uint32_t first = first_write(h, variable);
    return first != NOT_RECORDED && record_table[h->r->records[first].kind].atomic;
}

// Reads of other threads than the first writer's, where the first access of all is a write.
void hunt_early(struct hunt *h, uint32_t variable)
{
    uint32_t count, first = first_write(h, variable);
    const struct access_line *lines = accesses_lines(&h->accesses, variable, &count);
    if (first == NOT_RECORDED)
        return;
    for (uint32_t i = 0; i < count; i++)
        if (lines[i].thread != h->r->records[first].thread &&
            record_table[h->r->records[lines[i].records[0]].kind].reads)
            try_early(h, lines[i].records[0], first);
}

static void try_freed(struct hunt *h, uint32_t release, uint32_t use)
{
    struct prediction p = {.kind = PREDICT_FREED,
                           .records = {release, use},
                           .record_count = 2,
                           .wishes = {{release, use}},
                           .wish_count = 1,
                           .lock = NOT_RECORDED};
    uint32_t signature = hunt_signature(h, &p);
    if (hunt_is_open(h, signature) && !order_before(&h->m.order, use, release))
        hunt_ask(h, &p, signature);
}

// The last uses of each thread before the release: earlier ones can come after it only if those can.
static void hunt_freed(struct hunt *h, uint32_t variable, uint32_t release)
{
    uint32_t count;
    const struct access_line *lines = accesses_lines(&h->accesses, variable, &count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = lines[i].count; k-- > 0 && lines[i].count - k <= HUNT_NEAR;)
            if (lines[i].thread != h->r->records[release].thread)
                try_freed(h, release, lines[i].records[k]);
}

void hunt_lifetimes(struct hunt *h, unsigned kinds)
{
    uint32_t *release = alloc_array(h->r->block_count, sizeof *release);
    for (uint32_t b = 0; b < h->r->block_count; b++)
        release[b] = NOT_RECORDED;
    for (uint32_t i = 0; i < h->r->count; i++)
        if (h->r->records[i].kind == RECORD_RELEASE)
            release[h->r->records[i].object] = i;
    for (uint32_t v = 0; v < h->r->variable_count; v++) {
        if (kinds >> PREDICT_FREED & 1 && release[h->r->variables[v].block] != NOT_RECORDED)
            hunt_freed(h, v, release[h->r->variables[v].block]);
        if (kinds >> PREDICT_EARLY & 1)
            hunt_early(h, v);
    }
    free(release);
}
