// The hooks that the compiler puts before plain memory accesses (gcc and clang -fsanitize=thread). Each checks for
// races and for use after free, and puts the old word into the undo log before it is overwritten.
//
// A plain access is no event. In a program without races that loses nothing: what plain accesses see is then decided by
// the order of synchronisation.
#include "target/threads/engine/engine_room.h"

#include "base/paths.h"
#include "target/threads/memory/access.h"
#include "target/threads/memory/annotations.h"
#include "target/threads/memory/defined.h"
#include "target/threads/memory/frame_variables.h"
#include "target/threads/memory/frames.h"
#include "target/threads/memory/heap.h"
#include "target/threads/memory/maps.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/library/library_room.h"
#include "target/threads/memory/mixed.h"

// Plain accesses without a visible operation after which others get a chance: a loop may be waiting for them.
enum { PLAIN_LIMIT = 20000, NEVER_MAPPED = 65536 };

_Static_assert(STACKS_START >> 32 == 1 && STACKS_END == 2 * STACKS_START, "look_at_stack");

bool under_control(void)
{
    return engine.running != NULL;
}

static RARE void give_way(struct thread *t, const void *pc)
{
    if (engine.alone && t->yields++ < 5000) { // alone it cannot be waiting for anybody; a long computation goes on
        t->plain = 0;
        return;
    }
    ask(t, OP_YIELD, 0, 0, pc);
    visible(t);
}

// Others may do something before the access to these bytes.
static void take_step(struct thread *t, uint64_t from, uint64_t until, bool write, const void *pc)
{
    uint32_t object = place_of_span(from, until - from);
    ask(t, write ? OP_PLAIN_WRITE : OP_PLAIN_READ, from, object, pc)->size =
        (uint8_t)(until - from < UINT8_MAX ? until - from : UINT8_MAX);
    visible(t);
}

// Remembers plain accesses to visible words, so that others can say whether the program itself made them.
static void note_plain(bool write, const void *pc)
{
    uint32_t i = 0;
    while (!write && i < engine.plain_reads && engine.plain_read[i] != pc)
        i++;
    if (write || i == sizeof engine.plain_read / sizeof *engine.plain_read)
        engine.wrote_plainly = true;
    else if (i == engine.plain_reads)
        engine.plain_read[engine.plain_reads++] = pc;
}

// If words of the access are visible, the access is one step, however many they are: what the program does after the
// hook nobody can interrupt. Returns whether all of it was one.
static bool step_if_visible(struct thread *t, uint64_t address, uint64_t size, bool write, const void *pc)
{
    uint64_t from = 0, until = 0, end = address + size;
    for (uint64_t a = address & ~7ull; a < end; a += 8) {
        if ((shadow_cell(&engine.races.shadow, a)->state & (CELL_FREED | CELL_VISIBLE)) != CELL_VISIBLE)
            continue;
        from = until ? from : a > address ? a : address;
        until = a + 8 < end ? a + 8 : end;
    }
    if (!until || (engine.alone && !looks_count_alone()))
        return false;
    if (engine.strangers)
        note_plain(write, pc);
    take_step(t, from, until, write, pc);
    return until - from == size;
}

void access_end(struct thread *t, uint64_t address, uint64_t size, const void *pc)
{
    uint64_t from = UINT64_MAX, until = 0, end = address + size;
    if (unlikely(engine.has_arguments))
        arguments_look(t, address, size);
    for (uint32_t i = 0; i < engine.racy_count; i++) {
        uint64_t word = engine.learnt.racy[i];
        if (word + 8 <= address || word >= end)
            continue;
        from = word < from ? word : from;
        until = word + 8 > until ? word + 8 : until;
    }
    if (until && !engine.alone)
        take_step(t, from > address ? from : address, until < end ? until : end, true, pc);
}

enum { CELL_RACELESS = CELL_FREED | CELL_VISIBLE | CELL_PRIVATE, CELL_MARKED = CELL_RACELESS | CELL_GONE };

