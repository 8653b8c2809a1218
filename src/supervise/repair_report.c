#include "supervise/repair_report.h"

#include <inttypes.h>

#include "base/buffer.h"
#include "report/json_build.h"

enum { SHOWN = 6 };

// "1,204"
static void add_number(struct buffer *b, uint64_t n)
{
    if (n >= 1000) {
        add_number(b, n / 1000);
        buffer_add(b, ",%03u", (unsigned)(n % 1000));
    } else {
        buffer_add(b, "%u", (unsigned)n);
    }
}

static void add_place(struct buffer *b, const struct repair_lines *l)
{
    buffer_add(b, "%s:%u", l->file, l->from);
    if (l->to > l->from)
        buffer_add(b, "-%u", l->to);
    if (l->loop)
        buffer_add(b, " (a loop)");
}

// "push stack.c:2-3 and pop stack.c:8-9"
static void add_places(struct buffer *b, const struct repair *repair, const struct cause_repair *which, bool functions)
{
    struct repair_lines lines[CAUSE_BLOCKS];
    uint32_t n = repair_lines(repair, which, lines);
    for (uint32_t i = 0; i < n; i++) {
        buffer_add(b, i == 0 ? "" : i + 1 < n ? ", " : " and ");
        if (functions)
            buffer_add(b, "%s ", lines[i].function);
        add_place(b, &lines[i]);
    }
}

static void print_causes(FILE *out, const struct repair *repair)
{
    size_t n = repair->causes.count < SHOWN ? repair->causes.count : SHOWN;
    if (!n)
        return;
    fprintf(out,
            "  what would have had to be atomic, by %" PRIu64 " failing and %" PRIu64 " good runs of this client:\n",
            repair->bad, repair->good);
    for (size_t i = 0; i < n; i++) {
        const struct cause_repair *c = &repair->causes.repair[i];
        struct buffer line = {0};
        add_places(&line, repair, c, true);
        fprintf(out, "    %s: forbids %" PRIu64 " of the failing, %" PRIu64 " of the good\n", buffer_text(&line),
                c->bad, c->good);
        buffer_free(&line);
    }
    if (repair->causes.count > n)
        fprintf(out, "    and %zu more\n", repair->causes.count - n);
}

// "; checked on 37 clients of up to 3 threads with 2 calls each and 4 in all, and on 412 with a call or a thread more"
static void add_reach(struct buffer *b, const struct repair *repair, const struct repair_reach *reach)
{
    const struct client_bounds *bounds = repair->bounds;
    buffer_add(b, "; checked on ");
    add_number(b, reach->clients);
    buffer_add(b, " client%s", reach->clients == 1 ? "" : "s");
    if (bounds)
        buffer_add(b, " of up to %u threads with %u calls each and %u in all", bounds->threads, bounds->calls,
                   bounds->total);
    buffer_add(b, ", and on %s", reach->beyond_all ? "all " : "");
    add_number(b, reach->beyond);
    buffer_add(b, " with a call or a thread more");
    if (!reach->beyond_all)
        buffer_add(b, ", when the time for it was over (--repair)");
}

static void add_sentence(struct buffer *b, const struct repair *repair)
{
    switch (repair->end) {
    case REPAIR_CHECKED:
        buffer_add(b, "make ");
        add_places(b, repair, &repair->best, false);
        buffer_add(b, " atomic");
        add_reach(b, repair, &repair->reach);
        break;
    case REPAIR_WHOLE:
        buffer_add(b, "no smaller block suffices: make whole calls atomic, ");
        add_places(b, repair, &repair->best, true);
        add_reach(b, repair, &repair->reach);
        break;
    case REPAIR_TIME:
        if (repair->best.count) {
            buffer_add(b, "perhaps make ");
            add_places(b, repair, &repair->best, false);
            buffer_add(b, " atomic; not checked to the end within the time (--repair)");
        } else {
            buffer_add(b, "no repair was found within the time (--repair)");
        }
        break;
    case REPAIR_NONE:
        buffer_add(b, "no lines were found that would forbid every failing run if they were atomic");
        break;
    case REPAIR_NO_LINES:
        buffer_add(b, "none: the program has no debug information (-g)");
        break;
    default:
        break;
    }
}

