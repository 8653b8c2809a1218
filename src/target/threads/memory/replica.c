#define _GNU_SOURCE
#include "target/threads/memory/replica.h"

#include <link.h>
#include <sys/mman.h>

#include "base/fail.h"
#include "base/mem.h"
#include "target/threads/memory/arena.h"
#include "target/threads/pthread/pthread_room.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/memory/image.h"
#include "target/threads/library/library_room.h"
#include "target/threads/memory/maps.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/memory/tls.h"
#include "target/threads/memory/heap.h"

enum { SPANS = 1 << 16, BLOCKS = 16, WORD = 8, PAGE = 4096 };

#define ROOM (1ull << 36) // of address space: pages cost nothing until they are touched

struct span {
    const uint8_t *start;
    size_t size, at; // its copy stands there
    uint32_t area, owner;
};

struct record { // of a thread
    uint32_t state, kind, object;
    const void *pc, *sp, *heap_next;
    uint64_t now, random;
};

struct held { // a lock or the like
    uint32_t state, owner, depth;
    uint64_t waiters[MAX_ACTORS / 64];
};

struct replica {
    struct span span[SPANS];
    size_t spans, size;
    uint8_t *bytes;
    struct record record[MAX_ACTORS];
    uint32_t records;
    struct held *object;
    uint32_t objects;
};

struct replica *replica_new(void)
{
    struct replica *s = mem_reserve(sizeof *s);
    s->bytes = mem_reserve(ROOM);
    s->object = mem_reserve(PLACES * sizeof *s->object);
    return s;
}

// ---- thread-local variables of the program and its own libraries ----

static struct {
    size_t below, size; // from the thread pointer
} blocks[BLOCKS];
static int block_count = -1;

static int add_block(struct dl_phdr_info *info, size_t size, void *none)
{
    (void)size;
    (void)none;
    const uint8_t *pointer = __builtin_thread_pointer(), *data = info->dlpi_tls_data;
    if (!data || data >= pointer || imports_is_system(info->dlpi_name))
        return 0;
    for (int i = 0; i < info->dlpi_phnum && block_count < BLOCKS; i++)
        if (info->dlpi_phdr[i].p_type == PT_TLS) {
            blocks[block_count].below = (size_t)(pointer - data);
            blocks[block_count++].size = info->dlpi_phdr[i].p_memsz;
        }
    return 0;
}

static void find_blocks(void)
{
    if (block_count >= 0)
        return;
    block_count = 0;
    if (engine.swap_tls)
        dl_iterate_phdr(add_block, NULL);
}

// ---- which memory there is ----

static void add_span(struct replica *s, const void *start, size_t size, enum missed_area area, uint32_t owner)
{
    if (!size)
        return;
    require(s->spans < SPANS && s->size + size <= ROOM);
    s->span[s->spans++] = (struct span){start, size, s->size, area, owner};
    s->size += size;
}

// Pages that follow one another are one span. Beyond a great many spans the rest is not looked at.
static void add_page(uint64_t address, void *replica)
{
    enum { MOST = SPANS - IMAGE_PIECES - 8 * MAX_ACTORS };
    struct replica *s = replica;
    struct span *last = s->spans ? &s->span[s->spans - 1] : NULL;
    uint64_t low, top;
    if (contexts_ever(address, address + PAGE, &low, &top))
        return;
    if (last && last->area == MISSED_MAP && (uint64_t)(uintptr_t)last->start + last->size == address) {
        last->size += PAGE;
        s->size += PAGE;
    } else if (s->spans < MOST) {
        add_span(s, (const void *)(uintptr_t)address, PAGE, MISSED_MAP, 0);
    }
}

static bool is_readable(const struct map *m)
{
    return m && !m->gone && m->access & PROT_READ;
}

static void add_maps(struct replica *s)
{
    const struct map *m = maps_count ? maps_above(0) : NULL;
    for (; m; m = maps_above(m->end))
        if (is_readable(m))
            maps_each_page(m->start, m->end, add_page, s);
}