// Memory that was freed, or whose accesses are steps, or that is each thread's own, or is not all of a block. Returns whether
// races are looked for as usual.
static RARE bool access_marked(struct thread *t, const struct cell *cell, uint64_t address, uint32_t size, bool write,
                               const void *pc, bool stepped)
{
    if (!stepped)
        step_if_visible(t, address, size, write, pc);
    if (cell->state & CELL_FREED && opened_holds_gone(address))
        fail(t, BUG_USE_AFTER_UNMAP, address, pc, "%s a variable of a library that was closed",
             write ? "writes" : "reads");
    else if (cell->state & CELL_FREED)
        fail(t, BUG_USE_AFTER_FREE, address, pc, "%s memory that was freed", write ? "writes" : "reads");
    else if (cell->state & (CELL_OUTSIDE | CELL_EDGE))
        heap_look_outside(t, address, size, write ? "writes" : "reads", pc);
    return !(cell->state & CELL_RACELESS);
}

// Whether the running thread is the only one there is, as `main` is at the end of most executions.
static IN_PLACE bool is_last(void)
{
    return engine.exec.live == 1;
}

static IN_PLACE uint8_t race_plain(struct thread *t, struct cell *cell, uint8_t mask, bool write)
{
    if (is_last()) {
        t->know.used = 1;
        return race_passing(&engine.races, &t->know, cell, mask, write);
    }
    return write ? race_write(&engine.races, &t->know, cell, mask) : race_read(&engine.races, &t->know, cell, mask);
}

// The bytes of a word that an access is to.
static IN_PLACE uint8_t mask_of(uint64_t address, uint32_t size)
{
    return (uint8_t)(((1u << size) - 1) << (address & 7));
}

// The program is about to write to this word.
static IN_PLACE void keep_written(struct thread *t, uint64_t address, const void *pc)
{
    t->wrote = 1;
    engine.probing = pc;
    if (address >= NEVER_MAPPED) // below, the program itself is about to fault
        undo_save_word(&engine.undo, (void *)(uintptr_t)(address & ~7ull));
}

// A plain read where only sources count. Writes do no harm: whoever reads a word that was written plainly comes after that write
// in every order of the same reads, or there is a race.
static RARE void look_plainly(struct thread *t, const struct cell *cell)
{
    bool others = !engine.alone || looks_count_alone();
    if (others && cell->object && engine.places[cell->object].accessed && !(cell->state & CELL_VISIBLE))
        order_of_writes_matters(t);
}

// One word or part of it. `size` bytes from `address` do not cross a word's end. `stepped`: it is part of a larger access
// that has been made a step already if it had to.
static IN_PLACE void access_word(struct thread *t, uint64_t address, uint32_t size, bool write, const void *pc,
                                 bool stepped)
{
    struct cell *cell = shadow_cell(&engine.races.shadow, address);
    if (unlikely(engine.joins_in_a_row))
        join_runs_look(t, cell, address);
    if (unlikely(engine.has_arguments))
        arguments_look(t, address, size);
    bool marked = cell->state & CELL_RACELESS || lifetime_is_gone(cell, address, size);
    bool usual = !unlikely(marked) || access_marked(t, cell, address, size, write, pc, stepped);
    if (usual && engine.strangers && engine.check_races) {
        uint8_t racing = race_plain(t, cell, mask_of(address, size), write);
        if (unlikely(racing))
            fail_races(t, address & ~7ull, racing, write, pc, stepped);
        if (unlikely(cell->object) && engine.places[cell->object].size)
            mixed_check(t, address, size, write, pc);
    }
    if (unlikely(engine.by_sources) && !write)
        look_plainly(t, cell);
    if (write)
        keep_written(t, address, pc);
    if (journal_is_kept() && address >= NEVER_MAPPED) // below, the program itself is about to fault
        journal_put(write ? JOURNAL_WRITE : JOURNAL_READ, t->actor, address & ~7ull, mask_of(address, size), pc);
}

