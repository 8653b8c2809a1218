// The heap of the program under test: deterministic, at fixed addresses.
//
// Each thread has a region of its own in which addresses only grow, so the address of a block depends on the history of
// the allocating thread alone and independent steps of other threads commute with it. Freed blocks are not given out
// again (a use after free is seen), unless --reuse makes that an explored choice (ABA is seen). A block is preceded by a
// header and followed by at least a header's room, with --memory-errors by more of it as long as there is enough: an index that is
// far off is then less likely to be in another block. The shadow of what lies between blocks is marked, so that whoever reaches
// for it is seen (heap_look_outside); of a block's last word, how many bytes belong to it.
//
// New memory is filled with 0xbe, or as --fill says (model/fill.h).
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

#include "model/fill.h"
#include "target/threads/memory/arena.h"
#include "target/threads/library/library_room.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/memory/defined.h"
#include "target/threads/memory/global_ends.h"
#include "target/threads/memory/heap.h"
#include "target/threads/memory/mixed.h"

#define HERE __builtin_return_address(0)

enum { HEADER = 16, LARGE_GAP = 2048 };

struct block {
    uint32_t magic;
    uint32_t size;
    struct block *older; // freed blocks of the same thread, newest first; only with --reuse
};

enum { ALLOCATED = 0x68656431, FREED = 0x68656432 };

extern void *__libc_malloc(size_t);
extern void __libc_free(void *);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static PROCESS_STATE uint8_t *boot_next;

static bool is_ours(const void *p)
{
    uint64_t a = (uint64_t)(uintptr_t)p;
    return a >= BOOT_HEAP && a < ARENA_END;
}

static struct block *block_of(const void *p)
{
    return (struct block *)((uintptr_t)p - HEADER);
}

void heap_begin(struct thread *t)
{
    t->heap_next = arena_heap(t->actor);
    t->reusable = NULL;
}

static uint8_t *align_up(uint8_t *p, size_t alignment)
{
    return (uint8_t *)(((uintptr_t)p + alignment - 1) & ~(uintptr_t)(alignment - 1));
}

// What lies between a block and the header of the next one. It follows from where the block is: in the first half of a region.
static size_t gap_behind(const uint8_t *p)
{
    uint64_t at = (uint64_t)(uintptr_t)p - HEAPS_START;
    if (likely(!engine.rules.memory_errors) || (uint64_t)(uintptr_t)p < HEAPS_START)
        return HEADER;
    bool first_half = at < MAIN_HEAP_SIZE ? at < MAIN_HEAP_SIZE / 2 : (at - MAIN_HEAP_SIZE) % HEAP_SIZE < HEAP_SIZE / 2;
    return first_half ? LARGE_GAP : HEADER;
}

// Cuts a block from a region; null if it does not fit.
static void *heap_cut(uint8_t **next, const uint8_t *end, size_t size, size_t alignment)
{
    uint8_t *p = align_up(*next + HEADER, alignment < HEADER ? HEADER : alignment);
    size_t gap = gap_behind(p);
    if (size > UINT32_MAX || p > end || size + gap > (size_t)(end - p))
        return NULL;
    uint8_t *after = align_up(p + size, HEADER) + gap;
    plain_fill(*next, 0, (size_t)(p - *next)); // what lies between blocks is always the same
    plain_fill(p + size, 0, (size_t)(after - p) - size);
    *block_of(p) = (struct block){ALLOCATED, (uint32_t)size, NULL};
    *next = after;
    return p;
}

// Marks everything between this block and the next, whose header will follow at once, and what a large alignment left in front.
static void mark_surroundings(const struct thread *t, const uint8_t *before, const uint8_t *p, size_t size)
{
    struct shadow *shadow = &engine.races.shadow;
    struct cell *from = shadow_cell(shadow, (uint64_t)(uintptr_t)(p + size));
    struct cell *until = shadow_cell(shadow, (uint64_t)(uintptr_t)(t->heap_next + HEADER));
    undo_save(&engine.undo, from, (size_t)(until - from) * sizeof *from);
    if (size % 8) {
        from->state |= CELL_EDGE;
        from->inside = size % 8;
        from++;
    }
    for (; from < until; from++)
        from->state |= CELL_OUTSIDE;
    if (p - before <= HEADER && before != arena_heap(t->actor))
        return;
    from = shadow_cell(shadow, (uint64_t)(uintptr_t)before);
    until = shadow_cell(shadow, (uint64_t)(uintptr_t)p);
    undo_save(&engine.undo, from, (size_t)(until - from) * sizeof *from);
    for (; from < until; from++)
        from->state |= CELL_OUTSIDE;
}

