#include "predict/rounds.h"

#include <stdlib.h>

#include "base/alloc.h"

uint32_t *rounds_count(const struct regions *g)
{
    const struct recording *r = g->m->r;
    uint32_t *counts = alloc_zeroed(r->count, sizeof *counts);
    for (uint32_t t = 0; t < r->thread_count; t++) {
        struct table passed = {0};
        uint32_t *times = NULL;
        size_t room = 0;
        for (uint32_t i = 0; i < r->threads[t].count; i++) {
            uint32_t record = r->threads[t].records[i];
            const struct record *e = &r->records[record];
            if (!record_table[e->kind].access || e->place == NOT_RECORDED) {
                counts[record] = 1;
                continue;
            }
            uint32_t key[] = {regions_call(g, t, i), e->place, e->kind};
            bool added;
            uint32_t number = table_add(&passed, key, sizeof key, &added);
            if (added)
                times = alloc_grow(times, number, &room, sizeof *times);
            counts[record] = ++times[number];
        }
        table_free(&passed);
        free(times);
    }
    return counts;
}
