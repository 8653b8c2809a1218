#include "report/trace_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"

enum {
    MOST_FRAMES = 1 << 16,
    MOST_OVERLAPS = 64, // blocks that reuse the memory of one address; older ones are not looked for
};

static bool read_all(const char *path, struct buffer *bytes, char *error, size_t room)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        snprintf(error, room, "%s: %s", path, strerror(errno));
        return false;
    }
    char chunk[1 << 16];
    size_t got;
    while ((got = fread(chunk, 1, sizeof chunk, file)) > 0)
        buffer_append(bytes, chunk, got);
    bool good = !ferror(file);
    fclose(file);
    if (!good)
        snprintf(error, room, "%s: cannot be read", path);
    return good;
}

static bool plausible(const struct trace_record *r)
{
    if (r->type < TRACE_MODULE || r->type > TRACE_NAME || r->frames > MOST_FRAMES)
        return false;
    if (r->type == TRACE_MODULE)
        return true;
    if (r->actor >= MAX_ACTORS)
        return false;
    switch (r->type) {
    case TRACE_EVENT:
        return r->kind < OP_KINDS && r->effect <= EFFECT_ALL;
    case TRACE_SILENT: {
        bool names_actor = r->kind == SILENT_CREATE || r->kind == SILENT_JOINED || r->kind == SILENT_WOKEN;
        if (r->kind == SILENT_BLOCKED)
            return r->value < OP_KINDS;
        return r->kind >= SILENT_CREATE && r->kind < SILENT_BLOCKED && (!names_actor || r->value < MAX_ACTORS);
    }
    case TRACE_BUG:
        return r->kind < BUG_KINDS;
    case TRACE_FRAME:
        return r->frames == 1;
    default:
        return true;
    }
}

struct totals {
    size_t records, frames, text;
    size_t stack_frames; // of the records
};

// Checks the whole file and counts what is in it, so that filling in cannot fail.
static bool measure(const char *path, const struct buffer *bytes, struct totals *sum, char *error, size_t room)
{
    size_t at = 0;
    while (at < bytes->length) {
        struct trace_record r;
        size_t left = bytes->length - at;
        if (left < sizeof r && sum->records)
            break;
        if (left >= sizeof r)
            memcpy(&r, bytes->text + at, sizeof r);
        if (left < sizeof r || !plausible(&r)) {
            snprintf(error, room, sum->records ? "%s: damaged at record %zu" : "%s: not a recorded run of heddle", path,
                     sum->records);
            return false;
        }
        size_t length = sizeof r + r.frames * sizeof(uint64_t) + r.text;
        if (length > left)
            break;
        sum->records++;
        sum->stack_frames += r.type == TRACE_FRAME;
        sum->frames += r.frames;
        sum->text += (size_t)r.text + 1;
        at += length;
    }
    if (at == bytes->length && sum->records)
        return true;
    snprintf(error, room, bytes->length ? "%s: cut short after %zu records" : "%s: an empty file", path, sum->records);
    return false;
}

static void fill_entry(struct trace_entry *e, const char *bytes, uint64_t *frames, char *text)
{
    memcpy(&e->record, bytes, sizeof e->record);
    bytes += sizeof e->record;
    memcpy(frames, bytes, e->record.frames * sizeof *frames);
    memcpy(text, bytes + e->record.frames * sizeof *frames, e->record.text); // zeroed: terminates it
    e->frames = frames;
    e->text = text;
}

static struct trace_frame frame_of(const struct trace_entry *e, size_t entry)
{
    const struct trace_record *r = &e->record;
    return (struct trace_frame){.entry = entry,
                                .actor = r->actor,
                                .pc = r->pc,
                                .sp = r->address,
                                .fp = r->value,
                                .at = e->frames[0],
                                .low = r->address - r->size,
                                .end = r->result};
}

