#include "target/threads/engine/aftermath.h"

#include "target/threads/engine/engine.h"
#include "target/threads/memory/memory_room.h"

_Static_assert(MAX_FAILURES <= 8 * sizeof((struct bug *)0)->after, "a bit for each failure");

static bool same_memory(const struct bug *a, const struct bug *b)
{
    if (!a->address || !b->address || !bug_traits(a->kind)->object || !bug_traits(b->kind)->object)
        return false;
    uint64_t block = heap_block_start(a->address);
    if (block)
        return block == heap_block_start(b->address);
    return a->address < b->address + (b->size ? b->size : 1) && b->address < a->address + (a->size ? a->size : 1);
}

// What `actor` knows of the events of another.
static uint32_t known_of(uint32_t actor, uint32_t other)
{
    const struct exec *x = &engine.exec;
    uint32_t most = clock_lane(&x->clocks, x->actors[actor].clock, other);
    for (uint32_t i = 0; i < x->unlearnt_count; i++) {
        uint32_t lane = clock_lane(&x->clocks, x->unlearnt[i], other);
        most = lane > most ? lane : most;
    }
    return most;
}

// A thread that failed before its first event has none that anybody could know; its parent knows when it has ended.
static bool can_know(uint32_t actor, const struct bug *earlier)
{
    const struct exec *x = &engine.exec;
    if (actor == earlier->actor)
        return true;
    if (!earlier->nth && x->actors[earlier->actor].state == ACTOR_ENDED && x->actors[earlier->actor].parent == actor)
        return true;
    return known_of(actor, earlier->actor) >= (earlier->nth ? earlier->nth : 1);
}

// Two races between the same threads, with nothing in between that could order anything: it is one lock that is missing.
static bool same_race(const struct bug *newest, const struct bug *earlier)
{
    return newest->actor == earlier->actor && newest->other == earlier->other && newest->nth == earlier->nth;
}

// After a race all goes on: it is no reason for one on other memory, nor for what is found at the end.
static bool aftermath_follows(const struct bug *newest, const struct bug *earlier)
{
    if (same_memory(newest, earlier))
        return true;
    const struct bug_traits *first = bug_traits(earlier->kind), *then = bug_traits(newest->kind);
    if (first->goes_on && then->goes_on)
        return same_race(newest, earlier);
    if (first->goes_on && then->of_whole_run)
        return false;
    return can_know(newest->actor, earlier);
}

void aftermath_note(struct bug *newest)
{
    uint32_t count = (uint32_t)(newest - engine.failures);
    newest->nth = engine.exec.actors[newest->actor].events;
    newest->after = 0;
    for (uint32_t i = 0; i < count; i++)
        if (aftermath_follows(newest, &engine.failures[i]))
            newest->after |= 1u << i;
}
