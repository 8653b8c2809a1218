#include "requests/petri.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "report/svg.h"

enum { MOST_PLACES = 64, MOST_ARCS = 512 };

struct net_transition {
    char *label;
    int side;         // 0: the region's client, 1: the other one
    bool in_region;   // of those that are not atomic
    uint32_t on_side; // how many of its client came before it
};

enum arc_kind { ARC_READ, ARC_WRITE, ARC_TAKE, ARC_GIVE };

struct net_arc {
    uint32_t transition, place;
    enum arc_kind kind;
};

struct net {
    struct net_transition *transitions;
    uint32_t count;
    char *places[MOST_PLACES]; // resources and locks
    bool is_lock[MOST_PLACES];
    uint32_t keys[MOST_PLACES]; // twice the resource, plus 1 for a lock
    uint32_t place_count;
    struct net_arc arcs[MOST_ARCS];
    uint32_t arc_count;
    const char *clients[2];
    uint32_t lengths[2];
};

static uint32_t place_of(struct net *n, const struct meaning *m, uint32_t resource, bool lock)
{
    uint32_t key = resource * 2 + lock;
    for (uint32_t i = 0; i < n->place_count; i++)
        if (n->keys[i] == key)
            return i;
    if (n->place_count == MOST_PLACES)
        return MOST_PLACES;
    struct buffer name = {0};
    const char *text = table_text(&m->resources, resource);
    buffer_add(&name, lock ? "lock " : "");
    buffer_add_safe(&name, text, strlen(text), false);
    n->keys[n->place_count] = key;
    n->is_lock[n->place_count] = lock;
    n->places[n->place_count] = name.text;
    return n->place_count++;
}

static void add_arc(struct net *n, const struct meaning *m, uint32_t transition, const struct effect *e)
{
    static const enum arc_kind kinds[DEEDS] = {
        [DEED_READ] = ARC_READ,  [DEED_WRITE] = ARC_WRITE, [DEED_LOCK] = ARC_TAKE,
        [DEED_GUARD] = ARC_TAKE, [DEED_UNLOCK] = ARC_GIVE, [DEED_UNGUARD] = ARC_GIVE};
    bool lock = e->deed != DEED_READ && e->deed != DEED_WRITE;
    uint32_t place = place_of(n, m, e->resource, lock);
    if (place < MOST_PLACES && n->arc_count < MOST_ARCS)
        n->arcs[n->arc_count++] = (struct net_arc){transition, place, kinds[e->deed]};
}

// Whether the prediction is about this effect, or it is a lock.
static bool effect_counts(const struct request_predictions *p, const struct prediction *one, uint32_t effect)
{
    const struct effect *e = &p->meaning.effects[effect];
    if (e->deed != DEED_READ && e->deed != DEED_WRITE)
        return true;
    for (uint32_t i = 0; i < one->record_count; i++)
        if (request_effect(p, one->records[i])->resource == e->resource)
            return true;
    return false;
}

static void add_transition(struct net *n, const struct request_predictions *p, const struct prediction *one,
                           const struct ordered_request *o)
{
    const struct meaning *m = &p->meaning;
    const struct request *r = &m->log->requests[o->request];
    const struct effect *first = request_effect(p, one->records[0]),
                        *last = request_effect(p, one->records[one->record_count - 1]);
    struct buffer label = {0};
    buffer_add(&label, "T%u ", n->count + 1);
    buffer_add_safe(&label, request_verb(r), strlen(request_verb(r)), false);
    int side = m->client_of[o->request] != first->client;
    n->transitions[n->count] =
        (struct net_transition){.label = label.text,
                                .side = side,
                                .in_region = !side && o->request >= first->request && o->request <= last->request,
                                .on_side = n->lengths[side]++};
    for (uint32_t i = 0; i < m->count; i++)
        if (m->effects[i].request == o->request && effect_counts(p, one, i))
            add_arc(n, m, n->count, &m->effects[i]);
    n->count++;
}

static void net_make(struct net *n, const struct request_predictions *p, const struct prediction *one)
{
    struct request_order order;
    *n = (struct net){0};
    request_predicted_order(p, one, true, &order);
    n->transitions = alloc_zeroed(order.count + 1, sizeof *n->transitions);
    n->clients[0] = table_text(&p->meaning.clients, request_effect(p, one->records[0])->client);
    n->clients[1] = table_text(&p->meaning.clients, request_effect(p, one->records[1])->client);
    for (uint32_t i = 0; i < order.count; i++)
        add_transition(n, p, one, &order.list[i]);
    free(order.list);
}

static void net_free(struct net *n)
{
    for (uint32_t i = 0; i < n->count; i++)
        free(n->transitions[i].label);
    for (uint32_t i = 0; i < n->place_count; i++)
        free(n->places[i]);
    free(n->transitions);
}

