#include "target/threads/engine/state.h"

#include "base/mem.h"
#include "target/threads/memory/arena.h"
#include "target/threads/engine/client.h"
#include "target/threads/libc/public.h"

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
    uint8_t *fresh[MAX_ACTORS]; // heaps from there on
    struct word *words;
    uint32_t used[WORDS / 2];
    uint64_t step;
} states;

void state_prepare(void)
{
    if (!states.changes) {
        states.changes = mem_reserve((engine.exec.limit + 1ull) * sizeof *states.changes);
        states.words = mem_reserve(WORDS * sizeof *states.words);
    }
    engine.matching = engine.closer = true;
}

void state_begin(void)
{
    for (uint32_t actor = 0; actor < MAX_ACTORS; actor++)
        states.fresh[actor] =
            engine.exec.actors[actor].state == ACTOR_ABSENT ? arena_heap(actor) : engine.threads[actor].heap_next;
    states.changes[engine.exec.count] = (struct fingerprint){0, 0};
}

void state_end(void)
{
    engine.matching = false;
    engine.closer = engine.record || engine.annotated;
}

// ---- changed words ----

static bool within(uint64_t address, const void *start, size_t size)
{
    return address - (uint64_t)(uintptr_t)start < size;
}

static uint32_t heap_owner(uint64_t address)
{
    uint64_t offset = address - HEAPS_START;
    return offset < MAIN_HEAP_SIZE ? 0 : 1 + (uint32_t)((offset - MAIN_HEAP_SIZE) / HEAP_SIZE);
}