// "with a mutex around stack.c:45-49 and stack.c:60-66, see the patch; checked on …"
static void add_lock(struct buffer *b, const struct repair *repair)
{
    const struct lock *l = &repair->lock;
    if (!l->patch) {
        buffer_add(b, "no mutex: %s", l->reason);
        return;
    }
    buffer_add(b, "with a mutex around ");
    for (uint32_t i = 0; i < l->count; i++) {
        struct repair_lines lines = {.file = l->file, .from = l->run[i].from, .to = l->run[i].to};
        buffer_add(b, i == 0 ? "" : i + 1 < l->count ? ", " : " and ");
        add_place(b, &lines);
    }
    buffer_add(b, ", see the patch");
    add_reach(b, repair, &l->reach);
}

void repair_text(FILE *out, const struct repair *repair, const struct style *style)
{
    struct buffer sentence = {0};
    if (repair->end == REPAIR_OFF)
        return;
    fprintf(out, "%srepair%s\n", style_on(style, LOOK_BOLD), style_off(style, LOOK_BOLD));
    print_causes(out, repair);
    add_sentence(&sentence, repair);
    fprintf(out, "  %s\n", buffer_text(&sentence));
    buffer_free(&sentence);
    if (!repair->with_lock || (repair->end != REPAIR_CHECKED && repair->end != REPAIR_WHOLE))
        return;
    add_lock(&sentence, repair);
    fprintf(out, "  %s\n", buffer_text(&sentence));
    buffer_free(&sentence);
}

static cJSON *blocks_json(const struct repair *repair, const struct cause_repair *which)
{
    struct repair_lines lines[CAUSE_BLOCKS];
    uint32_t n = repair_lines(repair, which, lines);
    cJSON *list = json_array();
    for (uint32_t i = 0; i < n; i++) {
        cJSON *block = json_object();
        json_add_text(block, "file", lines[i].file);
        json_add_text(block, "function", lines[i].function);
        json_add_number(block, "from", lines[i].from);
        json_add_number(block, "to", lines[i].to);
        json_append(list, block);
    }
    return list;
}

static cJSON *causes_json(const struct repair *repair)
{
    cJSON *list = json_array();
    for (size_t i = 0; i < repair->causes.count; i++) {
        cJSON *cause = json_object();
        json_add(cause, "blocks", blocks_json(repair, &repair->causes.repair[i]));
        json_add_number(cause, "failing", (double)repair->causes.repair[i].bad);
        json_add_number(cause, "good", (double)repair->causes.repair[i].good);
        json_append(list, cause);
    }
    return list;
}

cJSON *repair_json(const struct repair *repair)
{
    static const char *const ends[] = {"off", "checked", "time", "none", "no-lines", "whole-calls"};
    if (repair->end == REPAIR_OFF || repair->end == REPAIR_NO_LINES)
        return cJSON_CreateNull();
    cJSON *json = json_object();
    struct buffer sentence = {0};
    add_sentence(&sentence, repair);
    json_add_text(json, "end", ends[repair->end]);
    json_add_buffer(json, "sentence", &sentence);
    json_add(json, "blocks", blocks_json(repair, &repair->best));
    json_add_number(json, "forbids_failing", (double)repair->best.bad);
    json_add_number(json, "forbids_good", (double)repair->best.good);
    json_add_number(json, "clients", (double)repair->reach.clients);
    json_add_number(json, "clients_beyond", (double)repair->reach.beyond);
    json_made(cJSON_AddBoolToObject(json, "all_beyond", repair->reach.beyond_all));
    json_add_number(json, "executions", (double)repair->executions);
    json_add_number(json, "dropped", repair->tried);
    json_add_number(json, "failing", (double)repair->bad);
    json_add_number(json, "good", (double)repair->good);
    json_add(json, "causes", causes_json(repair));
    if (repair->with_lock && (repair->end == REPAIR_CHECKED || repair->end == REPAIR_WHOLE))
        add_lock(&sentence, repair);
    json_add_buffer(json, "lock", &sentence);
    json_add_text(json, "patch", repair->lock.patch);
    json_add_number(json, "seconds", repair->took);
    json_add_number(json, "analysis_seconds", repair->thought);
    return json;
}
