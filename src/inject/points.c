#include "inject/points.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "report/symbols.h"

// ---- names ----

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static char *name_thread(const struct injection_block *block, uint32_t number)
{
    struct buffer name = {0};
    uint32_t way[64], depth = 0;
    for (; number && number < INJECTION_THREADS && depth < 64; number = block->threads[number].parent)
        way[depth++] = block->threads[number].child;
    if (!depth)
        buffer_add(&name, "main");
    for (uint32_t i = depth; i-- > 0;)
        buffer_add(&name, "%s%s%u", i + 1 == depth ? "" : ".",
                   way[i] & INJECTION_FORKED ? "P"
                   : i + 1 == depth          ? "T"
                                             : "",
                   way[i] & ~INJECTION_FORKED);
    char *copy = alloc_copy(buffer_text(&name));
    buffer_free(&name);
    return copy;
}

// Of functions that were inlined into each other, the innermost first: the program's own, and not one of a header of the system.
// Null: nothing is known.
static const struct symbols_place *programs_own(const struct symbols_place *place, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (place[i].file && place[i].line && strncmp(place[i].file, "/usr/", 5))
            return &place[i];
    return n ? &place[0] : NULL;
}

static void name_place(struct symbols *symbols, const char *module, struct point *p)
{
    struct symbols_place place[8];
    size_t n = symbols ? symbols_places(symbols, p->offset, place, 8) : 0;
    const struct symbols_place *at = programs_own(place, n);
    if (at && at->file && at->line)
        p->place = alloc_format("%s:%d", base_name(at->file), at->line);
    else
        p->place = alloc_format("%s+0x%" PRIx64, base_name(module), p->offset);
    p->function = at && at->function ? alloc_copy(at->function) : NULL;
}

static int by_place(const void *left, const void *right)
{
    const struct point *a = left, *b = right;
    int order = strverscmp(a->place, b->place);
    if (!order)
        order = (int)a->call - (int)b->call;
    if (!order)
        order = a->offset < b->offset ? -1 : a->offset > b->offset;
    return order ? order : strverscmp(a->thread, b->thread);
}

// Several calls of one function in a line are counted: the second is "table.c:40+2".
static void tell_apart(struct points *points)
{
    uint64_t offset = 0;
    uint32_t nth = 0;
    const char *line = "";
    enum injection_call call = INJECTION_CALLS;
    for (size_t i = 0; i < points->count; i++) {
        struct point *p = &points->point[i];
        bool same = !strcmp(line, p->place) && call == p->call;
        nth = !same ? 1 : offset == p->offset ? nth : nth + 1;
        offset = p->offset;
        call = p->call;
        if (!same)
            line = p->place;
        if (nth > 1) {
            char *plain = p->place;
            p->place = alloc_format("%s+%u", plain, nth);
            if (line == plain)
                line = p->place;
            else
                free(plain);
        }
    }
}

// ---- points ----

static void take_modules(struct points *points, const struct injection_block *block)
{
    points->module_count = block->module_count < INJECTION_MODULES ? block->module_count : INJECTION_MODULES;
    for (uint32_t i = 0; i < points->module_count; i++) {
        memcpy(points->modules[i], block->module[i], INJECTION_PATH);
        points->modules[i][INJECTION_PATH - 1] = 0;
    }
}

void points_take(struct points *points, const struct injection_block *block, const char *program)
{
    struct symbols *symbols[INJECTION_MODULES] = {0};
    memset(points, 0, sizeof *points);
    take_modules(points, block);
    for (uint32_t i = 0; i < points->module_count; i++) {
        symbols[i] = symbols_new();
        if (!symbols_add(symbols[i], *points->modules[i] ? points->modules[i] : program, 0)) {
            symbols_free(symbols[i]);
            symbols[i] = NULL;
        }
    }
    for (size_t i = 0; i < INJECTION_SLOTS; i++) {
        const struct injection_site *site = &block->sites[i];
        if (!site->key || !site->ready || site->module >= points->module_count || !site->calls ||
            site->call >= INJECTION_CALLS || site->thread >= INJECTION_THREADS)
            continue;
        points->point = alloc_grow(points->point, points->count, &points->room, sizeof *points->point);
        struct point *p = &points->point[points->count++];
        *p = (struct point){.offset = site->offset,
                            .path = block->threads[site->thread].path,
                            .calls = site->calls,
                            .module = site->module,
                            .call = (enum injection_call)site->call,
                            .thread = name_thread(block, site->thread)};
        name_place(symbols[p->module], *points->modules[p->module] ? points->modules[p->module] : program, p);
    }
    for (uint32_t i = 0; i < points->module_count; i++)
        if (symbols[i])
            symbols_free(symbols[i]);
    if (points->count)
        qsort(points->point, points->count, sizeof *points->point, by_place);
    tell_apart(points);
}

