#include "target/threads/engine/state.h"
#include "target/threads/engine/times.h"

#include "base/mem.h"
#include "target/threads/descriptor/descriptor_room.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/engine/accessed.h"
#include "target/threads/engine/client.h"
#include "target/threads/engine/commons.h"
#include "target/threads/engine/ignored.h"
#include "target/threads/engine/join_runs.h"
#include "target/threads/engine/knowledge.h"
#include "target/threads/engine/likeness.h"
#include "target/threads/engine/spin.h"
#include "target/threads/libc/libc_room.h"

// A word that a step changed, and what it was before.
struct word {
    uint64_t address, before;
    uint64_t step; // in which it stands here; otherwise the place is free
};

enum { WORDS = 1 << 14 };

static struct {
    // By number of events: the sum of all words that are not as they were at the beginning. Stacks, and memory that was
    // allocated since, are not among them.
    struct fingerprint *changes;
    struct fingerprint *fresh;  // by event: the accesses that its thread made in this step
    uint8_t *heaps[MAX_ACTORS]; // what was allocated since the beginning is from there on
    struct word *words;
    uint32_t used[WORDS / 2];
    uint64_t step;
    enum state_order order;
    bool begun;
    struct fingerprint round; // the state after engine.round_from events
} states;

void state_prepare(enum state_order order, bool alike)
{
    states.order = order == ORDER_FRESH && (engine.learnt.ordered || engine.learnt.mixed) ? ORDER_ALL : order;
    if (order)
        knowledge_prepare(order == ORDER_FRESH); // searches that are content with fresh accesses never begin anew
    if (!states.changes) {
        states.changes = mem_reserve((engine.exec.limit + 1ull) * sizeof *states.changes);
        states.fresh = mem_reserve((engine.exec.limit + 1ull) * sizeof *states.fresh);
        states.words = mem_reserve(WORDS * sizeof *states.words);
    }
    engine.matching = engine.closer = true;
    if (likeness_prepare(alike && order == ORDER_ALL))
        join_runs_begin();
}

// Ends the run when it comes back to the state that it is to come back to.
static void look_round(void)
{
    struct fingerprint now;
    if (engine.exec.count != engine.round_from && engine.exec.count != engine.round_until)
        return;
    now = state_now();
    if (engine.exec.count == engine.round_from)
        states.round = now;
    else
        engine.round_closed = now.low == states.round.low && now.high == states.round.high;
}

static void begin_likeness(void);

// What threads other than main have in their heaps is looked at with them if they may be alike.
void state_begin(void)
{
    for (uint32_t actor = 0; actor < MAX_ACTORS; actor++)
        states.heaps[actor] = engine.exec.actors[actor].state == ACTOR_ABSENT || (actor && engine.alike)
                                  ? arena_heap(actor)
                                  : engine.threads[actor].heap_next;
    states.changes[engine.exec.count] = (struct fingerprint){0, 0};
    states.begun = true;
    arguments_begin();
    if (engine.alike)
        begin_likeness();
    if (states.order == ORDER_ALL)
        accessed_begin();
    if (engine.round_until)
        look_round();
}

void state_end(void)
{
    engine.matching = states.begun = engine.alike = engine.has_arguments = false;
    engine.closer = engine.record || engine.annotated || engine.rules.memory_errors;
}

// ---- changed words ----

static bool state_within(uint64_t address, const void *start, size_t size)
{
    return address - (uint64_t)(uintptr_t)start < size;
}

static uint32_t heap_owner(uint64_t address)
{
    uint64_t offset = address - HEAPS_START;
    return offset < MAIN_HEAP_SIZE ? 0 : 1 + (uint32_t)((offset - MAIN_HEAP_SIZE) / HEAP_SIZE);
}

