#include "lin/growth.h"

#include <string.h>

enum { MOST_CALLS = 8, MOST_BEFORE = 6, CALLS_AFTER_BEFORE = 4 };

void growth_begin(struct growth *g, const struct client_object *object, const struct client_bounds *bounds,
                  const struct client *around)
{
    *g = (struct growth){.object = object, .bounds = *bounds, .around = around};
}

void growth_end(struct growth *g)
{
    for (uint32_t i = 0; i < GROWTH_ROWS; i++)
        inventor_end(&g->row[i].clients);
}

// ---- sizes ----

// Calls before the threads show nothing that the same calls at the beginning of a thread do not.
static bool is_within(const struct client_bounds *b, const struct client_size *s)
{
    uint32_t longest = s->before + s->calls - s->threads + 1;
    return s->threads <= b->threads && longest <= b->calls && s->before + s->calls <= b->total;
}

static bool next_of_threads(const struct client_bounds *bounds, struct client_size *s)
{
    if (++s->threads > bounds->threads || s->threads > s->calls) {
        s->threads = 2;
        s->calls++;
    }
    return s->calls <= MOST_CALLS;
}

static bool next_with_before(const struct client_bounds *bounds, struct client_size *s)
{
    if (++s->threads <= bounds->threads && s->threads <= s->calls)
        return true;
    s->threads = 2;
    uint32_t all = s->before + s->calls;
    s->calls++;
    if (s->calls > CALLS_AFTER_BEFORE || s->calls >= all) {
        all++;
        s->calls = all > MOST_BEFORE + 2 ? all - MOST_BEFORE : 2;
    }
    s->before = all - s->calls;
    return s->calls <= CALLS_AFTER_BEFORE;
}

// The next size that is not within the bounds; false if there is none.
static bool next_size(const struct growth *g, enum growth_row row, struct client_size *s)
{
    if (g->bounds.threads < 2)
        return false;
    do {
        if (!s->calls)
            *s = (struct client_size){.before = row == GROWTH_BEFORE, .threads = 2, .calls = 2};
        else if (!(row == GROWTH_BEFORE ? next_with_before(&g->bounds, s) : next_of_threads(&g->bounds, s)))
            return false;
    } while (is_within(&g->bounds, s));
    return true;
}

static bool begin_size(struct growth *g, enum growth_row row)
{
    uint32_t n = g->row[row].sizes;
    struct client_size size = n ? g->row[row].size[n - 1].size : (struct client_size){0};
    if (n == GROWTH_SIZES || !next_size(g, row, &size))
        return false;
    inventor_end(&g->row[row].clients);
    if (inventor_begin_size(&g->row[row].clients, g->object, &size, g->around))
        return false;
    g->row[row].size[g->row[row].sizes++] = (struct growth_size){.size = size};
    return true;
}

// ---- clients ----

uint32_t growth_next(struct growth *g, enum growth_row row, struct client *clients, uint32_t most)
{
    uint32_t n = 0;
    while (!n && !g->row[row].over) {
        uint32_t at = g->row[row].sizes;
        if ((!at || g->row[row].size[at - 1].all) && !begin_size(g, row)) {
            g->row[row].over = true;
            break;
        }
        struct growth_size *size = &g->row[row].size[g->row[row].sizes - 1];
        while (n < most && inventor_next_of_size(&g->row[row].clients, &clients[n]))
            n += size->size.before || !client_is_within(&clients[n], &g->bounds);
        size->all = n < most && !g->row[row].clients.over;
        g->row[row].over = g->row[row].clients.over;
    }
    return n;
}