static RARE void note_range(struct thread *t, uint64_t start, uint64_t end, bool write)
{
    for (uint64_t a = start & ~7ull; a < end; a += 8)
        annotations_note(t, shadow_cell(&engine.races.shadow, a), write);
}

static IN_PLACE const char *variable_use(bool write)
{
    return write ? "writes a variable" : "reads a variable";
}

// Many words at once, of the heap or of global variables, while nothing can race and nobody looks at them one by one.
enum { MANY = 64 }; // bytes

static bool hooks_has_many(uint64_t address, uint64_t size, bool write)
{
    return write && size >= MANY && address >= NEVER_MAPPED && address + size <= STACKS_START && !engine.strangers &&
           steps_are_usual() && !engine.closer && !engine.joins_in_a_row && !engine.has_arguments &&
           !engine.rules.memory_errors && !journal_is_kept();
}

// Keeps them as one entry of the log. False: about some of them something is special, and nothing was kept.
static bool hooks_write_many(struct thread *t, uint64_t address, uint64_t size)
{
    const uint64_t from = address & ~7ull, until = (address + size + 7) & ~7ull, even = (until - from) & ~15ull;
    const struct cell *cell = engine.races.shadow.low + (from >> 3), *end = engine.races.shadow.low + (until >> 3);
    uint8_t state = 0;
    for (; cell < end; cell++)
        state |= cell->state;
    if (state & CELL_MARKED)
        return false;
    t->wrote = 1;
    undo_save(&engine.undo, (void *)(uintptr_t)from, even);
    if (from + even < until)
        undo_save_word(&engine.undo, (void *)(uintptr_t)(from + even));
    return true;
}

static __attribute__((noinline)) void access_range(uint64_t address, uint64_t size, bool write, const void *pc)
{
    struct thread *t = engine.running;
    if (!t || !size)
        return;
    if (forked_hides(address)) {
        t->wrote |= write;
        return;
    }
    const uint64_t start = address, end = address + size;
    engine.probing = pc;
    if (unlikely(engine.watches_tail))
        tail_spoil();
    if (unlikely(engine.rules.memory_errors)) {
        frame_variables_look(t, address, size, write ? "writes" : "reads", pc);
        if (write)
            defined_note_write(address, size);
    }
    if (unlikely(address >> SHADOW_LOW_BITS))
        maps_look(t, address, size, write, pc);
    if (hooks_has_many(address, size, write) && hooks_write_many(t, address, size))
        return;
    if (!step_if_visible(t, address, size, write, pc) && engine.record)
        record_access(t, address, (uint32_t)size, write, pc);
    while (size) {
        uint64_t part = 8 - (address & 7);
        if (part > size)
            part = size;
        access_word(t, address, (uint32_t)part, write, pc, true);
        address += part;
        size -= part;
    }
    if (engine.annotated)
        note_range(t, start, end, write);
    fail_range(t, write, pc);
}

void access_stack(const void *start, size_t size, bool write, const void *stack_end, const void *pc)
{
    uint64_t address = (uint64_t)(uintptr_t)start;
    if (engine.running && size && is_on_stack(address))
        look_at_stack(engine.running, address, size, variable_use(write), (uint64_t)(uintptr_t)stack_end, pc);
}

// An access by a function of the C library. What lies below heddle's own calls belongs to nobody; what lies between those and the
// program's may be a variable that is gone, but only some functions tell where the program's end (access_stack).
static void access_by_library(uint64_t address, uint64_t size, bool write, const void *pc)
{
    access_stack((const void *)(uintptr_t)address, size, write, __builtin_frame_address(0), pc);
    access_range(address, size, write, pc);
}