static void *boot_allocate(size_t size, size_t alignment)
{
    if (!boot_next) {
        if (!arena_reserve())
            return NULL;
        boot_next = (uint8_t *)(uintptr_t)BOOT_HEAP;
    }
    void *p = heap_cut(&boot_next, (uint8_t *)(uintptr_t)(BOOT_HEAP + BOOT_HEAP_SIZE), size, alignment);
    if (!p)
        errno = ENOMEM;
    return p;
}

uint8_t *heap_boot_end(void)
{
    if (!boot_next)
        boot_allocate(0, HEADER);
    return boot_next;
}

void heap_forget_freed(uint64_t start, uint64_t size)
{
    for (uint64_t a = start; a < start + size; a += 8) {
        struct cell *cell = shadow_cell(&engine.races.shadow, a);
        undo_save(&engine.undo, cell, sizeof *cell);
        cell->state &= CELL_VISIBLE | CELL_EDGE;
        cell->write = cell->read = 0;
    }
}

// With --reuse: whether the newest freed block of this thread that fits is given out again is the search's choice.
static void *heap_reuse(struct thread *t, size_t size, const void *pc)
{
    struct block *previous = NULL;
    for (struct block *b = (struct block *)t->reusable; b; previous = b, b = b->older) {
        if (b->size != size)
            continue;
        if (!search_chooses(t, CHOICE_REUSE, 2, pc))
            return NULL;
        undo_save(&engine.undo, b, sizeof *b + size); // what it held too: going back may lead to before it was freed
        if (previous) {
            undo_save(&engine.undo, previous, sizeof *previous);
            previous->older = b->older;
        } else {
            t->reusable = (uint8_t *)b->older;
        }
        b->magic = ALLOCATED;
        heap_forget_freed((uint64_t)(uintptr_t)b + HEADER, b->size);
        return (uint8_t *)b + HEADER;
    }
    return NULL;
}

// Freed memory is not given out again, so a thread comes to the end of its region sooner than it would natively. What would
// not have fit into the whole region fails as it might there.
static void *out_of_memory(struct thread *t, size_t size)
{
    if (size < (size_t)(arena_heap_end(t->actor) - arena_heap(t->actor)) / 2)
        unsupported(t, "a thread allocates more memory in all than heddle has for it (9 MiB, 512 MiB for main): "
                       "freed memory is not given out again");
    errno = ENOMEM;
    return NULL;
}

// Random bytes follow from where they are, which is the same in every execution.
static uint8_t random_byte(uint64_t address)
{
    uint64_t z = (address + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 31)) * 0xbf58476d1ce4e5b9u;
    return (uint8_t)(z >> 40);
}

static RARE void fill_randomly(uint8_t *p, size_t size)
{
    for (size_t i = 0; i < size; i++)
        p[i] = random_byte((uint64_t)(uintptr_t)(p + i));
}

uint8_t heap_fresh_byte(uint64_t address)
{
    if (unlikely(engine.rules.fill == FILL_RANDOM))
        return random_byte(address);
    return engine.rules.fill ? (uint8_t)(engine.rules.fill - FILL_BYTES) : FILL_BYTE;
}

static void heap_fill(void *p, size_t size, bool zero)
{
    if (unlikely(engine.rules.fill == FILL_RANDOM) && !zero)
        fill_randomly(p, size);
    else
        plain_fill(p, zero ? 0 : engine.rules.fill ? (int)engine.rules.fill - FILL_BYTES : FILL_BYTE, size);
}

void heap_fill_fresh(void *p, size_t size)
{
    heap_fill(p, size, false);
}

static bool fails_next;

void heap_fail_next(void)
{
    fails_next = true;
}

