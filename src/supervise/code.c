#include "supervise/code.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "model/runs.h"
#include "report/symbols.h"

enum { CHAIN = 16, SLOTS = 1 << 16 };

// What is known about a return address.
struct spot {
    uint64_t address;      // 0: the slot is free
    uint32_t first, count; // of `places`, outermost first
};

struct code {
    struct symbols *symbols;
    struct code_function *functions;
    size_t function_count, function_room;
    struct spot spot[SLOTS];
    uint32_t spots;
    struct cause_place *places; // their frame is not filled in
    size_t place_count, place_room;
};

struct code *code_open(const char *program)
{
    struct code *code = alloc_zeroed(1, sizeof *code);
    code->symbols = symbols_new();
    if (symbols_add(code->symbols, program, 0))
        return code;
    code_close(code);
    return NULL;
}

void code_close(struct code *code)
{
    if (!code)
        return;
    symbols_free(code->symbols);
    free(code->functions);
    free(code->places);
    free(code);
}

const struct code_function *code_function(const struct code *code, uint32_t function)
{
    return &code->functions[function];
}

// ---- places ----

static uint32_t function_number(struct code *code, const char *file, const char *name)
{
    for (size_t i = 0; i < code->function_count; i++)
        if (!strcmp(code->functions[i].name, name) && !strcmp(code->functions[i].file, file))
            return (uint32_t)i;
    code->functions = alloc_grow(code->functions, code->function_count, &code->function_room, sizeof *code->functions);
    code->functions[code->function_count] = (struct code_function){.file = file, .name = name};
    return (uint32_t)code->function_count++;
}

static void find_places(struct code *code, struct spot *spot)
{
    struct symbols_place chain[CHAIN];
    size_t n = symbols_places(code->symbols, spot->address, chain, CHAIN);
    spot->first = (uint32_t)code->place_count;
    for (size_t i = n; i-- > 0;) {
        if (!chain[i].function || !chain[i].file || chain[i].line <= 0)
            continue;
        code->places = alloc_grow(code->places, code->place_count, &code->place_room, sizeof *code->places);
        uint32_t function = function_number(code, chain[i].file, chain[i].function);
        code->functions[function].inlined |= i + 1 < n;
        code->places[code->place_count++] = (struct cause_place){.function = function, .line = (uint32_t)chain[i].line};
        spot->count++;
    }
}

// Null if there are too many different ones.
static const struct spot *spot_at(struct code *code, uint64_t address)
{
    uint32_t at = (uint32_t)(address * 0x9e3779b97f4a7c15u >> 40) % SLOTS;
    while (code->spot[at].address && code->spot[at].address != address)
        at = (at + 1) % SLOTS;
    if (code->spot[at].address)
        return &code->spot[at];
    if (++code->spots > SLOTS / 2)
        return NULL;
    code->spot[at].address = address;
    find_places(code, &code->spot[at]);
    return &code->spot[at];
}

// ---- runs ----

struct reader {
    const uint8_t *at, *end;
};

static const void *code_take(struct reader *r, size_t size)
{
    const void *part = r->at;
    if ((size_t)(r->end - r->at) < size)
        return NULL;
    r->at += size;
    return part;
}

static void note_lines(struct code *code, const uint64_t *frame, uint32_t frames)
{
    for (uint32_t f = 0; f < frames; f++) {
        const struct spot *spot = spot_at(code, frame[f]);
        for (uint32_t n = 0; spot && n < spot->count; n++) {
            const struct cause_place *p = &code->places[spot->first + n];
            struct code_function *function = &code->functions[p->function];
            function->several |= function->line && function->line != p->line;
            function->line = p->line;
        }
    }
}

// A helper that was inlined and does one thing ("load") has no lines that could be a block: its caller's line is the place.
static bool is_helper(const struct code *code, const struct cause_place *p)
{
    return code->functions[p->function].inlined && !code->functions[p->function].several;
}

static void place_events(struct code *code, const struct run_event *event, const uint64_t *frame, struct cause_run *run)
{
    size_t count = 0, room = 0;
    struct cause_place *place = NULL;
    for (uint32_t i = 0; i < run->graph.events; i++) {
        run->site[i].first = (uint32_t)count;
        run->site[i].kept = event[i].kept;
        for (uint32_t f = 0; f < event[i].frames; f++, frame++) {
            const struct spot *spot = spot_at(code, *frame);
            for (uint32_t n = 0; spot && n < spot->count; n++) {
                if (is_helper(code, &code->places[spot->first + n]))
                    continue;
                place = alloc_grow(place, count, &room, sizeof *place);
                place[count] = code->places[spot->first + n];
                place[count].address = *frame;
                place[count++].frame = f;
            }
        }
        run->site[i].count = (uint32_t)count - run->site[i].first;
    }
    run->place = place;
}