// … that foreign code called: what its library orders is no race.
static RARE void access_inside(uint64_t address, size_t size, bool write, const void *pc)
{
    struct thread *t = engine.running;
    if (t)
        foreign_pass(t, pc);
    access_by_library(address, size, write, pc);
    if (t)
        foreign_pass(t, pc);
}

void access_read(const void *start, size_t size, const void *pc)
{
    if (foreign_perhaps(pc))
        access_inside((uint64_t)(uintptr_t)start, size, false, pc);
    else
        access_by_library((uint64_t)(uintptr_t)start, size, false, pc);
}

void access_write(void *start, size_t size, const void *pc)
{
    if (foreign_perhaps(pc))
        access_inside((uint64_t)(uintptr_t)start, size, true, pc);
    else
        access_by_library((uint64_t)(uintptr_t)start, size, true, pc);
}

// One of at most eight bytes about which something is special, or that is not aligned: the compiler's word is not relied on.
static __attribute__((noinline)) void plain_special(struct thread *t, uint64_t address, uint32_t size, bool write,
                                                    const void *pc)
{
    if (t->plain > PLAIN_LIMIT)
        give_way(t, pc);
    if (forked_hides(address)) {
        t->wrote |= write;
        return;
    }
    if (unlikely(engine.watches_tail))
        tail_access(t, address, size, write);
    bool whole = engine.record || (address & 7) + size > 8;
    if (engine.rules.memory_errors && !whole)
        frame_variables_look(t, address, size, write ? "writes" : "reads", pc);
    if (engine.rules.memory_errors && write)
        defined_note_write(address, size);
    else if (engine.rules.memory_errors)
        defined_look(t, address, size, pc);
    if (address >> SHADOW_LOW_BITS && !whole)
        maps_look(t, address, size, write, pc);
    if (whole)
        access_range(address, size, write, pc);
    else
        access_word(t, address, size, write, pc, false);
    if (engine.annotated)
        annotations_note(t, shadow_cell(&engine.races.shadow, address), write);
    state_leave_nothing();
}

void access_unhooked(void *start, uint32_t size, bool write, const void *pc)
{
    struct thread *t = engine.running;
    if (engine.rules.memory_errors && frame_variables_is_note((uint64_t)(uintptr_t)start))
        return;
    if (++t->plain > PLAIN_LIMIT)
        give_way(t, pc);
    access_range((uint64_t)(uintptr_t)start, size, write, pc);
    state_leave_nothing();
}

// One word, or part of one, that has marks or whose bytes are accessed in parts.
static __attribute__((noinline)) void hooks_look_closely(struct thread *t, uint64_t address, uint32_t size, bool write,
                                                         const void *pc)
{
    access_word(t, address, size, write, pc, false);
    state_leave_nothing();
}

// An access of at most eight bytes, to memory that is somebody's. Calls nothing but where it ends, so that it needs no registers of its
// caller's.
static IN_PLACE void hooks_look(struct thread *t, uint64_t address, uint32_t size, bool write, const void *pc)
{
    bool usual = address - NEVER_MAPPED < SHADOW_LOW_END - NEVER_MAPPED && !(address & (size - 1));
    if (unlikely(++t->plain > PLAIN_LIMIT || !usual || engine.closer)) {
        plain_special(t, address, size, write, pc);
        return;
    }
    struct cell *cell = engine.races.shadow.low + (address >> 3);
    bool simple = engine.strangers && engine.check_races
                      ? race_simple(&engine.races, &t->know, cell, mask_of(address, size), write, !is_last())
                      : !(cell->state & CELL_MARKED) && !(engine.by_sources && cell->object);
    if (unlikely(!simple))
        hooks_look_closely(t, address, size, write, pc);
    else if (write)
        keep_written(t, address, pc);
}

static __attribute__((noinline)) void hooks_look_on_stack(struct thread *t, uint64_t address, uint32_t size, bool write,
                                                          uint64_t stack_pointer, const void *pc)
{
    look_at_stack(t, address, size, variable_use(write), stack_pointer, pc);
    hooks_look(t, address, size, write, pc);
}

