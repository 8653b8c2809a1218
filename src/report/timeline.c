#include "report/timeline.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "report/svg.h"

enum { LEFT = 90, WIDTH = 1000, TOP = 40, ROW = 26, BAR = 18, BELOW = 40, TICKS = 5 };

void timeline_add(struct timeline *t, struct timeline_piece piece)
{
    t->piece = alloc_grow(t->piece, t->count, &t->room, sizeof *t->piece);
    t->piece[t->count++] = piece;
}

void timeline_free(struct timeline *t)
{
    free(t->piece);
    *t = (struct timeline){0};
}

static int compare_pieces(const void *one, const void *other)
{
    const struct timeline_piece *a = one, *b = other;
    if (a->worker != b->worker)
        return a->worker < b->worker ? -1 : 1;
    return a->began < b->began ? -1 : a->began > b->began;
}

// What the picture covers.
struct extent {
    double began, seconds;
    uint32_t workers;
};

static struct extent extent_of(const struct timeline *t)
{
    struct extent e = {.began = t->count ? t->piece[0].began : 0};
    double ended = e.began;
    for (size_t i = 0; i < t->count; i++) {
        const struct timeline_piece *p = &t->piece[i];
        e.began = p->began < e.began ? p->began : e.began;
        ended = p->ended > ended ? p->ended : ended;
        e.workers = p->worker + 1 > e.workers ? p->worker + 1 : e.workers;
    }
    e.seconds = ended > e.began ? ended - e.began : 1e-3;
    return e;
}

static double place_of(const struct extent *e, double time)
{
    return LEFT + WIDTH * (time - e->began) / e->seconds;
}

// Pieces of one worker that are too narrow to be told apart are drawn as one; returns how many there are from `at` on.
static size_t narrow_pieces(const struct timeline *t, const struct extent *e, size_t at)
{
    const double least = 2; // pixels
    size_t count = 1;
    const struct timeline_piece *first = &t->piece[at];
    while (at + count < t->count && t->piece[at + count].worker == first->worker && !first->killed &&
           !t->piece[at + count].killed && place_of(e, t->piece[at + count].ended) - place_of(e, first->began) < least)
        count++;
    return count;
}

static void draw_pieces(const struct timeline *t, const struct extent *e, size_t at, size_t count, FILE *out)
{
    const struct timeline_piece *first = &t->piece[at], *last = &t->piece[at + count - 1];
    double from = place_of(e, first->began), width = place_of(e, last->ended) - from;
    fprintf(out, "<rect x='%.1f' y='%u' width='%.1f' height='%d' class='%s'><title>", from, TOP + first->worker * ROW,
            width < 0.5 ? 0.5 : width, BAR,
            first->killed     ? "killed"
            : first->unit % 2 ? "odd"
                              : "even");
    if (count > 1)
        fprintf(out, "%zu units", count);
    else
        fprintf(out, "unit %u, %" PRIu64 " executions%s", first->unit, first->executions,
                first->killed ? ", killed" : "");
    fprintf(out, ": %.3f s</title></rect>\n", last->ended - first->began);
}

static void draw_frame(const struct extent *e, FILE *out)
{
    char text[64];
    unsigned height = TOP + e->workers * ROW;
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%u' font-family='sans-serif' font-size='12'>\n"
            "<style>.even{fill:#47a}.odd{fill:#7ad}.killed{fill:#c33}line{stroke:#ccc}</style>\n",
            LEFT + WIDTH + 30, height + BELOW);
    for (uint32_t i = 0; i < e->workers; i++) {
        snprintf(text, sizeof text, "worker %u", i + 1);
        svg_text(out, LEFT - 10, (int)(TOP + i * ROW) + BAR - 5, "end", text);
    }
    for (int i = 0; i <= TICKS; i++) {
        int x = LEFT + WIDTH * i / TICKS;
        fprintf(out, "<line x1='%d' y1='%d' x2='%d' y2='%u'/>\n", x, TOP - 10, x, height);
        snprintf(text, sizeof text, "%.3g s", e->seconds * i / TICKS);
        svg_text(out, x, (int)height + 18, "middle", text);
    }
}

bool timeline_write(const struct timeline *t, FILE *out)
{
    struct extent e = extent_of(t);
    if (t->count)
        qsort(t->piece, t->count, sizeof *t->piece, compare_pieces);
    draw_frame(&e, out);
    for (size_t at = 0, count; at < t->count; at += count) {
        count = narrow_pieces(t, &e, at);
        draw_pieces(t, &e, at, count, out);
    }
    fputs("</svg>\n", out);
    return !ferror(out);
}