// Whether what is logged of this address says nothing about the state, or is looked at in another way. Marks of events tell how a
// state came about.
static bool left_out(uint64_t address)
{
    if (address >= HEAPS_START && address < ARENA_END)
        return address >= (uint64_t)(uintptr_t)states.heaps[heap_owner(address)];
    return (address >= STACKS_START && address < STACKS_END) ||
           address - LARGE_STACKS < MAX_ACTORS * LARGE_STACK_ROOM ||
           state_within(address, engine.threads, sizeof engine.threads) ||
           state_within(address, engine.places, PLACES * sizeof *engine.places) ||
           state_within(address, engine.marks, (engine.exec.count + 1ul) * sizeof *engine.marks) ||
           state_within(address, &client_run, sizeof client_run) || race_holds(&engine.races, address) ||
           mixed_holds(address) || descriptors_own(address);
}

// Later calls of one step are about older contents, which count. False if there are too many words.
static bool note_word(uint64_t address, uint64_t before, uint32_t *count)
{
    uint32_t at = (uint32_t)(address * 0x9e3779b97f4a7c15u >> 40) % WORDS;
    while (states.words[at].step == states.step && states.words[at].address != address)
        at = (at + 1) % WORDS;
    struct word *word = &states.words[at];
    if (word->step != states.step) {
        if (*count == WORDS / 2)
            return false;
        states.used[(*count)++] = at;
    }
    *word = (struct word){address, before, states.step};
    return true;
}

static uint64_t bytes_at(const uint8_t *from, size_t size)
{
    if (size >= 8)
        return *(const uint64_t *)from;
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value |= (uint64_t)from[i] << 8 * i;
    return value;
}

static bool note_entry(uint64_t address, const uint8_t *bytes, size_t size, uint32_t *count)
{
    bool noted = true;
    for (size_t at = 0; noted && at < size && !left_out(address); at += 8)
        noted = note_word(address + at, bytes_at(bytes + at, size - at), count);
    return noted;
}

// Whether the operation may release something in another way than an atomic access does, or goes with one that may. Nobody learns
// of the end of a client's thread before all have ended.
static bool orders_otherwise(enum op_kind kind)
{
    bool orders_nothing = kind == OP_CALL || kind == OP_CHOOSE || kind == OP_FAULT || kind == OP_YIELD ||
                          kind == OP_BEGIN || kind == OP_END || kind == OP_JOIN || kind == OP_EXIT;
    return op_table[kind].access == ACCESS_NONE && !orders_nothing;
}

static void begin_order(const struct event *event)
{
    if (states.order == ORDER_ALL)
        accessed_follow();
    if (states.order != ORDER_FRESH)
        return;
    if (orders_otherwise((enum op_kind)event->kind))
        state_needs_order();
    knowledge_begin_fresh(&engine.threads[event->actor]);
}

static void end_order(uint32_t number)
{
    if (states.order == ORDER_ALL)
        accessed_followed();
    if (states.order == ORDER_FRESH)
        states.fresh[number] = knowledge_end_fresh();
}

// What was written before the first event.
static void begin_likeness(void)
{
    const uint8_t *top = engine.undo.top;
    uint32_t count = 0;
    bool noted = true;
    states.step++;
    likeness_begin();
    while (noted && top > engine.undo.start) {
        const struct undo_trailer *trailer = (const struct undo_trailer *)top - 1;
        top = (const uint8_t *)trailer - trailer->stored;
        noted = note_entry(trailer->address, top, trailer->size, &count);
    }
    for (uint32_t i = 0; noted && i < count; i++) {
        const struct word *word = &states.words[states.used[i]];
        likeness_word(word->address, word->before, *(const uint64_t *)(uintptr_t)word->address);
    }
    likeness_begun();
    engine.alike = noted;
}

