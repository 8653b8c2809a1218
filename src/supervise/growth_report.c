#include "supervise/growth_report.h"

#include <inttypes.h>

#include "base/buffer.h"

static bool is_whole(const struct growth_size *s)
{
    return s->all && !s->left;
}

// "all clients of 2 threads with up to 6 calls and of 3 threads with up to 4": sizes come with ever more calls. Returns how many
// clients that leaves, and how many of those were explored only in part.
static uint64_t add_threads(struct buffer *b, const struct lin *lin, uint64_t *in_part)
{
    const struct growth_size *size = lin->growth.row[GROWTH_THREADS].size;
    uint32_t sizes = lin->growth.row[GROWTH_THREADS].sizes;
    uint64_t larger = 0;
    const char *between = "all clients of ";
    for (uint32_t threads = 2; threads <= CLIENT_THREADS; threads++) {
        uint32_t most = 0;
        bool whole = true;
        for (uint32_t i = 0; i < sizes; i++) {
            if (size[i].size.threads != threads || (size[i].all && !size[i].clients)) // there may be none
                continue;
            whole &= is_whole(&size[i]);
            if (whole)
                most = size[i].size.calls;
            else
                larger += size[i].clients, *in_part += size[i].left;
        }
        if (!most)
            continue;
        buffer_add(b, "%s%u threads with up to %u calls", between, threads, most);
        between = " and of ";
    }
    return larger;
}

// "all of up to 6 calls in all, up to 4 of them in threads".
static uint64_t add_before(struct buffer *b, const struct lin *lin, uint64_t *in_part)
{
    const struct growth_size *size = lin->growth.row[GROWTH_BEFORE].size;
    uint32_t sizes = lin->growth.row[GROWTH_BEFORE].sizes, whole = 0, calls = 0;
    uint64_t larger = 0;
    while (whole < sizes && is_whole(&size[whole]))
        whole++;
    uint32_t open = whole < sizes ? size[whole].size.before + size[whole].size.calls : UINT32_MAX, all = 0;
    for (uint32_t i = 0; i < sizes; i++) {
        uint32_t n = size[i].size.before + size[i].size.calls;
        if (n < open) {
            all = n;
            calls = size[i].size.calls > calls ? size[i].size.calls : calls;
        } else {
            larger += size[i].clients, *in_part += size[i].left;
        }
    }
    if (all)
        buffer_add(b, "all of up to %u calls, up to %u of them in threads", all, calls);
    return larger;
}

static void add_larger(struct buffer *b, uint64_t larger, uint64_t in_part)
{
    if (!larger)
        return;
    buffer_add(b, "%s%" PRIu64 " %s", b->length ? ", and " : "", larger, b->length ? "larger ones" : "clients");
    if (in_part)
        buffer_add(b, " (%" PRIu64 " of them only in part)", in_part);
}

void growth_text(FILE *out, const struct lin *lin)
{
    struct buffer threads = {0}, before = {0};
    uint64_t in_part = 0;
    if (!lin->grew)
        return;
    uint64_t larger = add_threads(&threads, lin, &in_part);
    add_larger(&threads, larger, in_part);
    in_part = 0;
    larger = add_before(&before, lin, &in_part);
    add_larger(&before, larger, in_part);
    if (threads.length)
        fprintf(out, "  beyond these bounds, in %.1f s%s%s: %s\n", lin->grow_took, lin->grow_stopped ? ", until " : "",
                lin->grow_stopped ? lin->grow_stopped : "", threads.text);
    if (before.length)
        fprintf(out, "  and after calls that set the object up: %s\n", before.text);
    buffer_free(&threads);
    buffer_free(&before);
}

void growth_text_covered(FILE *out, const struct lin *lin)
{
    if (lin->given || lin->open_calls < 2)
        return;
    uint32_t calls = lin->open_calls - 1;
    fprintf(out, "  covered: all clients of up to %u thread%s with %u call%s each and %u in all\n", lin->bounds.threads,
            lin->bounds.threads == 1 ? "" : "s", lin->bounds.calls, lin->bounds.calls == 1 ? "" : "s", calls);
}

static cJSON *size_json(const struct growth_size *s)
{
    cJSON *json = json_object();
    json_add_number(json, "before", s->size.before);
    json_add_number(json, "threads", s->size.threads);
    json_add_number(json, "calls", s->size.calls);
    json_add_number(json, "clients", (double)s->clients);
    json_add_number(json, "in_part", (double)s->left);
    json_made(cJSON_AddBoolToObject(json, "all", is_whole(s)));
    return json;
}

cJSON *growth_json(const struct lin *lin)
{
    if (!lin->grew)
        return cJSON_CreateNull();
    cJSON *list = json_array();
    for (uint32_t row = 0; row < GROWTH_ROWS; row++)
        for (uint32_t i = 0; i < lin->growth.row[row].sizes; i++)
            json_append(list, size_json(&lin->growth.row[row].size[i]));
    return list;
}
