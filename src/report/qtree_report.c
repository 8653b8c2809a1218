#include "report/qtree_report.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/version.h"
#include "report/json_build.h"
#include "report/svg.h"

enum { WIDTH = 900, MARGIN = 20, LINE = 20 };

static const struct qtree_violation *violation_of(const struct qtree_report *r, uint32_t instance)
{
    uint64_t number = r->drawing.tree->instance[instance].number;
    for (uint32_t i = 0; i < r->violation_count; i++)
        if (r->violations[i].event.instance == number)
            return &r->violations[i];
    return NULL;
}

// The next instance from this one on whose tree is shown, or the number of instances.
static uint32_t next_shown(const struct qtree_report *r, uint32_t instance)
{
    uint32_t count = r->drawing.tree->counts.instances;
    while (instance < count && !r->all_trees && !violation_of(r, instance))
        instance++;
    return instance;
}

static void name_instance(const struct qtree_report *r, uint32_t instance, struct buffer *text)
{
    const struct qtree_names *names = r->drawing.names;
    names->instance(names->context, r->drawing.tree->instance[instance].number, text);
}

static void add_sentence(const struct qtree_report *r, const struct qtree_violation *v, struct buffer *text)
{
    qtree_word_violation(r->drawing.tree, r->drawing.names, v, text);
}

static void print_trees(const struct qtree_report *r, FILE *out)
{
    const struct qtree *tree = r->drawing.tree;
    for (uint32_t i = next_shown(r, 0); i < tree->counts.instances; i = next_shown(r, i + 1)) {
        const struct qtree_violation *v = violation_of(r, i);
        struct buffer text = {0};
        if (v)
            add_sentence(r, v, &text);
        else if (tree->counts.instances > 1)
            buffer_add(&text, "instance "), name_instance(r, i, &text);
        fprintf(out, "%s%s%s\n", text.length ? "  " : "", buffer_text(&text), text.length ? "\n" : "");
        buffer_free(&text);
        qtree_text(&r->drawing, i, v, out);
        fputs("\n", out);
    }
}

// Rounds that were added and committed, in all instances.
static void count_rounds(const struct qtree *tree, uint64_t *added, uint64_t *committed)
{
    *added = *committed = 0;
    for (uint32_t i = 0; i < tree->counts.instances; i++) {
        *added += tree->instance[i].nodes;
        *committed += tree->instance[i].commits;
    }
}

static void print_counts(const struct qtree_report *r, FILE *out)
{
    const struct qtree_counts *counts = &r->drawing.tree->counts;
    uint64_t added, committed;
    count_rounds(r->drawing.tree, &added, &committed);
    fprintf(out,
            "  %" PRIu64 " event%s: %" PRIu64 " round%s added, %" PRIu64 " committed, in %u instance%s; %.2f s, %.0f "
            "events/s\n",
            counts->events, counts->events == 1 ? "" : "s", added, added == 1 ? "" : "s", committed, counts->instances,
            counts->instances == 1 ? "" : "s", r->seconds,
            (double)counts->events / (r->seconds > 0 ? r->seconds : 1e-9));
    if (r->stopped)
        fprintf(out, "  what follows line %" PRIu64 " was not looked at (--keep-going)\n", r->lines);
    if (counts->after)
        fprintf(out, "  not looked at: %" PRIu64 " event%s of instances behind their violation\n", counts->after,
                counts->after == 1 ? "" : "s");
    if (r->unlisted)
        fprintf(out, "  %" PRIu64 " more instances have a violation, which are not shown\n", r->unlisted);
}

int qtree_report_text(const struct qtree_report *r, FILE *out)
{
    if (!r->violation_count)
        fputs("consistent\n", out);
    else if (r->violation_count == 1 && !r->unlisted)
        fprintf(out, "violation: %s\n", qtree_fault_names[r->violations[0].fault]);
    else
        fprintf(out, "violations: %" PRIu64 "\n", r->violation_count + r->unlisted);
    print_trees(r, out);
    print_counts(r, out);
    return ferror(out) ? -1 : 0;
}