void state_follow(void)
{
    const uint8_t *from = engine.undo.start + engine.marks[engine.exec.count - 1].undo, *top = engine.undo.top;
    struct fingerprint sum = states.changes[engine.exec.count - 1];
    uint32_t count = 0;
    bool noted = true;
    states.step++;
    begin_order(&engine.exec.events[engine.exec.count - 1]);
    if (engine.alike)
        likeness_follow();
    while (noted && top > from) {
        const struct undo_trailer *trailer = (const struct undo_trailer *)top - 1;
        top = (const uint8_t *)trailer - trailer->stored;
        if (states.order)
            accessed_note(trailer->address, trailer->size);
        noted = note_entry(trailer->address, top, trailer->size, &count);
    }
    while (states.order && top > from) { // where there were too many
        const struct undo_trailer *trailer = (const struct undo_trailer *)top - 1;
        top = (const uint8_t *)trailer - trailer->stored;
        accessed_note(trailer->address, trailer->size);
    }
    if (!noted) // a state like no other: nothing is left out, and nothing saved
        fingerprint_add(&sum, fingerprint_of(UINT64_MAX, states.step));
    if (!noted && engine.alike) // words that are not known here have changed
        likeness_word(UINT64_MAX, 0, states.step);
    for (uint32_t i = 0; i < count; i++) {
        const struct word *word = &states.words[states.used[i]];
        uint64_t mask = ignored_mask(word->address), before = word->before & mask;
        uint64_t now = *(const uint64_t *)(uintptr_t)word->address & mask;
        if (now == before)
            continue;
        if (engine.alike)
            likeness_word(word->address, before, now);
        fingerprint_subtract(&sum, fingerprint_of(word->address, before));
        fingerprint_add(&sum, fingerprint_of(word->address, now));
    }
    states.changes[engine.exec.count] = sum;
    arguments_follow();
    end_order(engine.exec.count - 1);
    if (engine.round_until)
        look_round();
}

// ---- the rest ----

// An object of the thread's own is known by where it is in the thread's memory.
static uint64_t place_called(struct spelling *s, uint32_t number)
{
    uint64_t offset;
    uint32_t owner = s && number ? spelling_owner_of_place(engine.places[number].address, &offset) : OWNER_NONE;
    if (owner == OWNER_NONE)
        return number;
    if (owner == s->self)
        return offset;
    s->mentioned[owner / 64] |= 1ull << (owner % 64);
    return number;
}

static void mix_wide(struct fingerprint *f, struct spelling *s, wide value)
{
    spelling_mix(f, s, (uint64_t)value);
    spelling_mix(f, s, (uint64_t)(value >> 64));
}

// A request may hold leftovers of the one before it, which are no part of it.
static void mix_request(struct fingerprint *f, struct spelling *s, const struct request *r, wide result)
{
    fingerprint_mix(f, r->kind | (uint64_t)r->size << 8 | (uint64_t)r->rmw << 16 | (uint64_t)r->order << 24 |
                           (uint64_t)r->order_failure << 32 | (uint64_t)r->alternatives << 40);
    if (s && op_table[r->kind].names_thread && r->mutex) // another thread is waited for, or asked for
        s->mentioned[r->mutex / 64] |= 1ull << (r->mutex % 64);
    uint64_t other = op_table[r->kind].names_thread ? r->mutex : place_called(s, r->mutex);
    fingerprint_mix(f, place_called(s, r->object));
    fingerprint_mix(f, other);
    uint64_t offset;
    bool own = s && spelling_owner_of_place(r->address, &offset) == s->self;
    // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): what has an owner has an offset
    fingerprint_mix(f, own ? offset : s ? spelling_of(s, r->address) : r->address);
    fingerprint_mix(f, (uint64_t)(uintptr_t)r->pc);
    enum op_request request = op_table[r->kind].request;
    if (request == REQUEST_NOTHING)
        return;
    mix_wide(f, s, r->operand);
    if (request != REQUEST_OPERAND)
        mix_wide(f, s, r->expected);
    if (request == REQUEST_ALL)
        mix_wide(f, s, result);
}

// What a thread stands at: registers and stack.
static void mix_position(struct fingerprint *f, struct spelling *s, const struct thread *t)
{
    mix_request(f, s, &t->request, t->result);
    spelling_mix(f, s, (uint64_t)(uintptr_t)t->sp);
    spelling_mix_words(f, s, t->sp, (size_t)(t->stack_top - (uint8_t *)t->sp) / 8);
}