// Whether what is logged of this address says nothing about the state, or is looked at in another way.
static bool left_out(uint64_t address)
{
    if (address >= HEAPS_START && address < ARENA_END)
        return address >= (uint64_t)(uintptr_t)states.fresh[heap_owner(address)];
    return (address >= STACKS_START && address < STACKS_END) ||
           within(address, engine.threads, sizeof engine.threads) ||
           within(address, engine.places, PLACES * sizeof *engine.places) ||
           within(address, &client_run, sizeof client_run) || race_holds(&engine.races, address) ||
           mixed_holds(address);
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

void state_follow(void)
{
    const uint8_t *from = engine.undo.start + engine.marks[engine.exec.count - 1].undo, *top = engine.undo.top;
    struct fingerprint sum = states.changes[engine.exec.count - 1];
    uint32_t count = 0;
    bool noted = true;
    states.step++;
    while (noted && top > from) {
        const struct undo_trailer *trailer = (const struct undo_trailer *)top - 1;
        top = (const uint8_t *)trailer - trailer->stored;
        noted = note_entry(trailer->address, top, trailer->size, &count);
    }
    if (!noted) // a state like no other: nothing is left out, and nothing saved
        fingerprint_add(&sum, fingerprint_of(UINT64_MAX, states.step));
    for (uint32_t i = 0; i < count; i++) {
        const struct word *word = &states.words[states.used[i]];
        uint64_t now = *(const uint64_t *)(uintptr_t)word->address;
        if (now == word->before)
            continue;
        fingerprint_subtract(&sum, fingerprint_of(word->address, word->before));
        fingerprint_add(&sum, fingerprint_of(word->address, now));
    }
    states.changes[engine.exec.count] = sum;
}

// ---- the rest ----

// What is left over in a request from the one before it is no part of it.
static void mix_request(struct fingerprint *f, const struct request *r, wide result)
{
    fingerprint_mix(f, r->kind | (uint64_t)r->size << 8 | (uint64_t)r->rmw << 16 | (uint64_t)r->order << 24 |
                           (uint64_t)r->order_failure << 32 | (uint64_t)r->alternatives << 40);
    fingerprint_mix(f, r->object | (uint64_t)r->mutex << 32);
    fingerprint_mix(f, r->address);
    fingerprint_mix(f, (uint64_t)(uintptr_t)r->pc);
    enum op_access access = op_table[r->kind].access;
    bool plain = r->kind == OP_LOAD || access == ACCESS_VOLATILE || access == ACCESS_PLAIN || r->kind == OP_LOCK ||
                 r->kind == OP_TRYLOCK || r->kind == OP_UNLOCK || r->kind == OP_CALL || r->kind == OP_CHOOSE ||
                 r->kind == OP_YIELD;
    if (plain)
        return;
    fingerprint_mix_words(f, &r->operand, 2);
    if (r->kind != OP_STORE && r->kind != OP_RMW)
        fingerprint_mix_words(f, &r->expected, 2);
    if (r->kind != OP_STORE && r->kind != OP_RMW && r->kind != OP_CAS)
        fingerprint_mix_words(f, &result, 2);
}

static void mix_thread(struct fingerprint *f, uint32_t actor)
{
    const struct thread *t = &engine.threads[actor];
    uint32_t state = engine.exec.actors[actor].state;
    bool spinning = t->spinning_since && !spin_over(t);
    fingerprint_mix(f, actor | (uint64_t)state << 32 | (uint64_t)spinning << 40 | (uint64_t)(t->failed != 0) << 41 |
                           (uint64_t)(t->assumed != 0) << 42 | (uint64_t)(t->asleep != 0) << 43 |
                           (uint64_t)(t->timed != 0) << 44 | (uint64_t)(t->woken != 0) << 45 |
                           (uint64_t)(t->ended != 0) << 46);
    fingerprint_mix(f, (is_joined(t) ? t->joiner + 1 : 0) | t->detached << 32);
    fingerprint_mix(f, t->spurious | (uint64_t)t->yields << 32);
    fingerprint_mix(f, t->wait_depth | (uint64_t)(uint32_t)t->saved_errno << 32);
    fingerprint_mix(f, engine.exec.actors[actor].children);
    fingerprint_mix(f, t->now);
    fingerprint_mix(f, t->random);
    fingerprint_mix(f, (uint64_t)(uintptr_t)t->value);
    fingerprint_mix(f, (uint64_t)(uintptr_t)t->reusable);
    fingerprint_mix(f, (uint64_t)(uintptr_t)t->heap_next);
    fingerprint_mix_words(f, states.fresh[actor], (size_t)(t->heap_next - states.fresh[actor]) / 8);
    if (state != ACTOR_PARKED && state != ACTOR_WAITING)
        return;
    mix_request(f, &t->request, t->result);
    fingerprint_mix(f, (uint64_t)(uintptr_t)t->sp);
    fingerprint_mix_words(f, t->sp, (size_t)(t->stack_top - (uint8_t *)t->sp) / 8);
}

static void mix_places(struct fingerprint *f)
{
    for (uint32_t number = 1; number <= engine.place_count; number++) {
        const struct place *p = &engine.places[number];
        if (!p->state && !p->owner && !p->depth && !p->waiting &&
            !(p->waiters[0] | p->waiters[1] | p->waiters[2] | p->waiters[3]))
            continue;
        fingerprint_mix(f, number | (uint64_t)p->state << 32);
        fingerprint_mix(f, p->owner | (uint64_t)p->depth << 32);
        fingerprint_mix(f, p->waiting | (uint64_t)p->heir << 32 | (uint64_t)p->write_phase << 48);
        fingerprint_mix_words(f, p->waiters, MAX_ACTORS / 64);
    }
}

_Static_assert(MAX_ACTORS == 256, "mix_places");

struct fingerprint state_now(void)
{
    struct fingerprint f = states.changes[engine.exec.count];
    fingerprint_mix(&f, engine.over);
    for (uint32_t actor = 0; actor < engine.exec.known; actor++)
        if (engine.exec.actors[actor].state != ACTOR_ABSENT)
            mix_thread(&f, actor);
    mix_places(&f);
    return f;
}

__attribute__((noinline)) void state_clear_stack(void)
{
    uint8_t room[512];
    plain_fill(room, 0, sizeof room);
    __asm__ volatile("" : : "r"(room) : "memory");
}
