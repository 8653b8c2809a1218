#include "target/threads/engine/audit.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/raw.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/engine/engine.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/engine/execution.h"

// What an audit costs, in steps of a search (measured on the programs of bench/): those that it runs, the memory that it compares,
// and what starting main again takes. Of a search's steps one in SHARE is for audits; besides, they may cost ALLOWANCE in all,
// which takes a few milliseconds: so a short search is audited often.
enum { BYTES_A_STEP = 256, IN_ANY_CASE = 300, SHARE = 100, ALLOWANCE = 8000 };

enum { FOUND = 64, PAGE = 4096, MOST_PAGES = STACK_ROOM / PAGE };

static struct {
    enum audit_mode mode;
    uint64_t random;
    uint64_t audits, spent; // how many there were, and what they cost in steps, …
    uint64_t steps;         // … of which they took so many themselves
    struct replica *undone, *again;
    struct missed found[FOUND];
    uint64_t left[FOUND]; // at the end: what undo left there
    size_t count;
    uint8_t fill;                         // what dead stacks are filled with before each step, if engine.fills_stacks
    struct arena_stack stack[MAX_ACTORS]; // as it was last known
    const uint8_t *deepest[MAX_ACTORS];   // down to where each was ever used
    uint32_t spinning[MAX_ACTORS];
} audit;

void audit_begin(enum audit_mode mode, uint64_t seed)
{
    audit.mode = mode;
    audit.random = seed * 0x9e3779b97f4a7c15u + 1;
    bool possible = engine.undoing && !engine.real && !engine.record && mode != AUDIT_NEVER;
    engine.next_audit = possible ? engine.restarts + 1 : UINT64_MAX;
    if (!possible || audit.undone)
        return;
    audit.undone = replica_new();
    audit.again = replica_new();
}

// ---- when ----

static uint64_t audit_draw(uint64_t limit)
{
    uint64_t x = audit.random += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (x ^ (x >> 31)) % limit;
}

// The next one comes when the search has taken so many more steps that all audits and one more like the last are their share of
// them, give or take a half. At first, while all of them cost little, they are ever further apart.
static void plan_next(uint64_t cost)
{
    uint64_t own = engine.step_number - audit.steps, restarts = engine.restarts + 1,
             wait = audit_draw(1 + audit.audits / 4);
    uint64_t needed = (audit.spent + cost) * SHARE;
    if (audit.spent + cost > ALLOWANCE && needed > own) {
        uint64_t apart = (needed - own) / (own / restarts + 1);
        wait += apart / 2 + audit_draw(apart + 1);
    }
    engine.next_audit = audit.mode == AUDIT_ALWAYS ? engine.restarts + 1 : engine.restarts + 1 + wait;
}

static bool is_cheap(void)
{
    return audit.spent <= ALLOWANCE || (audit.spent - ALLOWANCE) * SHARE < engine.step_number;
}

// ---- stacks ----
//
// The frames of a live stack have gaps that nobody has set, and which hold what was there before: after undo that is something else
// than after a fresh run, and means nothing. So where a stack differs, the steps are run again twice, with what is below each stack
// filled with one byte before every step, and with another. What is the same both times was set.

// Down to where the stack was ever used.
static void find_depth(uint32_t actor)
{
    static unsigned char there[MOST_PAGES];
    const struct arena_stack *stack = &audit.stack[actor];
    size_t pages = stack->top ? (size_t)(stack->top - stack->low) / PAGE : 0;
    audit.deepest[actor] = stack->top;
    if (!stack->top || pages > MOST_PAGES || raw_call(SYS_mincore, (long)stack->low, (long)(pages * PAGE), (long)there))
        return;
    for (size_t i = pages; i-- > 0;)
        if (there[i] & 1)
            audit.deepest[actor] = stack->low + i * PAGE;
}

static void find_stacks(void)
{
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        if (engine.threads[actor].own_stack.top)
            audit.stack[actor] = engine.threads[actor].own_stack;
        find_depth(actor);
    }
}

// Up to where the actor is at work on its own stack before the step with this number; null if it is elsewhere. Before main begins
// nobody is at work, whatever is known of main since the last execution.
static const uint8_t *end_of_dead(uint32_t actor, uint32_t step)
{
    const struct arena_stack *stack = &audit.stack[actor];
    const uint8_t *sp = engine.threads[actor].sp;
    uint32_t state = engine.exec.actors[actor].state;
    if (!step || (state != ACTOR_PARKED && state != ACTOR_WAITING))
        return stack->top - 64; // where it begins
    return sp > stack->low && sp <= stack->top ? sp : NULL;
}

void audit_fill_stacks(uint32_t step)
{
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        const uint8_t *from = audit.deepest[actor], *until = audit.stack[actor].top ? end_of_dead(actor, step) : NULL;
        if (until && from < until)
            plain_fill((void *)(uintptr_t)from, audit.fill, (size_t)(until - from));
    }
}

static void run_filled(uint32_t events, uint8_t fill)
{
    audit.fill = fill;
    engine.fills_stacks = true;
    target_run_again(events);
    target_settle();
    engine.fills_stacks = false;
}