static void write_quoted(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void dot_transition(FILE *out, const struct net *n, uint32_t i)
{
    fprintf(out, "t%u [shape=box, label=", i);
    write_quoted(out, n->transitions[i].label);
    fputs("];\n", out);
}

static void dot_arc(FILE *out, const struct net_arc *a)
{
    switch (a->kind) {
    case ARC_READ:
        fprintf(out, "r%u -> t%u [dir=both, label=\"reads\", style=dashed];\n", a->place, a->transition);
        break;
    case ARC_WRITE:
        fprintf(out, "t%u -> r%u [dir=both, label=\"writes\", penwidth=2];\n", a->transition, a->place);
        break;
    case ARC_TAKE:
        fprintf(out, "r%u -> t%u;\n", a->place, a->transition);
        break;
    case ARC_GIVE:
        fprintf(out, "t%u -> r%u;\n", a->transition, a->place);
        break;
    }
}

// The chain of a client: a place in front of each of its transitions, and one behind the last.
static void dot_chain(FILE *out, const struct net *n, int side)
{
    fprintf(out, "c%d_0 [shape=circle, label=\"&bull;\", xlabel=", side);
    write_quoted(out, n->clients[side]);
    fputs("];\n", out);
    for (uint32_t i = 0; i < n->count; i++) {
        const struct net_transition *t = &n->transitions[i];
        if (t->side != side)
            continue;
        fprintf(out, "c%d_%u -> t%u -> c%d_%u;\n", side, t->on_side, i, side, t->on_side + 1);
        fprintf(out, "c%d_%u [shape=circle, label=\"\"];\n", side, t->on_side + 1);
    }
}

int petri_dot(FILE *out, const struct request_predictions *p, const struct prediction *one)
{
    struct net n;
    net_make(&n, p, one);
    fputs("digraph { node [fontname=\"sans-serif\"]; edge [fontname=\"sans-serif\", fontsize=10];\n", out);
    fputs("subgraph cluster_region { label=\"NonAtomic\"; style=dashed; color=\"#cc0000\";\n", out);
    for (uint32_t i = 0; i < n.count; i++)
        if (n.transitions[i].in_region)
            dot_transition(out, &n, i);
    fputs("}\n", out);
    for (uint32_t i = 0; i < n.count; i++)
        if (!n.transitions[i].in_region)
            dot_transition(out, &n, i);
    for (uint32_t i = 0; i < n.place_count; i++) {
        fprintf(out, "r%u [shape=%s, label=", i, n.is_lock[i] ? "circle" : "doublecircle");
        write_quoted(out, n.places[i]);
        fputs("];\n", out);
    }
    dot_chain(out, &n, 0);
    dot_chain(out, &n, 1);
    for (uint32_t i = 0; i < n.arc_count; i++)
        dot_arc(out, &n.arcs[i]);
    fputs("}\n", out);
    net_free(&n);
    return ferror(out) ? -1 : 0;
}

// The picture: a column for each client, resources and locks between them, rows in the order of firing.
enum { ROW = 70, TOP = 90, LEFT_X = 150, MIDDLE_X = 420, RIGHT_X = 690, WIDTH = 840, BOX_WIDTH = 110, BOX_HEIGHT = 28 };

static int transition_x(const struct net_transition *t)
{
    return t->side ? RIGHT_X : LEFT_X;
}

static int transition_y(uint32_t i)
{
    return TOP + ROW * (int)i;
}

static int place_y(const struct net *n, uint32_t i)
{
    int height = ROW * ((int)n->count - 1);
    return n->place_count == 1 ? TOP + height / 2 : TOP + height * (int)i / ((int)n->place_count - 1);
}

static void svg_arc(FILE *out, const struct net *n, const struct net_arc *a)
{
    const struct net_transition *t = &n->transitions[a->transition];
    int x1 = transition_x(t) + (t->side ? -BOX_WIDTH / 2 : BOX_WIDTH / 2), y1 = transition_y(a->transition);
    int x2 = MIDDLE_X + (t->side ? 18 : -18), y2 = place_y(n, a->place);
    bool to_place = a->kind != ARC_TAKE, to_transition = a->kind != ARC_GIVE;
    fprintf(out, "<line x1='%d' y1='%d' x2='%d' y2='%d'%s%s%s/>\n", x1, y1, x2, y2,
            a->kind == ARC_READ    ? " stroke-dasharray='5 4'"
            : a->kind == ARC_WRITE ? " stroke-width='2.5'"
                                   : "",
            to_place ? " marker-end='url(#arrow)'" : "", to_transition ? " marker-start='url(#arrow)'" : "");
    const char *word = a->kind == ARC_READ    ? "reads"
                       : a->kind == ARC_WRITE ? "writes"
                       : a->kind == ARC_TAKE  ? "takes"
                                              : "gives back";
    svg_text(out, (x1 * 2 + x2) / 3, (y1 * 2 + y2) / 3 - 6, "middle", word);
}

// The places of a client's chain and its arcs: each stands in the middle between two transitions.
static void svg_chain(FILE *out, const struct net *n, int side)
{
    int x = side ? RIGHT_X : LEFT_X, above = TOP - ROW / 2 - 4;
    bool first = true;
    struct buffer name = {0};
    buffer_add_safe(&name, n->clients[side], strlen(n->clients[side]), false);
    svg_text(out, x, 22, "middle", buffer_text(&name));
    buffer_free(&name);
    for (uint32_t i = 0; i < n->count; i++) {
        if (n->transitions[i].side != side)
            continue;
        int y = transition_y(i), from = first ? above : y - ROW / 2;
        fprintf(out, "<circle cx='%d' cy='%d' r='9' fill='white'/>\n", x, from);
        if (first)
            fprintf(out, "<circle cx='%d' cy='%d' r='3' fill='black'/>\n", x, from);
        fprintf(out, "<line x1='%d' y1='%d' x2='%d' y2='%d' marker-end='url(#arrow)'/>\n", x, from + 9, x,
                y - BOX_HEIGHT / 2);
        uint32_t next = i + 1;
        while (next < n->count && n->transitions[next].side != side)
            next++;
        int to = next < n->count ? transition_y(next) - ROW / 2 : y + ROW / 2;
        fprintf(out, "<line x1='%d' y1='%d' x2='%d' y2='%d' marker-end='url(#arrow)'/>\n", x, y + BOX_HEIGHT / 2, x,
                to - 9);
        if (next == n->count)
            fprintf(out, "<circle cx='%d' cy='%d' r='9' fill='white'/>\n", x, to);
        first = false;
    }
}

static void svg_region(FILE *out, const struct net *n)
{
    int from = -1, to = -1;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->transitions[i].in_region) {
            from = from < 0 ? transition_y(i) : from;
            to = transition_y(i);
        }
    if (from < 0)
        return;
    fprintf(out, "<rect x='%d' y='%d' width='%d' height='%d' fill='none' stroke='#cc0000' stroke-dasharray='6 4'/>\n",
            LEFT_X - BOX_WIDTH / 2 - 14, from - BOX_HEIGHT / 2 - 8, BOX_WIDTH + 28, to - from + BOX_HEIGHT + 16);
    svg_text(out, LEFT_X - BOX_WIDTH / 2 - 20, (from + to) / 2, "end", "NonAtomic");
}