static bool is_readable_still(const struct span *span)
{
    uint64_t at = (uint64_t)(uintptr_t)span->start, end = at + span->size;
    const struct map *m = maps_count ? maps_above(at) : NULL;
    for (; is_readable(m) && m->start <= at && m->end < end; m = maps_above(at))
        at = m->end;
    return is_readable(m) && m->start <= at;
}

// Memory in which the program may have made stacks for contexts: these are left out.
static void add_around_stacks(struct replica *s, const void *start, size_t size, enum missed_area area, uint32_t owner)
{
    uint64_t from = (uint64_t)(uintptr_t)start, until = from + size, low, top;
    for (; contexts_ever(from, until, &low, &top); from = top)
        add_span(s, (const void *)(uintptr_t)from, low - from, area, owner);
    add_span(s, (const void *)(uintptr_t)from, until - from, area, owner);
}

static void add_piece(void *replica, const void *start, size_t size)
{
    add_around_stacks(replica, start, size, MISSED_DATA, 0);
}

static bool has_stack(uint32_t actor)
{
    uint32_t state = engine.exec.actors[actor].state;
    return state == ACTOR_PARKED || state == ACTOR_WAITING;
}

// Where the program's own frames begin: a parked thread is in a call of heddle's, which returns to the place it asked from. What is
// below that is heddle's own, and may hold what registers had in them.
static const uint8_t *program_frames(const struct thread *t)
{
    const uint8_t *low = t->sp;
    for (const uint8_t *at = low; at + sizeof(void *) <= t->stack_top; at += sizeof(void *))
        if (*(const void *const *)at == t->request.pc)
            return at;
    return low;
}

static void add_thread(struct replica *s, uint32_t actor)
{
    const struct thread *t = &engine.threads[actor];
    const uint8_t *pointer = t->thread_pointer;
    add_around_stacks(s, arena_heap(actor), (size_t)(t->heap_next - arena_heap(actor)), MISSED_HEAP, actor);
    if (!has_stack(actor))
        return;
    const uint8_t *low = program_frames(t);
    add_span(s, low, (size_t)(t->stack_top - low), MISSED_STACK, actor);
    for (int i = 0; i < block_count; i++)
        add_span(s, pointer - blocks[i].below, blocks[i].size, MISSED_THREAD, actor);
}

static void list_spans(struct replica *s)
{
    s->spans = s->size = 0;
    add_maps(s);
    image_visit(add_piece, s);
    for (uint32_t actor = 0; actor < engine.exec.known; actor++)
        if (engine.exec.actors[actor].state != ACTOR_ABSENT)
            add_thread(s, actor);
}

// ---- what heddle keeps ----

static struct record record_of(uint32_t actor)
{
    const struct thread *t = &engine.threads[actor];
    struct record r = {.state = engine.exec.actors[actor].state};
    if (r.state == ACTOR_ABSENT)
        return r;
    r.heap_next = t->heap_next;
    r.now = t->now;
    r.random = t->random;
    if (!has_stack(actor))
        return r;
    r.kind = t->request.kind;
    r.object = t->request.object;
    r.pc = t->request.pc;
    r.sp = t->sp;
    return r;
}

static bool same_record(const struct record *a, const struct record *b)
{
    return a->state == b->state && a->kind == b->kind && a->object == b->object && a->pc == b->pc && a->sp == b->sp &&
           a->heap_next == b->heap_next && a->now == b->now && a->random == b->random;
}

static struct held object_of(uint32_t number)
{
    const struct place *p = &engine.places[number];
    struct held o = {.state = p->state, .owner = p->owner, .depth = p->depth};
    for (size_t i = 0; i < MAX_ACTORS / 64; i++)
        o.waiters[i] = p->waiters[i];
    return o;
}

