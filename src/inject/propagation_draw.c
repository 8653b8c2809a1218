// The graph of an error's way as a picture and as JSON.
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "inject/propagation.h"
#include "report/json_build.h"
#include "report/svg.h"

// "out[0], out[1] and 3 more"
static void edge_words(const struct propagation *p, const struct propagation_edge *e, struct buffer *text)
{
    enum { MOST = 2 };
    for (size_t i = 0; i < e->count && i < MOST; i++) {
        buffer_add(text, i ? ", " : "");
        canonical_object(p->other, e->objects[i], text);
    }
    if (e->count > MOST)
        buffer_add(text, " and %zu more", e->count - MOST);
}

void propagation_dot(const struct propagation *p, FILE *out)
{
    fprintf(out, "digraph propagation {\n  rankdir=LR;\n  node [shape=box];\n");
    for (size_t i = 0; i < p->node_count; i++) {
        const struct propagation_node *n = &p->nodes[i];
        if (n->begins)
            fprintf(out, "  \"%s/%s\" [style=bold, xlabel=\"%s\"];\n", n->thread, n->function, n->begins);
    }
    for (size_t i = 0; i < p->edge_count; i++) {
        const struct propagation_node *from = &p->nodes[p->edges[i].from], *to = &p->nodes[p->edges[i].to];
        struct buffer words = {0};
        edge_words(p, &p->edges[i], &words);
        fprintf(out, "  \"%s/%s\" -> \"%s/%s\" [label=\"%s\"];\n", from->thread, from->function, to->thread,
                to->function, buffer_text(&words));
        buffer_free(&words);
    }
    fprintf(out, "}\n");
}

// ---- SVG ----

enum { COLUMN = 320, ROW = 110, LEFT = 30, TOP = 60, WIDTH = 180, HEIGHT = 34 };

struct box {
    int x, y;
};

// Columns in the order in which threads deviate; functions below one another.
static struct box *place_boxes(const struct propagation *p, FILE *out, int *width, int *height)
{
    struct box *boxes = alloc_zeroed(p->node_count + 1, sizeof *boxes);
    uint32_t columns = 0, most = 1;
    for (size_t i = 0; i < p->node_count; i++) {
        uint32_t above = 0;
        int column = -1;
        for (size_t k = 0; k < i; k++)
            if (!strcmp(p->nodes[k].thread, p->nodes[i].thread)) {
                column = (boxes[k].x - LEFT) / COLUMN;
                above++;
            }
        if (column < 0) {
            column = (int)columns++;
            svg_text(out, LEFT + column * COLUMN + WIDTH / 2, TOP - 30, "middle", p->nodes[i].thread);
        }
        boxes[i] = (struct box){LEFT + column * COLUMN, TOP + (int)above * ROW};
        if (above + 1 > most)
            most = above + 1;
    }
    *width = LEFT + (int)columns * COLUMN;
    *height = TOP + (int)most * ROW;
    return boxes;
}

static void draw_box(const struct propagation_node *n, struct box b, FILE *out)
{
    fprintf(out, "<rect x='%d' y='%d' width='%d' height='%d' class='%s'/>\n", b.x, b.y, WIDTH, HEIGHT,
            n->begins ? "begins" : "function");
    svg_text(out, b.x + WIDTH / 2, b.y + HEIGHT / 2 + 5, "middle", n->function);
    if (n->begins)
        svg_text(out, b.x + WIDTH / 2, b.y - 6, "middle", n->begins);
}

// From one side of a box to a side of the other; a function that hands a value to itself has a loop at its right.
static void draw_edge(const struct propagation *p, const struct propagation_edge *e, const struct box *boxes, FILE *out)
{
    struct box from = boxes[e->from], to = boxes[e->to];
    bool right = to.x > from.x, same = to.x == from.x;
    int x1 = from.x + (right || same ? WIDTH : 0), y1 = from.y + HEIGHT / 2 - (same ? 6 : 0);
    int x2 = to.x + (right ? 0 : WIDTH), y2 = to.y + HEIGHT / 2 + (same ? 6 : 0);
    int bend = same ? 60 : right ? 50 : -50;
    struct buffer words = {0};
    edge_words(p, e, &words);
    fprintf(out, "<path d='M%d,%d C%d,%d %d,%d %d,%d' class='edge' marker-end='url(#tip)'/>\n", x1, y1, x1 + bend, y1,
            x2 + (same ? bend : -bend), y2, x2, y2);
    svg_text(out, same ? x1 + 50 : (3 * x1 + x2) / 4, same ? (y1 + y2) / 2 : (3 * y1 + y2) / 4 - 8,
             same ? "start" : "middle", buffer_text(&words));
    buffer_free(&words);
}