static void svg_place(FILE *out, const struct net *n, uint32_t i)
{
    int y = place_y(n, i);
    fprintf(out, "<circle cx='%d' cy='%d' r='16' fill='white'/>\n", MIDDLE_X, y);
    if (!n->is_lock[i])
        fprintf(out, "<circle cx='%d' cy='%d' r='12' fill='white'/>\n", MIDDLE_X, y);
    fprintf(out, "<circle cx='%d' cy='%d' r='3' fill='black'/>\n", MIDDLE_X, y);
    svg_text(out, MIDDLE_X, y + 32, "middle", n->places[i]);
}

int petri_svg(FILE *out, const struct request_predictions *p, const struct prediction *one)
{
    struct net n;
    net_make(&n, p, one);
    int height = TOP + ROW * (int)n.count + 10;
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d' "
            "font-family='sans-serif' font-size='12'>\n"
            "<defs><marker id='arrow' viewBox='0 0 8 8' refX='8' refY='4' markerWidth='8' markerHeight='8' "
            "markerUnits='userSpaceOnUse' "
            "orient='auto-start-reverse'><path d='M0 0L8 4L0 8z'/></marker></defs>\n"
            "<style>text{stroke:none;fill:black}</style>\n<rect width='100%%' height='100%%' fill='white'/>\n<g "
            "stroke='black' fill='none'>\n",
            WIDTH, height, WIDTH, height);
    for (uint32_t i = 0; i < n.arc_count; i++)
        svg_arc(out, &n, &n.arcs[i]);
    svg_region(out, &n);
    svg_chain(out, &n, 0);
    svg_chain(out, &n, 1);
    for (uint32_t i = 0; i < n.count; i++) {
        int x = transition_x(&n.transitions[i]), y = transition_y(i);
        fprintf(out, "<rect x='%d' y='%d' width='%d' height='%d' fill='#eeeeee'/>\n", x - BOX_WIDTH / 2,
                y - BOX_HEIGHT / 2, BOX_WIDTH, BOX_HEIGHT);
        svg_text(out, x, y + 4, "middle", n.transitions[i].label);
    }
    for (uint32_t i = 0; i < n.place_count; i++)
        svg_place(out, &n, i);
    fputs("</g>\n</svg>\n", out);
    net_free(&n);
    return ferror(out) ? -1 : 0;
}