static void mix_own_variables(struct fingerprint *f, struct spelling *s, const struct thread *t)
{
    size_t size;
    const uint8_t *block = tls_block(t->thread_pointer, &size);
    spelling_mix_words(f, s, block, size / 8);
}

// How the thread stands to whoever joins it.
static uint64_t joining_of(const struct thread *t)
{
    return (is_joined(t) ? t->joiner + 1 : 0) | t->detached << 32;
}

// All of a thread but its number and how it stands to those who join it.
static void mix_record(struct fingerprint *f, struct spelling *s, uint32_t actor)
{
    const struct thread *t = &engine.threads[actor];
    uint32_t state = engine.exec.actors[actor].state;
    bool spinning = t->spinning_since && !spin_over(t);
    fingerprint_mix(f, (uint64_t)state << 32 | (uint64_t)spinning << 40 | (uint64_t)(t->failed != 0) << 41 |
                           (uint64_t)(t->assumed != 0) << 42 | (uint64_t)(t->asleep != 0) << 43 |
                           (uint64_t)(t->timed != 0) << 44 | (uint64_t)(t->woken != 0) << 45 |
                           (uint64_t)(t->ended != 0) << 46);
    fingerprint_mix(f, t->spurious | (uint64_t)t->yields << 32);
    fingerprint_mix(f, t->wait_depth | (uint64_t)(uint32_t)t->saved_errno << 32);
    fingerprint_mix(f, engine.exec.actors[actor].children);
    fingerprint_mix(f, engine.learnt.time_read ? t->now : 0);
    fingerprint_mix(f, engine.learnt.time_read && t->woken ? t->woken_now : 0);
    fingerprint_mix(f, s && actor ? 0 : t->random);
    spelling_mix(f, s, (uint64_t)(uintptr_t)t->reusable);
    spelling_mix(f, s, (uint64_t)(uintptr_t)t->heap_next);
    heap_mix(f, s, states.heaps[actor], t->heap_next);
    if (s && actor && engine.swap_tls)
        mix_own_variables(f, s, t);
}

static bool has_position(uint32_t actor)
{
    uint32_t state = engine.exec.actors[actor].state;
    return state == ACTOR_PARKED || state == ACTOR_WAITING;
}

static void mix_thread(struct fingerprint *f, uint32_t actor)
{
    const struct thread *t = &engine.threads[actor];
    fingerprint_mix(f, actor);
    mix_record(f, NULL, actor);
    fingerprint_mix(f, joining_of(t));
    fingerprint_mix(f, (uint64_t)(uintptr_t)t->value);
    if (has_position(actor))
        mix_position(f, NULL, t);
}

static bool is_in_use(const struct place *p)
{
    return p->state || p->owner || p->depth || p->waiting ||
           (p->waiters[0] | p->waiters[1] | p->waiters[2] | p->waiters[3]);
}

static void mix_places(struct fingerprint *f)
{
    for (uint32_t number = 1; number <= engine.place_count; number++) {
        const struct place *p = &engine.places[number];
        if (!is_in_use(p))
            continue;
        fingerprint_mix(f, number | (uint64_t)p->state << 32);
        fingerprint_mix(f, p->owner | (uint64_t)p->depth << 32);
        fingerprint_mix(f, p->waiting | (uint64_t)p->heir << 32 | (uint64_t)p->write_phase << 48);
        fingerprint_mix_words(f, p->waiters, MAX_ACTORS / 64);
    }
    times_mix(f);
}

_Static_assert(MAX_ACTORS == 256, "is_in_use");

static struct naming own_names; // everybody has their own
static void forget_colours(void);

static void mix_fresh(struct fingerprint *f)
{
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        uint32_t last = engine.exec.actors[actor].last;
        if (engine.exec.actors[actor].state == ACTOR_ABSENT || last == NO_EVENT)
            continue;
        fingerprint_mix(f, states.fresh[last].low ^ actor);
        fingerprint_mix(f, states.fresh[last].high);
    }
}