static bool few_actors(const struct run_event *event, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (event[i].actor >= SEGMENT_ACTORS)
            return false;
    return true;
}

// A run as it was written.
struct raw_run {
    const struct run_header *header;
    const struct run_event *event;
    const struct run_edge *edge;
    const uint64_t *frames;
};

static bool take_run(struct reader *r, struct raw_run *raw)
{
    raw->header = code_take(r, sizeof *raw->header);
    if (!raw->header || raw->header->magic != RUN_MAGIC)
        return false;
    raw->event = code_take(r, raw->header->events * sizeof *raw->event);
    raw->edge = code_take(r, raw->header->edges * sizeof *raw->edge);
    raw->frames = code_take(r, raw->header->frames * sizeof *raw->frames);
    return raw->event && raw->edge && raw->frames;
}

static bool read_run(struct code *code, struct reader *r, uint32_t client, struct code_runs *runs)
{
    struct raw_run raw;
    if (!take_run(r, &raw))
        return false;
    const struct run_header *h = raw.header;
    const struct run_event *from = raw.event;
    const struct run_edge *edges = raw.edge;
    const uint64_t *frames = raw.frames;
    if (!few_actors(from, h->events))
        return true;
    struct segment_event *event = alloc_zeroed(h->events + 1, sizeof *event);
    struct segment_edge *edge = alloc_zeroed(h->edges + 1, sizeof *edge);
    for (uint32_t i = 0; i < h->events; i++)
        event[i] = (struct segment_event){from[i].actor, from[i].call};
    for (uint32_t i = 0; i < h->edges; i++)
        edge[i] = (struct segment_edge){edges[i].from, edges[i].to};
    struct cause_run run = {.graph = {event, h->events, edge, h->edges},
                            .site = alloc_zeroed(h->events + 1, sizeof *run.site),
                            .bad = h->bad,
                            .client = client + h->client};
    place_events(code, from, frames, &run);
    runs->run = alloc_grow(runs->run, runs->count, &runs->room, sizeof *runs->run);
    runs->run[runs->count++] = run;
    return true;
}

_Static_assert((int)SEGMENT_NO_CALL == (int)RUN_NO_CALL, "read_run");

void code_read_runs(struct code *code, int fd, uint32_t client, struct code_runs *runs)
{
    struct stat file;
    if (fstat(fd, &file) || !file.st_size)
        return;
    void *bytes = mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED)
        return;
    struct reader r = {bytes, (const uint8_t *)bytes + file.st_size}, look = r;
    for (struct raw_run raw; take_run(&look, &raw);)
        note_lines(code, raw.frames, raw.header->frames);
    while (read_run(code, &r, client, runs))
        ;
    munmap(bytes, (size_t)file.st_size);
}

void code_free_runs(struct code_runs *runs)
{
    for (size_t i = 0; i < runs->count; i++) {
        free((void *)(uintptr_t)runs->run[i].graph.event);
        free((void *)(uintptr_t)runs->run[i].graph.edge);
        free(runs->run[i].site);
        free(runs->run[i].place);
    }
    free(runs->run);
    *runs = (struct code_runs){0};
}

// ---- ranges ----

struct range_finder {
    struct code *code;
    const struct cause_repair *repair;
    struct block_job *blocks;
    bool full;
};

static void add_range(struct range_finder *f, uint64_t start, uint64_t end, uint32_t block, uint32_t line)
{
    struct block_job *blocks = f->blocks;
    if (blocks->ranges == BLOCK_RANGES) {
        f->full = true;
        return;
    }
    blocks->range[blocks->ranges++] = (struct block_range){
        .start = start, .end = end, .block = (uint16_t)block, .loops = f->repair->block[block].loops, .line = line};
}

static void look_at_line(void *context, uint64_t start, uint64_t end)
{
    struct range_finder *f = context;
    const struct spot *spot = spot_at(f->code, start + 1);
    for (uint32_t n = 0; spot && n < spot->count; n++) {
        const struct cause_place *p = &f->code->places[spot->first + n];
        for (uint32_t b = 0; b < f->repair->count; b++) {
            const struct cause_block *block = &f->repair->block[b];
            if (p->function == block->function && block->from <= p->line && p->line <= block->to) {
                add_range(f, start, end, b, p->line);
                return;
            }
        }
    }
}

static int by_start(const void *a, const void *b)
{
    const struct block_range *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

bool code_ranges(struct code *code, const struct cause_repair *repair, struct block_job *blocks)
{
    struct range_finder f = {code, repair, blocks, false};
    blocks->ranges = 0;
    symbols_lines(code->symbols, look_at_line, &f);
    qsort(blocks->range, blocks->ranges, sizeof *blocks->range, by_start);
    return !f.full && blocks->ranges;
}
