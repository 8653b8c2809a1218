#include "predict/pair_lines.h"

#include <stdlib.h>

#include "base/alloc.h"

static void merge_lines(struct pair_line *line, const struct access_line *x, const struct access_line *y)
{
    line->thread = x->thread;
    line->records = alloc_array((size_t)x->count + y->count, sizeof *line->records);
    uint32_t i = 0, k = 0;
    while (i < x->count || k < y->count)
        line->records[line->record_count++] =
            k == y->count || (i < x->count && x->records[i] < y->records[k]) ? x->records[i++] : y->records[k++];
}

struct pair_line *pair_lines(const struct hunt *h, uint32_t x, uint32_t y, uint32_t *count)
{
    uint32_t x_count, y_count;
    const struct access_line *xs = accesses_lines(&h->accesses, x, &x_count);
    const struct access_line *ys = accesses_lines(&h->accesses, y, &y_count);
    struct pair_line *lines = alloc_zeroed(x_count, sizeof *lines);
    *count = 0;
    for (uint32_t i = 0; i < x_count; i++)
        for (uint32_t k = 0; k < y_count; k++)
            if (xs[i].thread == ys[k].thread)
                merge_lines(&lines[(*count)++], &xs[i], &ys[k]);
    return lines;
}

void pair_lines_free(struct pair_line *lines, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        free(lines[i].records);
        free(lines[i].instances);
    }
    free(lines);
}