// Whether bytes of the word that were set are other ones after undo.
static bool was_set(const struct missed *place)
{
    uint64_t address = place->address & ~7ull, undone, one, other = *(const uint64_t *)(uintptr_t)address;
    if (!replica_word(audit.undone, address, &undone) || !replica_word(audit.again, address, &one))
        return false;
    for (int at = 0; at < 8; at++) {
        uint64_t mask = 0xffull << 8 * at;
        if ((one & mask) == (other & mask) && (one & mask) != (undone & mask))
            return true;
    }
    return false;
}

static bool has_stacks(void)
{
    for (size_t i = 0; i < audit.count; i++)
        if (audit.found[i].area == MISSED_STACK)
            return true;
    return false;
}

// If the user insists on undo, a difference that is not certain does not count against it.
static void leave_out_stacks(void)
{
    size_t kept = 0;
    for (size_t i = 0; i < audit.count; i++)
        if (audit.found[i].area != MISSED_STACK || !(engine.undo_forced || engine.verifying))
            audit.found[kept++] = audit.found[i];
    audit.count = kept;
}

static void look_closer_at_stacks(uint32_t events)
{
    size_t kept = 0;
    if (!has_stacks())
        return;
    find_stacks();
    run_filled(events, 0x55);
    replica_take(audit.again);
    run_filled(events, 0xaa);
    for (size_t i = 0; i < audit.count; i++)
        if (audit.found[i].area != MISSED_STACK || was_set(&audit.found[i]))
            audit.found[kept++] = audit.found[i];
    audit.count = kept;
}

// ---- one audit ----

static void forgotten(void)
{
    engine.missed = audit.found[0];
    for (size_t i = 0; i < audit.count; i++) // what the program wrote says more than what came of it
        if (audit.found[i].area < engine.missed.area)
            engine.missed = audit.found[i];
    search_again(NULL);
}

// When a thread that joins another goes on is up to the search. Its plain accesses come then, and where they race with others
// memory tells the difference: the same steps need not leave the same memory. Where the user wants undo whatever happens that
// is not held against it; elsewhere the search goes on by replay, which does not ask.
static void audit_doubt(uint32_t events)
{
    if (engine.undo_forced || engine.verifying) {
        target_run_again(events);
        return;
    }
    engine.missed = (struct missed){.area = MISSED_RACING};
    search_again(NULL);
}

// Whether a thread spins is up to what undo found: a fresh run may see it a round earlier or later.
static void keep_spinning(bool put_back)
{
    for (uint32_t actor = 0; actor < engine.exec.known; actor++)
        if (put_back)
            engine.threads[actor].spinning_since = audit.spinning[actor];
        else
            audit.spinning[actor] = engine.threads[actor].spinning_since;
}

// Who can join may have done so already or not, which is up to the search: memory is compared with all of them gone on, and
// put back to as it was before.
static void compare_with_again(uint32_t events)
{
    keep_spinning(false);
    bool settled = target_settle();
    replica_take(audit.undone);
    target_run_again(events);
    if (engine.target.lost)
        return;
    settled |= target_settle();
    audit.count = replica_compare(audit.undone, audit.found, FOUND);
    leave_out_stacks();
    look_closer_at_stacks(events);
    if (audit.count && engine.raced && engine.joins_late)
        audit_doubt(events);
    else if (audit.count)
        forgotten();
    else if (settled)
        target_run_again(events);
    keep_spinning(true);
}

void audit_branch(uint32_t events)
{
    uint64_t before = engine.step_number;
    compare_with_again(events);
    uint64_t steps = engine.step_number - before;
    uint64_t cost = steps + IN_ANY_CASE + replica_bytes(audit.undone) / BYTES_A_STEP;
    audit.audits++;
    audit.steps += steps;
    audit.spent += cost;
    plan_next(cost);
}

// ---- the end ----

static uint64_t word_at(uint64_t address)
{
    return *(const uint64_t *)(uintptr_t)(address & ~7ull);
}

// Writes that are not in the log and were made by now cannot race with anything, and no search goes back to before them.
void audit_first_thread(void)
{
    size_t kept = 0;
    engine.begins_threads = false;
    for (size_t i = 0; i < audit.count; i++) {
        audit.left[kept] = audit.left[i];
        if (word_at(audit.found[i].address) != audit.left[i])
            audit.found[kept++] = audit.found[i];
    }
    audit.count = kept;
}

static void compare_with_image(void)
{
    if (engine.early_unlogged) // that is not in the log, and need not be: the search never goes back there
        return;
    target_take_back();
    audit.count = image_compare(audit.found, FOUND);
    if (!audit.count)
        return;
    for (size_t i = 0; i < audit.count; i++)
        audit.left[i] = word_at(audit.found[i].address);
    engine.begins_threads = true;
    target_run_again(0);
    if (engine.begins_threads) // there is none
        audit_first_thread();
    if (audit.count && !engine.target.lost)
        forgotten();
}

void audit_end(bool whatever_it_costs)
{
    bool possible = engine.next_audit != UINT64_MAX && engine.restarts && !engine.target.lost && !engine.abandoned;
    if (!possible || !(whatever_it_costs || is_cheap()))
        return;
    uint32_t last = engine.last_restart < engine.exec.count ? engine.last_restart : engine.exec.count;
    target_go_back(last);
    audit_branch(last);
    if (last && !engine.target.lost && is_cheap()) {
        target_go_back(0);
        audit_branch(0);
    }
    if (!engine.target.lost)
        compare_with_image();
}
