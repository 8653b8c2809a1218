#include "predict/model.h"

#include <stdlib.h>

#include "base/alloc.h"

static bool is_mark(const struct record *e)
{
    const struct record_info *info = &record_table[e->kind];
    if (info->access)
        return info->atomic;
    return e->kind != RECORD_ALLOCATE && e->kind != RECORD_RELEASE && e->kind != RECORD_REGION_BEGIN &&
           e->kind != RECORD_REGION_END;
}

static void mark_thread(struct marks *marks, const struct recording *r, const struct recorded_thread *thread)
{
    for (int round = 0; round < 2; round++) {
        if (round)
            marks->at = alloc_array(marks->count, sizeof *marks->at);
        marks->count = 0;
        for (uint32_t i = 0; i < thread->count; i++)
            if (i == 0 || is_mark(&r->records[thread->records[i]])) {
                if (round)
                    marks->at[marks->count] = i;
                marks->count++;
            }
    }
}

void model_make(struct model *m, const struct recording *r)
{
    *m = (struct model){.r = r, .marks = alloc_zeroed(r->thread_count, sizeof *m->marks), .margin = MODEL_MARGIN};
    order_make(&m->order, r);
    sections_make(&m->sections, r);
    for (uint32_t t = 0; t < r->thread_count; t++)
        mark_thread(&m->marks[t], r, &r->threads[t]);
}

void model_free(struct model *m)
{
    for (uint32_t t = 0; t < m->r->thread_count; t++)
        free(m->marks[t].at);
    free(m->marks);
    order_free(&m->order);
    sections_free(&m->sections);
}

uint32_t model_done_before(const struct model *m, uint32_t thread, uint32_t record)
{
    const struct recorded_thread *t = &m->r->threads[thread];
    uint32_t low = 0, high = t->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (t->records[middle] < record)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t model_mark_from(const struct marks *marks, uint32_t position)
{
    uint32_t low = 0, high = marks->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (marks->at[middle] < position)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