// An access of at most eight bytes.
static IN_PLACE void hooks_plain(void *p, uint32_t size, bool write, const void *pc)
{
    struct thread *t = engine.running;
    if (!t)
        return;
    uint64_t address = (uint64_t)(uintptr_t)p;
    if (is_on_stack(address))
        hooks_look_on_stack(t, address, size, write, (uint64_t)(uintptr_t)__builtin_dwarf_cfa(), pc);
    else
        hooks_look(t, address, size, write, pc);
}

static void volatile_access(void *p, uint32_t size, bool write, const void *stack_end, const void *pc)
{
    struct thread *t = engine.running;
    if (!t)
        return;
    uint64_t address = (uint64_t)(uintptr_t)p;
    engine.volatile_seen = true;
    if (address < NEVER_MAPPED) // the program itself is about to fault
        return;
    look_at_own_stack(t, p, volatile_use, stack_end, pc);
    uint32_t object = place_of_span(address, size);
    ask(t, write ? OP_VOLATILE_WRITE : OP_VOLATILE_READ, address, object, pc)->size = (uint8_t)size;
    visible(t);
}

#define HERE __builtin_return_address(0)

#define HOOKS(size)                                                                                                    \
    PUBLIC void __tsan_read##size(void *p)                                                                             \
    {                                                                                                                  \
        hooks_plain(p, size, false, HERE);                                                                             \
    }                                                                                                                  \
    PUBLIC void __tsan_write##size(void *p)                                                                            \
    {                                                                                                                  \
        hooks_plain(p, size, true, HERE);                                                                              \
    }                                                                                                                  \
    PUBLIC void __tsan_unaligned_read##size(void *p)                                                                   \
    {                                                                                                                  \
        hooks_plain(p, size, false, HERE);                                                                             \
    }                                                                                                                  \
    PUBLIC void __tsan_unaligned_write##size(void *p)                                                                  \
    {                                                                                                                  \
        hooks_plain(p, size, true, HERE);                                                                              \
    }                                                                                                                  \
    PUBLIC void __tsan_read_write##size(void *p)                                                                       \
    {                                                                                                                  \
        hooks_plain(p, size, false, HERE);                                                                             \
        hooks_plain(p, size, true, HERE);                                                                              \
    }                                                                                                                  \
    PUBLIC void __tsan_unaligned_read_write##size(void *p)                                                             \
    {                                                                                                                  \
        hooks_plain(p, size, false, HERE);                                                                             \
        hooks_plain(p, size, true, HERE);                                                                              \
    }                                                                                                                  \
    PUBLIC void __tsan_volatile_read##size(void *p)                                                                    \
    {                                                                                                                  \
        volatile_access(p, size, false, __builtin_dwarf_cfa(), HERE);                                                  \
    }                                                                                                                  \
    PUBLIC void __tsan_volatile_write##size(void *p)                                                                   \
    {                                                                                                                  \
        volatile_access(p, size, true, __builtin_dwarf_cfa(), HERE);                                                   \
    }                                                                                                                  \
    PUBLIC void __tsan_unaligned_volatile_read##size(void *p)                                                          \
    {                                                                                                                  \
        volatile_access(p, size, false, __builtin_dwarf_cfa(), HERE);                                                  \
    }                                                                                                                  \
    PUBLIC void __tsan_unaligned_volatile_write##size(void *p)                                                         \
    {                                                                                                                  \
        volatile_access(p, size, true, __builtin_dwarf_cfa(), HERE);                                                   \
    }

HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)

static IN_PLACE void hooks_range(void *p, uint64_t size, bool write, const void *pc)
{
    access_stack(p, size, write, __builtin_dwarf_cfa(), pc);
    access_range((uint64_t)(uintptr_t)p, size, write, pc);
}