struct fingerprint state_now(void)
{
    struct fingerprint f = states.changes[engine.exec.count];
    fingerprint_mix(&f, engine.over);
    fingerprint_mix_words(&f, engine.faults, FAULT_FAMILIES);
    for (uint32_t actor = 0; actor < engine.exec.known; actor++)
        if (engine.exec.actors[actor].state != ACTOR_ABSENT)
            mix_thread(&f, actor);
    mix_places(&f);
    descriptors_mix(&f);
    if (!own_names.place[1])
        for (uint32_t actor = 0; actor < MAX_ACTORS; actor++)
            own_names.place[actor] = own_names.actor[actor] = (uint16_t)actor;
    if (states.order == ORDER_ALL) {
        forget_colours();
        knowledge_gather(NULL, NULL);
        knowledge_mix(&f, &own_names);
    } else if (states.order == ORDER_FRESH) {
        mix_fresh(&f);
    }
    return f;
}

bool state_grown(void)
{
    bool more_joins = engine.alike && join_runs_grown(), strayed = arguments_grown();
    arguments_learn();
    likeness_look_whether_any();
    bool own = states.order == ORDER_ALL && (accessed_grown() || more_joins || strayed);
    bool others = commons_take_over();
    if (own)
        commons_grow_alone();
    return own || others;
}

// ---- states of kin ----

struct fingerprint state_of_main(void)
{
    const struct thread *t = &engine.threads[0];
    struct fingerprint f = {1, 1};
    fingerprint_mix(&f, t->wait_depth | (uint64_t)(uint32_t)t->saved_errno << 32);
    fingerprint_mix(&f, engine.learnt.time_read ? t->now : 0);
    fingerprint_mix(&f, (uint64_t)(uintptr_t)t->heap_next);
    mix_position(&f, NULL, t);
    return f;
}

// What is found out about each thread before they are put in order.
static struct {
    struct fingerprint colours[MAX_ACTORS];
    uint64_t pinned[MAX_ACTORS / 64];
    struct join_run run;
    bool runs; // main waits in a run of joins
    bool known;
    bool named, named_openly, sees_stack; // of any thread (spelling.h)
    uint64_t step;                        // of which this is `known`
} kin;

// What is known of accesses is about to be found out for another purpose.
static void forget_colours(void)
{
    kin.step = UINT64_MAX;
}

static bool in_run(uint32_t actor)
{
    return kin.runs && kin.run.awaited[actor / 64] >> (actor % 64) & 1;
}

static void pin(uint32_t actor)
{
    if (actor)
        kin.pinned[actor / 64] |= 1ull << (actor % 64);
}

// While main waits in a run of joins its stack counts for nothing else, but somebody may look there for the array of arguments.
static bool stack_names_arguments(void)
{
    struct spelling s = {.stack = true};
    struct fingerprint nothing = {0, 0};
    if (argument_array.count)
        mix_position(&nothing, &s, &engine.threads[0]);
    return s.named;
}

// Whether main waits for the end of this thread, in a run of joins or alone.
static bool is_awaited(uint32_t actor)
{
    const struct thread *main = &engine.threads[0];
    return in_run(actor) || (engine.exec.actors[0].state == ACTOR_WAITING && main->request.kind == OP_JOIN &&
                             main->request.mutex == actor);
}

// Whether nobody will ask what the thread has returned, or may return yet.
static bool value_is_over(uint32_t actor)
{
    const struct thread *t = &engine.threads[actor];
    if (is_awaited(actor))
        return kin.runs && in_run(actor) && kin.run.asked != actor;
    return t->ended && is_joined(t) && !t->joiner;
}