static void fill(struct trace *t, const char *bytes, size_t records)
{
    uint64_t *frames = t->frames;
    char *text = t->text;
    for (size_t i = 0; i < records; i++) {
        struct trace_entry e;
        fill_entry(&e, bytes, frames, text);
        frames += e.record.frames;
        text += (size_t)e.record.text + 1;
        bytes += sizeof e.record + e.record.frames * sizeof *frames + e.record.text;
        if (e.record.type == TRACE_FRAME) {
            t->stack_frames[t->stack_frame_count] = frame_of(&e, t->count);
            frame_index_add(&t->frame_index, t->stack_frames, t->stack_frame_count++);
        } else if (e.record.type == TRACE_NAME)
            t->actors[e.record.actor].name = e.text;
        else
            t->entries[t->count++] = e;
        if (e.record.type == TRACE_SILENT &&
            e.record.kind == SILENT_CREATE) // it may have the number of one that has ended
            t->actors[e.record.value].name = NULL;
    }
}

static bool is_silent(const struct trace_entry *e, enum trace_silent kind)
{
    return e->record.type == TRACE_SILENT && e->record.kind == kind;
}

static void index_actors(struct trace *t)
{
    uint32_t children[MAX_ACTORS] = {0};
    for (size_t i = 0; i < MAX_ACTORS; i++)
        t->actors[i] = (struct trace_actor){.name = t->actors[i].name, .created = NO_ENTRY, .ended = NO_ENTRY};
    t->actors[0].known = true;
    for (size_t i = 0; i < t->count; i++) {
        const struct trace_record *r = &t->entries[i].record;
        if (is_silent(&t->entries[i], SILENT_END))
            t->actors[r->actor].ended = i;
        if (is_silent(&t->entries[i], SILENT_MAIN)) // the program begins anew, as before each client
            memset(children, 0, sizeof children);
        if (!is_silent(&t->entries[i], SILENT_CREATE) || r->value == 0)
            continue;
        struct trace_actor *child = &t->actors[r->value];
        child->known = true;
        child->parent = r->actor;
        child->number = children[r->actor]++;
        child->handle = r->address;
        child->created = i;
    }
}

static int by_address(const void *a, const void *b)
{
    const struct trace_block *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return (x->allocated > y->allocated) - (x->allocated < y->allocated);
}