static void *allocate(size_t size, size_t alignment, bool zero, const char *call, const void *pc)
{
    struct thread *t = engine.running;
    if (!t) {
        void *p = boot_allocate(size, alignment); // fresh memory is zero
        return p;
    }
    int fault = unlikely(fails_next) ? ENOMEM : fault_strikes(FAULT_MALLOC, call, pc);
    if (unlikely(fault)) {
        fails_next = false;
        errno = fault;
        return NULL;
    }
    void *p = engine.rules.reuse && alignment <= HEADER ? heap_reuse(t, size, pc) : NULL;
    if (!p) {
        const uint8_t *before = t->heap_next;
        p = heap_cut(&t->heap_next, arena_heap_end(t->actor), size, alignment);
        if (!p)
            return out_of_memory(t, size);
        mark_surroundings(t, before, p, size);
    }
    heap_fill(p, size, zero);
    if (unlikely(engine.rules.memory_errors) && !zero)
        defined_fresh((uint64_t)(uintptr_t)p, size);
    if (engine.record)
        record_silent(t, SILENT_ALLOC, (uint64_t)(uintptr_t)p, 0, (uint32_t)size, pc);
    state_leave_nothing();
    return p;
}

static void check_freed(struct thread *t, struct cell *cell, uint64_t address, uint8_t mask, const void *pc)
{
    if (!(cell->write | cell->read | cell->state |
          cell->object)) { // nobody has accessed it, as in most of a large block
        cell->write = t->know.epoch;
        cell->mask = mask;
        t->know.used = 1;
    } else if (!(cell->state & CELL_VISIBLE)) {
        uint8_t racing = race_write(&engine.races, &t->know, cell, mask);
        if (racing)
            fail_races(t, address, racing, true, pc, false);
        if (cell->object &&
            engine.places[cell->object].size) // used atomically: by a search in another order perhaps afterwards
            mixed_check(t, address, (uint32_t)__builtin_popcount(mask), true, pc);
    }
}

// Freeing counts as writing every byte: whoever still uses the block without being ordered races with it. The cells of a
// block stand side by side (it lies in the arena, or is a page), and are kept all at once.
void heap_mark_freed(struct thread *t, uint64_t start, uint64_t size, const void *pc)
{
    struct cell *cell = shadow_cell(&engine.races.shadow, start);
    bool watched = engine.strangers && engine.check_races;
    undo_save(&engine.undo, cell, (size + 7) / 8 * sizeof *cell);
    for (uint64_t a = start; a < start + size; a += 8, cell++) {
        uint64_t bytes = start + size - a < 8 ? start + size - a : 8;
        if (watched)
            check_freed(t, cell, a, (uint8_t)((1u << bytes) - 1), pc);
        if (journal_is_kept())
            journal_put(JOURNAL_WRITE, t->actor, a, (uint8_t)((1u << bytes) - 1), pc);
        cell->state |= CELL_FREED;
    }
}

static void release_block(struct thread *t, void *p, const void *pc)
{
    struct block *b = block_of(p);
    uint64_t address = (uint64_t)(uintptr_t)p;
    bool inside = is_ours(p) && address % HEADER == 0;
    if (foreign_perhaps(pc))
        foreign_pass(t, pc);
    if (unlikely(engine.racy_count) && inside && b->magic == ALLOCATED)
        access_end(t, address, b->size, pc);
    if (inside && b->magic == FREED)
        misuse(t, BUG_DOUBLE_FREE, address, pc, "frees a block that was freed before");
    else if (!inside || b->magic != ALLOCATED)
        misuse(t, BUG_BAD_FREE, address, pc, "frees 0x%llx, which is not the start of an allocated block",
               (unsigned long long)address);
    if (!inside || b->magic != ALLOCATED) // tolerated: nothing is freed
        return;
    undo_save(&engine.undo, b, sizeof *b);
    b->magic = FREED;
    if (engine.record)
        record_silent(t, SILENT_FREE, address, 0, b->size, pc);
    if (forked_hides(address)) // only its copy is freed
        return;
    heap_mark_freed(t, address, b->size, pc);
    if (engine.rules.reuse) {
        b->older = (struct block *)t->reusable;
        t->reusable = (uint8_t *)b;
    }
}

PUBLIC void *malloc(size_t size)
{
    return early_is_controlled() ? allocate(size, HEADER, false, "malloc", HERE) : __libc_malloc(size);
}

PUBLIC void free(void *p)
{
    if (!p)
        return;
    if (!is_ours(p) && !engine.running)
        __libc_free(p);
    else if (engine.running)
        release_block(engine.running, p, HERE);
}

PUBLIC void *calloc(size_t count, size_t size)
{
    size_t bytes;
    if (!early_is_controlled())
        return __libc_calloc(count, size);
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return allocate(bytes, HEADER, true, "calloc", HERE);
}

