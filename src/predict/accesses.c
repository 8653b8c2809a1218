#include "predict/accesses.h"

#include <stdlib.h>

#include "base/alloc.h"

// Records by variable, by counting; within a variable they are by thread because threads are gone through one after the other.
static void sort_accesses(struct accesses *a, uint32_t *starts)
{
    const struct recording *r = a->r;
    for (uint32_t i = 0; i < r->count; i++)
        if (record_table[r->records[i].kind].access)
            starts[r->records[i].object + 1]++;
    for (uint32_t v = 0; v < r->variable_count; v++)
        starts[v + 1] += starts[v];
    a->records = alloc_array(starts[r->variable_count], sizeof *a->records);
    uint32_t *next = alloc_array(r->variable_count, sizeof *next);
    for (uint32_t v = 0; v < r->variable_count; v++)
        next[v] = starts[v];
    for (uint32_t t = 0; t < r->thread_count; t++)
        for (uint32_t i = 0; i < r->threads[t].count; i++) {
            uint32_t record = r->threads[t].records[i];
            if (record_table[r->records[record].kind].access)
                a->records[next[r->records[record].object]++] = record;
        }
    free(next);
}

void accesses_make(struct accesses *a, const struct recording *r)
{
    *a = (struct accesses){.r = r};
    uint32_t *starts = alloc_zeroed((size_t)r->variable_count + 1, sizeof *starts);
    sort_accesses(a, starts);
    size_t room = 0;
    uint32_t count = 0;
    a->first_line = alloc_array((size_t)r->variable_count + 1, sizeof *a->first_line);
    for (uint32_t v = 0; v < r->variable_count; v++) {
        a->first_line[v] = count;
        for (uint32_t i = starts[v]; i < starts[v + 1]; i++) {
            const struct record *e = &r->records[a->records[i]];
            if (i == starts[v] || a->lines[count - 1].thread != e->thread) {
                a->lines = alloc_grow(a->lines, count, &room, sizeof *a->lines);
                a->lines[count++] = (struct access_line){.thread = e->thread, .records = &a->records[i]};
            }
            a->lines[count - 1].count++;
            a->lines[count - 1].writes |= record_writes(e);
        }
    }
    a->first_line[r->variable_count] = count;
    free(starts);
}

void accesses_free(struct accesses *a)
{
    free(a->records);
    free(a->lines);
    free(a->first_line);
}