void propagation_svg(const struct propagation *p, FILE *out)
{
    char *body = NULL;
    size_t size = 0;
    int width, height;
    FILE *inner = alloc_checked(open_memstream(&body, &size));
    struct box *boxes = place_boxes(p, inner, &width, &height);
    for (size_t i = 0; i < p->edge_count; i++)
        draw_edge(p, &p->edges[i], boxes, inner);
    for (size_t i = 0; i < p->node_count; i++)
        draw_box(&p->nodes[i], boxes[i], inner);
    fclose(inner);
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' font-family='sans-serif' font-size='12' width='%d' height='%d'>\n"
            "<style>.edge{stroke:#c00;fill:none}.function{fill:#fff;stroke:#666}.begins{fill:#fdd;stroke:#c00;"
            "stroke-width:2}</style>\n"
            "<defs><marker id='tip' orient='auto' markerWidth='8' markerHeight='8' refX='7' refY='4'>"
            "<path d='M0,0 L8,4 L0,8 z' fill='#c00'/></marker></defs>\n%s</svg>\n",
            width, height, (char *)alloc_checked(body));
    free(body);
    free(boxes);
}

// ---- JSON ----

static char *record_words(struct canonical_trace *t, const struct canonical_thread *thread, size_t at)
{
    struct buffer words = {0};
    if (!thread || at >= thread->count)
        return NULL;
    canonical_record_words(t, &thread->records[at], &words);
    return words.text;
}

static cJSON *json_of_thread(const struct propagation *p, struct canonical_trace *golden,
                             const struct thread_deviation *t)
{
    cJSON *json = json_object();
    char *was = t->other ? record_words(golden, t->golden, t->at[0]) : NULL;
    char *is = t->golden ? record_words(p->other, t->other, t->at[1]) : NULL;
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): one of them is there
    json_add_text(json, "thread", t->golden ? t->golden->name : t->other->name);
    json_add_text(json, "deviation", deviation_words[t->kind]);
    json_add_number(json, "after", (double)t->at[0]);
    json_add_text(json, "golden", was);
    json_add_text(json, "other", is);
    json_add_number(json, "values", (double)t->values);
    json_add_number(json, "objects", (double)t->objects);
    json_add_number(json, "ways", (double)t->others);
    json_add_number(json, "missing", (double)t->missing);
    json_add_number(json, "additional", (double)t->additional);
    free(was);
    free(is);
    return json;
}

static cJSON *json_of_objects(const struct propagation *p, const uint64_t *objects, size_t count)
{
    cJSON *json = json_array();
    for (size_t i = 0; i < count; i++) {
        struct buffer name = {0};
        canonical_object(p->other, objects[i], &name);
        json_append(json, json_made(cJSON_CreateString(buffer_text(&name))));
        buffer_free(&name);
    }
    return json;
}

static cJSON *json_of_edge(const struct propagation *p, const struct propagation_edge *e)
{
    cJSON *json = json_object();
    json_add_text(json, "from_thread", p->nodes[e->from].thread);
    json_add_text(json, "from_function", p->nodes[e->from].function);
    json_add_text(json, "to_thread", p->nodes[e->to].thread);
    json_add_text(json, "to_function", p->nodes[e->to].function);
    json_add(json, "objects", json_of_objects(p, e->objects, e->count));
    return json;
}

int propagation_json(const struct propagation *p, struct canonical_trace *golden, const struct deviation *d, FILE *out)
{
    cJSON *json = json_object(), *threads = json_array(), *edges = json_array();
    json_add_number(json, "version", 1);
    for (size_t i = 0; i < d->count; i++)
        json_append(threads, json_of_thread(p, golden, &d->threads[i]));
    for (size_t i = 0; i < p->edge_count; i++)
        json_append(edges, json_of_edge(p, &p->edges[i]));
    json_add(json, "threads", threads);
    json_add(json, "objects", json_of_objects(p, d->reached, d->reached_count));
    json_add(json, "edges", edges);
    return json_write(json, out);
}