static void *heap_resize(void *p, size_t size, const char *call, const void *pc)
{
    if (!p)
        return allocate(size, HEADER, false, call, pc);
    struct thread *t = engine.running;
    if (t && (!is_ours(p) || block_of(p)->magic != ALLOCATED)) {
        release_block(t, p, pc); // reports, and mostly stops
        errno = ENOMEM;
        return NULL;
    }
    size_t old = block_of(p)->size;
    if (!size) {
        if (t)
            release_block(t, p, pc);
        return NULL;
    }
    void *fresh = allocate(size, HEADER, false, call, pc);
    if (!fresh)
        return NULL;
    size_t kept = old < size ? old : size;
    if (t) {
        access_read(p, kept, pc);
        access_write(fresh, kept, pc);
    }
    plain_move(fresh, p, kept);
    if (t)
        defined_note_copy((uint64_t)(uintptr_t)fresh, (uint64_t)(uintptr_t)p, kept);
    if (t)
        release_block(t, p, pc);
    return fresh;
}

PUBLIC void *realloc(void *p, size_t size)
{
    if (!early_is_controlled() || (p && !is_ours(p) && !engine.running))
        return __libc_realloc(p, size);
    return heap_resize(p, size, "realloc", HERE);
}

PUBLIC void *reallocarray(void *p, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return early_is_controlled() ? heap_resize(p, bytes, "reallocarray", HERE) : __libc_realloc(p, bytes);
}

static void *aligned(size_t alignment, size_t size, const char *call, const void *pc)
{
    return early_is_controlled() ? allocate(size, alignment, false, call, pc) : __libc_memalign(alignment, size);
}

PUBLIC void *memalign(size_t alignment, size_t size)
{
    return aligned(alignment, size, "memalign", HERE);
}

PUBLIC void *aligned_alloc(size_t alignment, size_t size)
{
    return aligned(alignment, size, "aligned_alloc", HERE);
}

PUBLIC void *valloc(size_t size)
{
    return aligned(4096, size, "valloc", HERE);
}

PUBLIC void *pvalloc(size_t size)
{
    return aligned(4096, (size + 4095) & ~(size_t)4095, "pvalloc", HERE);
}

PUBLIC int posix_memalign(void **result, size_t alignment, size_t size)
{
    if (alignment < sizeof(void *) || alignment & (alignment - 1))
        return EINVAL;
    void *p = aligned(alignment, size, "posix_memalign", HERE);
    if (!p)
        return ENOMEM;
    if (engine.running)
        access_write(result, sizeof *result, HERE);
    *result = p;
    return 0;
}

PUBLIC size_t malloc_usable_size(void *p)
{
    if (!p)
        return 0;
    if (is_ours(p))
        return block_of(p)->size;
    return NATIVE(malloc_usable_size)(p);
}

// Leaks: blocks that are still allocated when the program has ended and to which nothing in its data points.
static bool points_into(uint64_t value, const struct block *b)
{
    uint64_t start = (uint64_t)(uintptr_t)b + HEADER;
    return value >= start && value < start + (b->size ? b->size : 1);
}

static bool reached_from(const uint64_t *from, const uint64_t *until, const struct block *b)
{
    for (; from < until; from++)
        if (points_into(*from, b))
            return true;
    return false;
}

static const struct block *next_block(const struct block *b)
{
    uint8_t *p = (uint8_t *)(uintptr_t)b + HEADER;
    return (const struct block *)(align_up(p + b->size, HEADER) + gap_behind(p));
}

// Leaves out the contents of freed blocks: whoever reads them fails.
void heap_mix(struct fingerprint *f, struct spelling *spelling, const uint8_t *from, const uint8_t *until)
{
    const struct block *b = (const struct block *)from;
    while ((const uint8_t *)b < until && (b->magic == ALLOCATED || b->magic == FREED)) {
        const struct block *next = next_block(b);
        size_t bytes = b->magic == FREED ? sizeof *b : (size_t)((const uint8_t *)next - (const uint8_t *)b);
        spelling_mix_words(f, spelling, b, bytes / 8);
        b = next;
    }
    spelling_mix_words(f, spelling, b, (size_t)(until - (const uint8_t *)b) / 8);
}