// Sixteen bytes are two words.
static IN_PLACE void two_words(void *p, bool write, const void *pc)
{
    hooks_range(p, 16, write, pc);
}

PUBLIC void __tsan_read16(void *p)
{
    two_words(p, false, HERE);
}
PUBLIC void __tsan_write16(void *p)
{
    two_words(p, true, HERE);
}
PUBLIC void __tsan_unaligned_read16(void *p)
{
    two_words(p, false, HERE);
}
PUBLIC void __tsan_unaligned_write16(void *p)
{
    two_words(p, true, HERE);
}
PUBLIC void __tsan_volatile_read16(void *p)
{
    volatile_access(p, 16, false, __builtin_dwarf_cfa(), HERE);
}
PUBLIC void __tsan_volatile_write16(void *p)
{
    volatile_access(p, 16, true, __builtin_dwarf_cfa(), HERE);
}
PUBLIC void __tsan_unaligned_volatile_read16(void *p)
{
    volatile_access(p, 16, false, __builtin_dwarf_cfa(), HERE);
}
PUBLIC void __tsan_unaligned_volatile_write16(void *p)
{
    volatile_access(p, 16, true, __builtin_dwarf_cfa(), HERE);
}
PUBLIC void __tsan_read_range(void *p, uintptr_t size)
{
    hooks_range(p, size, false, HERE);
}
PUBLIC void __tsan_write_range(void *p, uintptr_t size)
{
    hooks_range(p, size, true, HERE);
}
// Destructors and constructors write where an object's virtual functions are, mostly what is there already. That is no
// variable of the program, and whoever calls such a function meanwhile finds the same.
PUBLIC void __tsan_vptr_update(void **p, void *value)
{
    if (*p != value)
        hooks_plain(p, 8, true, HERE);
}
PUBLIC void __tsan_vptr_read(void **p)
{
    hooks_plain(p, 8, false, HERE);
}

PUBLIC void __tsan_init(void)
{
    if (opened_are_loaded)
        opened_hold_back();
}

static IN_PLACE void hooks_function_begins(const void *caller, const void *pc)
{
    struct thread *t = engine.running;
    if (unlikely(engine.called_back) && t)
        foreign_called_back(t, __builtin_frame_address(0), false);
    if (foreign_perhaps(caller) && t)
        foreign_calls_back(t, caller, __builtin_frame_address(0));
    if (unlikely(engine.deep_stacks) && t)
        deep_stacks_enter(t, (uint64_t)(uintptr_t)__builtin_dwarf_cfa());
    if (!t || !engine.follow_calls)
        return;
    if (t->depth < CALL_DEPTH)
        engine.calls[t->actor][t->depth] = (uint64_t)(uintptr_t)caller;
    t->depth++;
    if (engine.record || engine.rules.memory_errors)
        frames_enter(t, pc);
}

PUBLIC void __tsan_func_entry(void *caller)
{
    hooks_function_begins(caller, HERE);
}

void hooks_enter(const void *caller, const void *pc)
{
    hooks_function_begins(caller, pc);
}

// `stack` is the function's stack pointer, or null where that is not known.
static IN_PLACE void hooks_function_ends(const void *pc, const void *stack)
{
    struct thread *t = engine.running;
    if (unlikely(engine.called_back) && t)
        foreign_called_back(t, __builtin_frame_address(0), true);
    if (unlikely(engine.deep_stacks) && t)
        deep_stacks_leave(t);
    if (!t || !engine.follow_calls || !t->depth)
        return;
    if (engine.rules.memory_errors)
        frames_leave(t, pc, (uint64_t)(uintptr_t)stack);
    t->depth--;
    if (t->lowest > t->depth)
        t->lowest = t->depth;
}

PUBLIC void __tsan_func_exit(void)
{
    hooks_function_ends(HERE, (const uint64_t *)__builtin_frame_address(0) + 2);
}

void hooks_leave(void)
{
    hooks_function_ends(HERE, NULL);
}