static bool same_object(const struct held *a, const struct held *b)
{
    uint64_t different = 0;
    for (size_t i = 0; i < MAX_ACTORS / 64; i++)
        different |= a->waiters[i] ^ b->waiters[i];
    return a->state == b->state && a->owner == b->owner && a->depth == b->depth && !different;
}

// ---- taking and comparing ----

void replica_take(struct replica *s)
{
    find_blocks();
    list_spans(s);
    for (size_t i = 0; i < s->spans; i++)
        plain_move(s->bytes + s->span[i].at, s->span[i].start, s->span[i].size);
    s->records = engine.exec.known;
    for (uint32_t actor = 0; actor < s->records; actor++)
        s->record[actor] = record_of(actor);
    s->objects = engine.place_count;
    for (uint32_t number = 1; number <= s->objects; number++)
        s->object[number] = object_of(number);
}

size_t replica_bytes(const struct replica *s)
{
    return s->size + s->records * sizeof *s->record + s->objects * sizeof *s->object;
}

struct differences {
    struct missed *found;
    size_t room, count;
};

static void add_difference(struct differences *d, enum missed_area area, uint32_t owner, uint64_t address,
                           uint32_t size)
{
    if (d->count < d->room)
        d->found[d->count++] = (struct missed){.area = area, .owner = owner, .address = address, .size = size};
}

// Compares by words of the memory itself, whatever the alignment of the copy.
static void compare_span(const struct replica *s, const struct span *span, struct differences *d)
{
    const uint8_t *copy = s->bytes + span->at;
    for (size_t at = 0; at < span->size && d->count < d->room;) {
        at += plain_differ(span->start + at, copy + at, span->size - at);
        if (at >= span->size)
            break;
        uint64_t address = (uint64_t)(uintptr_t)(span->start + at);
        size_t rest = WORD - address % WORD, size = rest < span->size - at ? rest : span->size - at;
        add_difference(d, span->area, span->owner, address, (uint32_t)size);
        at += size;
    }
}

static void compare_kept(const struct replica *s, struct differences *d)
{
    for (uint32_t actor = 0; actor < s->records && actor < engine.exec.known; actor++) {
        struct record now = record_of(actor);
        if (!same_record(&now, &s->record[actor]))
            add_difference(d, MISSED_RECORD, actor, 0, 0);
    }
    for (uint32_t number = 1; number <= s->objects; number++) {
        struct held now = object_of(number);
        if (!same_object(&now, &s->object[number]))
            add_difference(d, MISSED_OBJECT, 0, engine.places[number].address, 1);
    }
}

// A thread that is somewhere else now has other memory: its record says so, and only what both have is compared.
static void compare_memory(const struct replica *s, struct differences *d)
{
    for (size_t i = 0; i < s->spans; i++) {
        const struct span *span = &s->span[i];
        bool own = span->area == MISSED_STACK || span->area == MISSED_HEAP || span->area == MISSED_THREAD;
        struct record now = record_of(span->owner);
        if (span->area == MISSED_MAP && !is_readable_still(span))
            add_difference(d, MISSED_MAP, 0, (uint64_t)(uintptr_t)span->start, WORD);
        else if (!own || same_record(&now, &s->record[span->owner]))
            compare_span(s, span, d);
    }
}

size_t replica_compare(const struct replica *s, struct missed *found, size_t room)
{
    struct differences d = {found, room, 0};
    compare_memory(s, &d);
    compare_kept(s, &d);
    for (size_t i = 0; i < d.count; i++)
        if (found[i].area == MISSED_HEAP)
            heap_find(found[i].owner, found[i].address, &found[i].start, &found[i].block);
    return d.count;
}

bool replica_word(const struct replica *s, uint64_t address, uint64_t *word)
{
    for (size_t i = 0; i < s->spans; i++) {
        uint64_t from = address - (uint64_t)(uintptr_t)s->span[i].start;
        if (from < s->span[i].size && s->span[i].size - from >= WORD) {
            plain_move(word, s->bytes + s->span[i].at + from, WORD);
            return true;
        }
    }
    return false;
}