void heap_find(uint32_t actor, uint64_t address, uint64_t *start, uint32_t *size)
{
    const struct block *b = (const struct block *)arena_heap(actor);
    for (; (uint8_t *)(uintptr_t)b < engine.threads[actor].heap_next && b->magic; b = next_block(b)) {
        uint64_t from = (uint64_t)(uintptr_t)b + HEADER;
        if (address >= from && address < from + b->size) {
            *start = from;
            *size = b->size;
        }
    }
}

static bool reached_from_heap(const struct block *wanted)
{
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        const struct block *b = (const struct block *)arena_heap(actor);
        for (; (uint8_t *)(uintptr_t)b < engine.threads[actor].heap_next && b->magic; b = next_block(b)) {
            const uint64_t *words = (const uint64_t *)((const uint8_t *)b + HEADER);
            if (b != wanted && b->magic == ALLOCATED && reached_from(words, words + b->size / 8, wanted))
                return true;
        }
    }
    return false;
}

// The block that ends, or begins, nearest to an address between blocks.
static const struct block *nearest_block(uint64_t address)
{
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        const struct block *b = (const struct block *)arena_heap(actor), *before = NULL;
        const uint8_t *end = engine.threads[actor].heap_next;
        if (engine.exec.actors[actor].state == ACTOR_ABSENT || address < (uint64_t)(uintptr_t)b ||
            address >= (uint64_t)(uintptr_t)end + HEADER)
            continue;
        for (; (const uint8_t *)b < end && (b->magic == ALLOCATED || b->magic == FREED); b = next_block(b)) {
            if ((uint64_t)(uintptr_t)b > address)
                break;
            before = b;
        }
        return before;
    }
    return NULL;
}

void heap_look_outside(struct thread *t, uint64_t address, uint32_t size, const char *does, const void *pc)
{
    const struct cell *cell = shadow_cell(&engine.races.shadow, address);
    uint64_t first = address; // of the bytes that belong to no block
    if (cell->state & CELL_EDGE) {
        uint64_t edge = (address & ~7ull) + cell->inside;
        if (address + size <= edge)
            return;
        first = address > edge ? address : edge;
    }
    if (lifetime_is_left_local(address)) {
        fail(t, BUG_USE_AFTER_RETURN, address, pc, "%s a thread-local variable of a thread that has ended", does);
        return;
    }
    struct global_variable v;
    if (globals_before(first, &v)) {
        fail(t, BUG_OUT_OF_BOUNDS, first, pc, "%s the byte at offset %llu of a variable of %llu bytes", does,
             (unsigned long long)(first - v.start), (unsigned long long)(v.end - v.start));
        return;
    }
    const struct block *b = nearest_block(first);
    long long start = b ? (long long)(uintptr_t)b + HEADER : 0;
    if (b)
        fail(t, BUG_OUT_OF_BOUNDS, first, pc, "%s the byte at offset %lld of a block of %u bytes", does,
             (long long)first - start, b->size);
    else
        fail(t, BUG_OUT_OF_BOUNDS, first, pc, "%s memory between blocks of the heap", does);
}

uint64_t heap_block_start(uint64_t address)
{
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        const struct block *b = (const struct block *)arena_heap(actor);
        const uint8_t *end = engine.threads[actor].heap_next;
        if (engine.exec.actors[actor].state == ACTOR_ABSENT || address < (uint64_t)(uintptr_t)b ||
            address >= (uint64_t)(uintptr_t)end)
            continue;
        for (; (const uint8_t *)b < end && (b->magic == ALLOCATED || b->magic == FREED); b = next_block(b))
            if (points_into(address, b))
                return (uint64_t)(uintptr_t)b + HEADER;
    }
    return 0;
}

void heap_report_leaks(bool (*reached_from_data)(uint64_t start, uint64_t end))
{
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        if (engine.exec.actors[actor].state == ACTOR_ABSENT)
            continue;
        const struct block *b = (const struct block *)arena_heap(actor);
        for (; (uint8_t *)(uintptr_t)b < engine.threads[actor].heap_next && b->magic; b = next_block(b)) {
            uint64_t start = (uint64_t)(uintptr_t)b + HEADER;
            if (b->magic == ALLOCATED && !reached_from_data(start, start + b->size) && !reached_from_heap(b))
                fail(&engine.threads[actor], BUG_LEAK, start, NULL,
                     "%u bytes are never freed and nothing points to them", b->size);
        }
    }
}