static cJSON *event_json(const struct qtree_report *r, const struct qtree_event *e)
{
    cJSON *json = json_object();
    json_add_text(json, "event", e->is_commit ? "commit" : "add");
    qtree_json_round(json, "round", e->round);
    if (!e->is_commit) {
        qtree_json_value(&r->drawing, json, e->value);
        qtree_json_round(json, "parent", e->parent);
    }
    json_add_number(json, "line", (double)e->origin);
    return json;
}

static cJSON *violation_json(const struct qtree_report *r, const struct qtree_violation *v)
{
    cJSON *json = json_object();
    struct buffer text = {0}, instance = {0};
    add_sentence(r, v, &text);
    r->drawing.names->instance(r->drawing.names->context, v->event.instance, &instance);
    json_add_text(json, "kind", qtree_fault_names[v->fault]);
    json_add_buffer(json, "text", &text);
    json_add_buffer(json, "instance", &instance);
    json_add(json, "event", event_json(r, &v->event));
    if (v->has_other)
        json_add(json, "other", event_json(r, &v->other));
    buffer_free(&text);
    buffer_free(&instance);
    return json;
}

int qtree_report_json(const struct qtree_report *r, FILE *out)
{
    const struct qtree *tree = r->drawing.tree;
    cJSON *json = json_object(), *violations = json_array(), *trees = json_array();
    uint64_t added, committed;
    count_rounds(tree, &added, &committed);
    json_add_text(json, "heddle", HEDDLE_VERSION);
    json_add_text(json, "command", "qtree");
    json_add_text(json, "file", r->file);
    json_add_text(json, "verdict", r->violation_count ? "violation" : "consistent");
    json_add_text(json, "values", tree->options.values == QTREE_SAME_VALUES ? "same" : "any");
    json_made(cJSON_AddBoolToObject(json, "witnesses", tree->options.witnesses));
    json_made(cJSON_AddBoolToObject(json, "stopped", r->stopped));
    json_add_number(json, "lines", (double)r->lines);
    json_add_number(json, "events", (double)tree->counts.events);
    json_add_number(json, "added", (double)added);
    json_add_number(json, "committed", (double)committed);
    json_add_number(json, "instances", tree->counts.instances);
    json_add_number(json, "seconds", r->seconds);
    json_add_number(json, "unlisted", (double)r->unlisted);
    for (uint32_t i = 0; i < r->violation_count; i++)
        json_append(violations, violation_json(r, &r->violations[i]));
    for (uint32_t i = next_shown(r, 0); i < tree->counts.instances; i = next_shown(r, i + 1))
        json_append(trees, qtree_json(&r->drawing, i));
    json_add(json, "violations", violations);
    json_add(json, "trees", trees);
    return json_write(json, out);
}

// The trees one below the other; returns how high they are.
static int draw_trees(const struct qtree_report *r, FILE *out)
{
    const struct qtree *tree = r->drawing.tree;
    int y = MARGIN;
    for (uint32_t i = next_shown(r, 0); i < tree->counts.instances; i = next_shown(r, i + 1)) {
        const struct qtree_violation *v = violation_of(r, i);
        struct buffer title = {0};
        if (v)
            add_sentence(r, v, &title);
        else
            buffer_add(&title, "instance "), name_instance(r, i, &title);
        svg_text(out, MARGIN, y, "start", buffer_text(&title));
        buffer_free(&title);
        y += LINE + qtree_svg_group(&r->drawing, i, v, y + LINE / 2, out);
    }
    return y;
}

int qtree_report_svg(const struct qtree_report *r, FILE *out)
{
    char *body = NULL;
    size_t length = 0;
    FILE *memory = alloc_checked(open_memstream(&body, &length));
    int height = draw_trees(r, memory);
    if (fclose(memory))
        return -1;
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' font-family='sans-serif' font-size='12' width='%d' height='%d'>\n"
            "<style>%s</style>\n%s</svg>\n",
            WIDTH, height, qtree_svg_style, body);
    free(body);
    return ferror(out) ? -1 : 0;
}