void points_free(struct points *points)
{
    for (size_t i = 0; i < points->count; i++) {
        free(points->point[i].place);
        free(points->point[i].function);
        free(points->point[i].thread);
    }
    free(points->point);
    memset(points, 0, sizeof *points);
}

// ---- faults ----

void fault_name(const struct points *points, const struct fault *fault, struct buffer *name)
{
    const struct point *p = &points->point[fault->point];
    buffer_add(name, "%s@%s#%" PRIu64, injection_calls[p->call], p->place, fault->number);
    if (strcmp(p->thread, "main"))
        buffer_add(name, "@%s", p->thread);
    buffer_add(name, "=%s", injection_ways[fault->way].name);
    if (injection_ways[fault->way].takes_bit)
        buffer_add(name, ".%u", fault->bit);
}

// Reads "=flip.5" into the fault; false if it is no such thing.
static bool read_way(const char *text, struct fault *fault)
{
    for (int way = 1; way < INJECTION_WAYS; way++) {
        const struct injection_way_info *info = &injection_ways[way];
        size_t length = strlen(info->name);
        char *end = NULL;
        if (strncmp(text, info->name, length))
            continue;
        if (info->takes_bit ? text[length] != '.' : text[length] != 0)
            continue;
        fault->way = (enum injection_way)way;
        fault->bit = info->takes_bit ? (uint32_t)strtoul(text + length + 1, &end, 10) : 0;
        return !info->takes_bit || (end != text + length + 1 && !*end && fault->bit < 128);
    }
    return false;
}

static bool finds_group(const struct points *points, uint32_t groups, struct fault *fault)
{
    for (int group = 0; group < INJECTION_GROUPS; group++) {
        fault->group = (enum injection_group)group;
        if (groups >> group & 1 && injection_fits(points->point[fault->point].call, fault->group, fault->way))
            return true;
    }
    return false;
}

const char *fault_find(const struct points *points, const char *name, uint32_t groups, struct fault *fault)
{
    const char *equals = strrchr(name, '='), *hash = strrchr(name, '#');
    if (!equals || !hash || hash > equals || !read_way(equals + 1, fault))
        return "a fault is named like malloc@table.c:40#3=ENOMEM";
    char *end;
    fault->number = strtoull(hash + 1, &end, 10);
    if (end == hash + 1 || !fault->number || (*end != '@' && end != equals))
        return "behind # stands the number of the call, from 1 on";
    const char *thread = *end == '@' ? end + 1 : "main";
    size_t thread_length = *end == '@' ? (size_t)(equals - thread) : 4;
    for (size_t i = 0; i < points->count; i++) {
        const struct point *p = &points->point[i];
        struct buffer point = {0};
        buffer_add(&point, "%s@%s", injection_calls[p->call], p->place);
        bool same = point.length == (size_t)(hash - name) && !strncmp(point.text, name, point.length) &&
                    strlen(p->thread) == thread_length && !strncmp(p->thread, thread, thread_length);
        buffer_free(&point);
        if (!same)
            continue;
        fault->point = (uint32_t)i;
        return finds_group(points, groups, fault) ? NULL : "such a call does not fail in this way";
    }
    return "the program makes no such call when it runs without faults";
}

void fault_plan(const struct points *points, const struct fault *fault, struct injection_plan *plan)
{
    const struct point *p = &points->point[fault->point];
    memset(plan, 0, sizeof *plan);
    plan->offset = p->offset;
    memcpy(plan->module, points->modules[p->module], INJECTION_PATH);
    plan->path = p->path;
    plan->call = p->call;
    plan->way = fault->way;
    plan->bit = fault->bit;
    plan->number = fault->number;
}