// Main is where its run of joins ends as soon as all have ended; that somebody has ended who is joined in it is as if it was joined.
static void colour(uint32_t actor)
{
    const struct thread *t = &engine.threads[actor];
    struct spelling s = {.self = actor};
    struct fingerprint *f = &kin.colours[actor];
    *f = (struct fingerprint){2, 2};
    mix_record(f, &s, actor);
    bool awaited = in_run(actor) || (t->ended && is_joined(t) && !t->joiner);
    fingerprint_mix(f, awaited ? 1 : joining_of(t) << 1);
    arguments_mix(f, &s, actor);
    s.stack = !actor;
    if (is_joined(t) && t->joiner) {
        pin(t->joiner);
        pin(actor);
    }
    if (!value_is_over(actor))
        spelling_mix(f, &s, (uint64_t)(uintptr_t)t->value);
    if (!actor && kin.runs) {
        fingerprint_mix(f, kin.run.last.low);
        fingerprint_mix(f, kin.run.last.high);
        s.named |= stack_names_arguments();
    } else if (has_position(actor)) {
        mix_position(f, &s, t);
    }
    if (t->own_stack.low && (uint64_t)(uintptr_t)t->own_stack.low >= STACKS_END)
        pin(actor);
    for (uint32_t i = 0; i < MAX_ACTORS / 64; i++)
        kin.pinned[i] |= s.mentioned[i];
    kin.named |= s.named;
    kin.named_openly |= s.named_openly;
    kin.sees_stack |= s.sees_stack;
}

// Whether somebody could tell which element of the array is whose.
static void look_at_arguments(void)
{
    bool sees_stack = kin.sees_stack || likeness_names_stack();
    if (argument_array.count && (kin.named_openly || likeness_names_arguments() || (kin.named && sees_stack)))
        arguments_named();
}

// What a thread is to an object becomes part of the thread's colour.
static void colour_by(uint32_t actor, uint64_t object, uint64_t how)
{
    fingerprint_add(&kin.colours[actor], fingerprint_of(object, how));
}

enum { OWNS = 1, WAITS };

// False if the object names threads in a way that is not known here.
static bool colour_by_place(uint32_t number)
{
    const struct place *p = &engine.places[number];
    uint64_t offset;
    uint32_t keeper = spelling_owner_of_place(p->address, &offset);
    if (keeper != OWNER_NONE && p->owner != keeper + 1)
        pin(keeper);
    uint64_t object = keeper == OWNER_NONE ? number : offset;
    if (p->owner)
        colour_by(p->owner - 1, object, OWNS | (uint64_t)p->depth << 8);
    for (uint32_t i = 0; i < MAX_ACTORS / 64; i++)
        for (uint64_t bits = p->waiters[i]; bits; bits &= bits - 1) {
            uint32_t actor = i * 64 + (uint32_t)__builtin_ctzll(bits);
            colour_by(actor, object, WAITS);
            if (keeper != OWNER_NONE)
                pin(keeper), pin(actor);
        }
    return !p->waiting && !p->heir && !p->write_phase;
}

static void mix_places_of_kin(struct fingerprint *f, const struct naming *naming)
{
    for (uint32_t number = 1; number <= engine.place_count; number++) {
        const struct place *p = &engine.places[number];
        uint64_t offset, waiters[MAX_ACTORS / 64] = {0};
        if (!is_in_use(p))
            continue;
        uint32_t keeper = spelling_owner_of_place(p->address, &offset);
        if (keeper != OWNER_NONE && p->owner == keeper + 1 && !(kin.pinned[keeper / 64] >> (keeper % 64) & 1))
            fingerprint_mix(f, offset + ((uint64_t)naming->place[keeper] << 48));
        else
            fingerprint_mix(f, number);
        fingerprint_mix(f, p->state | (uint64_t)p->depth << 32);
        fingerprint_mix(f, p->owner ? naming->place[p->owner - 1] + 1u : 0);
        for (uint32_t i = 0; i < MAX_ACTORS / 64; i++)
            for (uint64_t bits = p->waiters[i]; bits; bits &= bits - 1) {
                uint32_t place = naming->place[i * 64 + (uint32_t)__builtin_ctzll(bits)];
                waiters[place / 64] |= 1ull << (place % 64);
            }
        fingerprint_mix_words(f, waiters, MAX_ACTORS / 64);
    }
    times_mix(f);
}

