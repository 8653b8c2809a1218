#include "target/threads/memory/lifetime.h"

#include "target/threads/engine/engine_room.h"
#include "target/threads/memory/frame_variables.h"
#include "target/threads/memory/heap.h"
#include "target/threads/memory/mixed.h"
#include "target/threads/memory/tls.h"

RARE void lifetime_stack_is_gone(struct thread *t, uint32_t owner, uint64_t address, const char *does, const void *pc)
{
    if (t->process) // its own copy of it
        return;
    bool returned = owner == t->actor || !engine.threads[owner].ended;
    fail(t, BUG_USE_AFTER_RETURN, address, pc, "%s of a %s", does,
         returned ? "function that has returned" : "thread that has ended");
}

// What lies below this belongs to nobody. What lies between this and the program's own part of its stack is heddle's.
static uint64_t end_of_stack(const struct thread *t)
{
    const uint64_t here = (uint64_t)(uintptr_t)__builtin_frame_address(0);
    bool runs = here >= (uint64_t)(uintptr_t)t->own_stack.low && here < (uint64_t)(uintptr_t)t->own_stack.top;
    return runs ? here : (uint64_t)(uintptr_t)t->sp;
}

static void look_at_stack_of(struct thread *t, uint64_t address, uint64_t size, const char *does, const void *pc)
{
    look_at_stack(t, address, size, does, end_of_stack(t), pc);
}

const char atomic_use[] = "an atomic operation on a variable";
const char volatile_use[] = "a volatile access to a variable";

RARE void lifetime_atomic_is_below(struct thread *t, uint64_t address, const char *does, const void *pc)
{
    lifetime_stack_is_gone(t, t->actor, address, does, pc);
}

RARE void lifetime_look_at_atomic(struct thread *t, uint64_t address, uint64_t size, const char *does, const void *pc)
{
    const bool is_volatile = does == volatile_use;
    const char *accesses = is_volatile ? "a volatile access is to" : "an atomic operation accesses";
    if (is_on_stack(address)) {
        look_at_stack_of(t, address, size, does, pc);
        if (engine.rules.memory_errors)
            frame_variables_look(t, address, size, accesses, pc);
        return;
    }
    for (uint64_t a = address & ~7ull; a < address + size; a += 8) {
        const struct cell *cell = shadow_cell(&engine.races.shadow, a);
        uint64_t from = address > a ? address : a, until = address + size < a + 8 ? address + size : a + 8;
        if (cell->state & CELL_FREED)
            fail(t, BUG_USE_AFTER_FREE, from, pc, "%s memory that was freed",
                 is_volatile ? "a volatile access to" : "an atomic operation on");
        else if (cell->state & CELL_GONE)
            heap_look_outside(t, from, (uint32_t)(until - from), accesses, pc);
    }
}

void lifetime_look_at_object(struct thread *t, uint64_t address, const char *does, const void *pc)
{
    const struct cell *cell = shadow_cell(&engine.races.shadow, address);
    if (is_on_stack(address))
        look_at_stack_of(t, address, 1, does, pc);
    else if (cell->state & CELL_FREED)
        fail(t, BUG_USE_AFTER_FREE, address, pc, "%s in memory that was freed", does);
    else if (cell->state & CELL_OUTSIDE)
        heap_look_outside(t, address, 1, does, pc);
}

void lifetime_lend(struct thread *owner, uint64_t address, uint64_t size)
{
    if (engine.matching)
        state_shares(address, size);
    uint64_t from = owner->lent_from, end = from + owner->lent_bytes;
    if (owner->lent_bytes && address >= from && address + size <= end)
        return;
    undo_save_word(&engine.undo, &owner->lent_from);
    undo_save_word(&engine.undo, &owner->lent_bytes);
    owner->lent_from = owner->lent_bytes && from < address ? from : address;
    owner->lent_bytes = (owner->lent_bytes && end > address + size ? end : address + size) - owner->lent_from;
}

// What the thread knows as it ends. What it has read with too weak an order to learn by it counts, too: whoever wrote that was there
// before, and what comes after the read cannot come before it.
static struct know known_at_end(const struct thread *t)
{
    struct know all = t->know;
    all.own = 0;
    if (all.seen)
        know_learn(&engine.races, &all, all.seen, 0, 0);
    return all;
}

// The variables in this word end.
static void end_word(struct thread *t, uint64_t a, struct cell *cell)
{
    if (!engine.strangers || !engine.check_races || cell->state & (CELL_FREED | CELL_VISIBLE | CELL_PRIVATE))
        return;
    const struct know all = known_at_end(t);
    uint8_t racing = race_passing(&engine.races, &all, cell, 0xff, true);
    if (racing || (cell->object && mixed_is_unordered(t, &all, a, 8)))
        fail(t, BUG_USE_AFTER_RETURN, a + (racing ? (uint32_t)__builtin_ctz(racing) : 0), (const uint8_t *)t->start + 1,
             "ends while another thread may still use a variable of it");
}

RARE void lifetime_stack_ends(struct thread *t)
{
    for (uint64_t a = t->lent_from & ~7ull; a < t->lent_from + t->lent_bytes; a += 8)
        end_word(t, a, shadow_cell(&engine.races.shadow, a));
}

// The next word of the thread's local variables, from `a` on, that somebody has accessed, or that has this mark; 0: no other.
static uint64_t used_local(const struct thread *t, uint64_t a, uint32_t mark)
{
    size_t size;
    uint64_t end = (uint64_t)(uintptr_t)tls_block(t->thread_pointer, &size) + size;
    for (; a < end; a += 8) {
        if (!shadow_knows(&engine.races.shadow, a)) {
            a = (a | 4095) - 7; // to the next page
            continue;
        }
        const struct cell *cell = shadow_cell(&engine.races.shadow, a);
        if (mark ? (cell->state & mark) != 0 : (cell->write | cell->read | cell->object) != 0)
            return a;
    }
    return 0;
}

static uint64_t first_local(const struct thread *t)
{
    size_t size;
    return (uint64_t)(uintptr_t)tls_block(t->thread_pointer, &size) & ~7ull;
}

// Main's stay as long as the process.
RARE void lifetime_locals_end(struct thread *t)
{
    for (uint64_t a = t->actor ? used_local(t, first_local(t), 0) : 0; a; a = used_local(t, a + 8, 0)) {
        struct cell *cell = shadow_cell(&engine.races.shadow, a);
        end_word(t, a, cell);
        undo_save(&engine.undo, cell, sizeof *cell);
        cell->state |= CELL_OUTSIDE;
    }
}

RARE void lifetime_locals_begin(struct thread *t)
{
    for (uint64_t a = used_local(t, first_local(t), CELL_OUTSIDE); a; a = used_local(t, a + 8, CELL_OUTSIDE)) {
        struct cell *cell = shadow_cell(&engine.races.shadow, a);
        undo_save(&engine.undo, cell, sizeof *cell);
        cell->state &= (uint8_t)~CELL_OUTSIDE;
    }
}

bool lifetime_is_left_local(uint64_t address)
{
    for (uint32_t actor = 1; engine.swap_tls && actor < engine.exec.known; actor++) {
        size_t size;
        const struct thread *t = &engine.threads[actor];
        if (t->ended && address - (uint64_t)(uintptr_t)tls_block(t->thread_pointer, &size) < size)
            return true;
    }
    return false;
}