// The number of blocks that start at or below the address.
static size_t blocks_below(const struct trace *t, uint64_t address)
{
    size_t low = 0, high = t->block_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->blocks[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct trace_block *living_block(struct trace *t, uint64_t address, size_t entry)
{
    for (size_t i = blocks_below(t, address); i > 0 && t->blocks[i - 1].address == address; i--)
        if (t->blocks[i - 1].allocated < entry && t->blocks[i - 1].freed == NO_ENTRY)
            return &t->blocks[i - 1];
    return NULL;
}

// Of memory that was mapped any part may be unmapped; the first such part counts.
static struct trace_block *mapped_block(struct trace *t, uint64_t address, size_t entry)
{
    struct trace_block *block = NULL;
    for (size_t i = blocks_below(t, address); i > 0 && !block; i--)
        if (t->blocks[i - 1].allocated < entry && address - t->blocks[i - 1].address < t->blocks[i - 1].size)
            block = &t->blocks[i - 1];
    return block && block->freed == NO_ENTRY ? block : NULL;
}

static void index_blocks(struct trace *t)
{
    size_t room = 0;
    for (size_t i = 0; i < t->count; i++) {
        const struct trace_record *r = &t->entries[i].record;
        bool made = is_silent(&t->entries[i], SILENT_ALLOC) || is_silent(&t->entries[i], SILENT_MAP);
        if (!made || r->address == 0)
            continue;
        t->blocks = alloc_grow(t->blocks, t->block_count, &room, sizeof *t->blocks);
        t->blocks[t->block_count++] = (struct trace_block){r->address, r->size, i, NO_ENTRY};
    }
    if (t->block_count)
        qsort(t->blocks, t->block_count, sizeof *t->blocks, by_address);
    for (size_t i = 0; i < t->count; i++) {
        struct trace_block *block = NULL;
        if (is_silent(&t->entries[i], SILENT_FREE))
            block = living_block(t, t->entries[i].record.address, i);
        else if (is_silent(&t->entries[i], SILENT_UNMAP))
            block = mapped_block(t, t->entries[i].record.address, i);
        if (block)
            block->freed = i;
    }
}

static void index_regions(struct trace *t)
{
    size_t room = 0;
    for (size_t i = 0; i < t->count; i++) {
        if (!is_silent(&t->entries[i], SILENT_OUTLINED))
            continue;
        t->regions = alloc_grow(t->regions, t->region_count, &room, sizeof *t->regions);
        t->regions[t->region_count++] = i;
    }
}

struct trace *trace_load(const char *path, char *error, size_t room)
{
    struct buffer bytes = {0};
    struct totals sum = {0};
    struct trace *t = NULL;
    if (read_all(path, &bytes, error, room) && measure(path, &bytes, &sum, error, room)) {
        t = alloc_zeroed(1, sizeof *t);
        t->entries = alloc_zeroed(sum.records - sum.stack_frames, sizeof *t->entries);
        t->stack_frames = alloc_zeroed(sum.stack_frames, sizeof *t->stack_frames);
        t->frames = alloc_zeroed(sum.frames, sizeof *t->frames);
        t->text = alloc_zeroed(sum.text, 1);
        fill(t, bytes.text, sum.records);
        index_actors(t);
        index_blocks(t);
        index_regions(t);
    }
    buffer_free(&bytes);
    return t;
}

void trace_free(struct trace *t)
{
    if (!t)
        return;
    free(t->entries);
    free(t->blocks);
    free(t->regions);
    free(t->stack_frames);
    frame_index_free(&t->frame_index);
    free(t->frames);
    free(t->text);
    free(t);
}

bool trace_is_access(const struct trace_entry *e)
{
    if (e->record.type == TRACE_READ || e->record.type == TRACE_WRITE)
        return true;
    return e->record.type == TRACE_EVENT && op_table[e->record.kind].access;
}

bool trace_uses(const struct trace_entry *e)
{
    const struct trace_record *r = &e->record;
    if (r->type == TRACE_SILENT)
        return r->kind == SILENT_UNLOCK;
    return r->type == TRACE_EVENT && op_table[r->kind].synchronises;
}

bool trace_releases(const struct trace_entry *e)
{
    return e->record.type == TRACE_SILENT && (e->record.kind == SILENT_FREE || e->record.kind == SILENT_UNMAP);
}

bool trace_writes(const struct trace_entry *e)
{
    if (e->record.type == TRACE_EVENT && trace_is_access(e))
        return e->record.effect == EFFECT_WRITE;
    return e->record.type == TRACE_WRITE;
}

bool trace_is_scheduled(const struct trace *t, size_t entry)
{
    const struct trace_record *r = &t->entries[entry].record;
    if (r->type != TRACE_EVENT || r->event == NO_EVENT)
        return false;
    for (size_t i = entry; i-- > 0 && t->entries[i].record.event == r->event;)
        if (t->entries[i].record.type == TRACE_EVENT)
            return false;
    return true;
}

bool trace_touches(const struct trace_entry *e, uint64_t address, uint64_t size)
{
    uint64_t length = e->record.size ? e->record.size : 1;
    return e->record.address < address + (size ? size : 1) && address < e->record.address + length;
}

// Whether the result may have been looked up before the write happened.
static bool recorded_early(const struct trace *t, size_t entry)
{
    const struct trace_record *r = &t->entries[entry].record;
    if (r->type == TRACE_EVENT)
        return op_writes(r->kind) && op_table[r->kind].access != ACCESS_ATOMIC;
    // a plain write is recorded together with what comes next, and that may be the report that it is wrong
    return r->result == r->value && entry + 1 < t->count && t->entries[entry + 1].record.type == TRACE_BUG;
}

bool trace_written(const struct trace *t, size_t entry, uint64_t *value)
{
    const struct trace_record *r = &t->entries[entry].record;
    if (!trace_writes(&t->entries[entry]) || r->size == 0 || r->size > 8)
        return false;
    if (!recorded_early(t, entry)) {
        *value = r->result;
        return true;
    }
    for (size_t i = entry + 1; i < t->count; i++) {
        const struct trace_entry *e = &t->entries[i];
        if (!trace_is_access(e) || !trace_touches(e, r->address, r->size))
            continue;
        if (e->record.address != r->address || e->record.size != r->size)
            break;
        *value = e->record.value;
        return true;
    }
    return false;
}

static bool reports(const struct trace_record *r, const struct bug *bug, int exactness)
{
    if (r->type != TRACE_BUG || r->kind != bug->kind)
        return false;
    if (exactness > 0 && r->actor != bug->actor)
        return false;
    return exactness < 2 || (r->address == bug->address && r->size == bug->size && r->pc == bug->pc);
}

size_t trace_failure(const struct trace *t, const struct bug *bug)
{
    for (int exactness = 2; exactness >= 0; exactness--)
        for (size_t i = 0; i < t->count; i++)
            if (reports(&t->entries[i].record, bug, exactness))
                return i;
    return NO_ENTRY;
}

static bool same_access(const struct trace_entry *e, const struct trace_record *failure)
{
    return (trace_is_access(e) || trace_uses(e)) && trace_touches(e, failure->address, failure->size) &&
           (failure->pc == 0 || e->record.pc == failure->pc);
}

static bool releases(const struct trace *t, size_t entry, uint64_t address)
{
    if (!trace_releases(&t->entries[entry]))
        return false;
    const struct trace_block *block = trace_block_at(t, address, entry);
    return block && block->freed == entry;
}

// Releasing a block is recorded just before the race with those who still use it.
static bool released_just_before(const struct trace *t, size_t failure)
{
    const struct trace_record *bug = &t->entries[failure].record;
    return failure > 0 && bug_traits(bug->kind)->shape == BUG_OF_TWO_ACCESSES &&
           t->entries[failure - 1].record.actor == bug->actor && releases(t, failure - 1, bug->address);
}

size_t trace_failing_access(const struct trace *t, size_t failure)
{
    if (released_just_before(t, failure))
        return failure - 1;
    const struct trace_record *bug = &t->entries[failure].record;
    for (size_t i = failure + 1; i < t->count; i++) {
        if (t->entries[i].record.actor != bug->actor || t->entries[i].record.type == TRACE_BUG)
            continue;
        if (same_access(&t->entries[i], bug))
            return i;
        break;
    }
    for (size_t i = failure; i-- > 0;) {
        const struct trace_entry *e = &t->entries[i];
        if (e->record.actor == bug->actor && same_access(e, bug))
            return i;
    }
    return NO_ENTRY;
}

static bool is_atomic(const struct trace_entry *e)
{
    enum op_access access = e->record.type == TRACE_EVENT ? op_table[e->record.kind].access : ACCESS_NONE;
    return access == ACCESS_ATOMIC || access == ACCESS_VOLATILE;
}

size_t trace_first_access(const struct trace *t, size_t second, uint32_t other, uint64_t address, uint64_t size,
                          bool second_writes)
{
    bool second_atomic = second < t->count && is_atomic(&t->entries[second]);
    for (size_t i = second < t->count ? second : t->count; i-- > 0;) {
        const struct trace_entry *e = &t->entries[i];
        if (e->record.actor != other || (second_atomic && is_atomic(e)))
            continue;
        if (releases(t, i, address))
            return i;
        if ((trace_is_access(e) || trace_uses(e)) && trace_touches(e, address, size) &&
            (second_writes || trace_writes(e)))
            return i;
    }
    return NO_ENTRY;
}

bool trace_succeeds(const struct trace_record *r)
{
    switch (op_table[r->kind].answer) {
    case ANSWER_SWAPPED:
        return r->effect == EFFECT_WRITE;
    case ANSWER_TAKEN:
        return r->effect == EFFECT_WRITE || r->result == 1;
    case ANSWER_BUSY:
        return !r->result;
    case ANSWER_YES:
        return r->result;
    default:
        return true;
    }
}

static bool obtains(const struct trace_record *r)
{
    enum op_lock lock = r->type == TRACE_EVENT ? op_table[r->kind].lock : LOCK_NOTHING;
    return (lock == LOCK_ALONE || lock == LOCK_SHARED) && trace_succeeds(r);
}

static bool lets_go(const struct trace_record *r)
{
    return (r->type == TRACE_EVENT && op_table[r->kind].lock == LOCK_LET_GO) ||
           (r->type == TRACE_SILENT && r->kind == SILENT_UNLOCK);
}

enum { MOST_LOCKS = 256 };

static void take(struct trace_lock *held, size_t *count, uint64_t address, size_t entry)
{
    for (size_t i = 0; i < *count; i++) {
        if (held[i].address == address) {
            held[i].depth++;
            return;
        }
    }
    if (*count < MOST_LOCKS)
        held[(*count)++] = (struct trace_lock){address, entry, 1};
}

static void drop(struct trace_lock *held, size_t *count, uint64_t address)
{
    for (size_t i = 0; i < *count; i++) {
        if (held[i].address != address || --held[i].depth > 0)
            continue;
        memmove(held + i, held + i + 1, (*count - i - 1) * sizeof *held);
        (*count)--;
        return;
    }
}

size_t trace_locks(const struct trace *t, uint32_t actor, size_t entry, struct trace_lock *locks, size_t room)
{
    struct trace_lock held[MOST_LOCKS] = {0};
    size_t count = 0;
    for (size_t i = 0; i < t->count && i < entry; i++) {
        const struct trace_record *r = &t->entries[i].record;
        if (r->actor != actor)
            continue;
        if (obtains(r))
            take(held, &count, r->address, i);
        else if (lets_go(r)) // a wait lets go of its mutex by a record of its own
            drop(held, &count, r->address);
    }
    memcpy(locks, held, (count < room ? count : room) * sizeof *locks);
    return count;
}

uint32_t trace_holder(const struct trace *t, uint64_t lock, size_t entry, size_t *taken)
{
    for (uint32_t actor = 0; actor < MAX_ACTORS; actor++) {
        if (!t->actors[actor].known)
            continue;
        struct trace_lock held[MOST_LOCKS];
        size_t count = trace_locks(t, actor, entry, held, MOST_LOCKS);
        for (size_t i = 0; i < count; i++) {
            if (held[i].address != lock)
                continue;
            *taken = held[i].taken;
            return actor;
        }
    }
    *taken = NO_ENTRY;
    return MAX_ACTORS;
}

const struct trace_block *trace_block_at(const struct trace *t, uint64_t address, size_t entry)
{
    enum { BEHIND = 16 }; // bytes behind a block that belong to no other (memory/heap.c)
    const struct trace_block *reached = NULL;
    size_t i = blocks_below(t, address);
    for (int tries = 0; i > 0 && tries < MOST_OVERLAPS; i--, tries++) {
        const struct trace_block *block = &t->blocks[i - 1];
        uint64_t offset = address - block->address;
        if (block->allocated > entry)
            continue;
        if (offset < (block->size ? block->size : 1))
            return block;
        if (!reached && offset - block->size < BEHIND)
            reached = block;
    }
    return reached;
}

const struct trace_frame *trace_frame_at(const struct trace *t, uint64_t address, size_t entry)
{
    return frame_index_find(&t->frame_index, t->stack_frames, address, entry);
}