// Finds the colours of all threads. False if nobody can be renamed.
static bool colour_anew(void)
{
    kin.runs = join_runs_now(&kin.run);
    kin.named = kin.named_openly = kin.sees_stack = false;
    for (uint32_t i = 0; i < MAX_ACTORS / 64; i++)
        kin.pinned[i] = 0;
    for (uint32_t actor = 0; actor < engine.exec.known; actor++)
        if (engine.exec.actors[actor].state != ACTOR_ABSENT)
            colour(actor);
    for (uint32_t number = 1; number <= engine.place_count; number++)
        if (is_in_use(&engine.places[number]) && !colour_by_place(number))
            return false;
    likeness_pin_mentioned(kin.pinned);
    descriptors_pin(kin.pinned);
    look_at_arguments();
    return knowledge_gather(kin.runs ? &kin.run : NULL, kin.pinned);
}

static bool colour_all(void)
{
    if (kin.step != engine.step_number) {
        kin.known = likeness_is_possible() && colour_anew();
        kin.step = engine.step_number;
    }
    return kin.known;
}

struct fingerprint state_of_kin(void)
{
    static struct naming naming;
    if (!colour_all()) {
        likeness_order_none();
        return state_now();
    }
    struct fingerprint f = states.changes[engine.exec.count];
    likeness_order(&naming, kin.colours, kin.pinned);
    fingerprint_subtract(&f, likeness_theirs());
    fingerprint_mix(&f, engine.over | 2u);
    fingerprint_mix_words(&f, engine.faults, FAULT_FAMILIES);
    for (uint32_t place = 0; place < engine.exec.known; place++) {
        if (engine.exec.actors[place].state == ACTOR_ABSENT)
            continue;
        fingerprint_mix(&f, place);
        fingerprint_mix(&f, kin.colours[naming.actor[place]].low);
        fingerprint_mix(&f, kin.colours[naming.actor[place]].high);
    }
    mix_places_of_kin(&f, &naming);
    descriptors_mix(&f);
    knowledge_mix(&f, &naming);
    return f;
}

static bool same_with_swap(struct naming *naming, struct fingerprint usual, uint32_t a, uint32_t b)
{
    struct fingerprint f = {0, 0};
    naming->place[a] = naming->actor[a] = (uint16_t)b;
    naming->place[b] = naming->actor[b] = (uint16_t)a;
    knowledge_mix(&f, naming);
    naming->place[a] = naming->actor[a] = (uint16_t)a;
    naming->place[b] = naming->actor[b] = (uint16_t)b;
    return f.low == usual.low && f.high == usual.high;
}

void state_likes(uint16_t *lowest)
{
    static struct naming naming;
    static uint64_t signs[MAX_ACTORS];
    struct fingerprint usual = {0, 0};
    for (uint32_t actor = 0; actor < MAX_ACTORS; actor++)
        lowest[actor] = naming.place[actor] = naming.actor[actor] = (uint16_t)actor;
    if (!colour_all())
        return;
    knowledge_mix(&usual, &naming);
    knowledge_sign(signs);
    for (uint32_t actor = 1; actor < engine.exec.known; actor++)
        for (uint32_t other = 1; other < actor && lowest[actor] == actor; other++)
            if (lowest[other] == other && signs[other] == signs[actor] &&
                likeness_may_swap(other, actor, kin.colours, kin.pinned) &&
                same_with_swap(&naming, usual, other, actor))
                lowest[actor] = (uint16_t)other;
}

void state_reads_time(struct thread *t)
{
    engine.learnt.time_read = true;
    if (states.begun || engine.exec.known > 1) // what threads could have learnt so far was not kept
        search_again(t);
}

void state_shares(uint64_t address, uint64_t size)
{
    if (states.order)
        accessed_share(address, size);
}

void state_needs_order(void)
{
    if (!states.begun || !engine.exec.count || states.order != ORDER_FRESH || engine.learnt.ordered)
        return;
    engine.learnt.ordered = true;
    search_again(NULL);
}

__attribute__((noinline)) void state_clear_stack(void)
{
    uint8_t room[512];
    plain_fill(room, 0, sizeof room);
    __asm__ volatile("" : : "r"(room) : "memory");
}
