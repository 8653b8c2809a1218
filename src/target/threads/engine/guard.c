#include "target/threads/engine/guard.h"

#include "base/mem.h"
#include "target/threads/engine/engine.h"
#include "target/threads/engine/execution.h"
#include "target/threads/engine/perform.h"

struct expected {
    uint16_t actor;
    uint8_t kind, effect;
    uint32_t object;
    uint64_t pc, result;
};

struct left { // what an actor is left with at the end
    uint32_t state, kind, object;
    uint64_t pc;
};

static struct expected *expected;
static uint32_t expected_count;

void guard_expect(uint32_t from, uint32_t events)
{
    const struct exec *x = &engine.exec;
    if (!expected)
        expected = mem_reserve((x->limit + 1ull) * sizeof *expected);
    for (uint32_t i = from; i < events; i++) {
        const struct event *e = &x->events[i];
        expected[i] =
            (struct expected){e->actor, e->kind, e->effect, e->object, engine.marks[i].pc, engine.marks[i].result};
    }
    expected_count = events;
}

static uint64_t guard_address_of(uint32_t object)
{
    return object ? engine.places[object].address : 0;
}

static struct difference_side side_expected(uint32_t event)
{
    const struct expected *e = &expected[event];
    return (struct difference_side){.actor = e->actor,
                                    .op = e->kind,
                                    .state = ACTOR_PARKED,
                                    .effect = e->effect,
                                    .address = guard_address_of(e->object),
                                    .pc = e->pc,
                                    .result = e->result};
}

// What the actor is about to do, or that it is about to do nothing.
static struct difference_side side_pending(uint32_t actor)
{
    const struct actor *a = &engine.exec.actors[actor];
    const struct request *r = &engine.threads[actor].request;
    struct difference_side side = {.actor = actor, .state = a->state};
    if (a->state == ACTOR_PARKED || a->state == ACTOR_WAITING) {
        side.op = r->kind;
        side.address = guard_address_of(r->object);
        side.pc = (uint64_t)(uintptr_t)r->pc;
    }
    return side;
}

static void guard_differ(enum difference_kind kind, uint32_t event, struct difference_side was,
                         struct difference_side is)
{
    if (!engine.diverged)
        engine.difference = (struct difference){kind, event, was, is};
    engine.diverged = engine.target.lost = true;
}

// As if it did not spin: whether it is seen to do so depends on what earlier executions left on its stack.
static bool could_run(struct thread *t)
{
    uint32_t since = t->spinning_since;
    t->spinning_since = 0;
    bool ready = engine.target.ready(&engine.target, t->actor); // which also counts the outcomes
    t->spinning_since = since;
    return ready;
}

bool guard_before(uint32_t actor, uint32_t alternative)
{
    uint32_t at = engine.exec.count;
    if (engine.target.lost)
        return false;
    bool known = engine.repeating && at < expected_count;
    struct thread *t = &engine.threads[actor];
    const struct op *op = &engine.exec.actors[actor].pending;
    bool possible =
        exec_is_parked(&engine.exec, actor) && could_run(t) && (!alternative || alternative < request_outcomes(t));
    if (known && exec_is_parked(&engine.exec, actor) &&
        (op->kind != expected[at].kind || op->object != expected[at].object))
        guard_differ(DIFFERENCE_OPERATION, at, side_expected(at), side_pending(actor));
    else if (!possible)
        guard_differ(DIFFERENCE_BLOCKED, at, known ? side_expected(at) : (struct difference_side){.actor = actor},
                     side_pending(actor));
    return !engine.target.lost;
}

// Only the last digits of the object's number are known. They name its place if there are few places.
void guard_surprise(uint32_t actor, uint32_t kind, uint32_t object)
{
    struct difference_side was = {.actor = actor, .op = kind, .state = ACTOR_PARKED};
    if (object <= engine.place_count && engine.place_count <= UINT16_MAX)
        was.address = guard_address_of(object);
    guard_differ(DIFFERENCE_OPERATION, engine.exec.count, was, side_pending(actor));
}

bool guard_after(void)
{
    uint32_t at = engine.exec.count - 1;
    const struct event *e = &engine.exec.events[at];
    if (!engine.repeating || at >= expected_count)
        return true;
    if (e->effect != expected[at].effect || engine.marks[at].result != expected[at].result) {
        struct difference_side is = side_expected(at);
        is.effect = e->effect;
        is.result = engine.marks[at].result;
        is.pc = engine.marks[at].pc;
        guard_differ(DIFFERENCE_OUTCOME, at, side_expected(at), is);
    }
    return !engine.target.lost;
}

static struct left left_with(uint32_t actor)
{
    const struct actor *a = &engine.exec.actors[actor];
    bool parked = a->state == ACTOR_PARKED;
    return (struct left){a->state, parked ? a->pending.kind : OP_NONE, parked ? a->pending.object : 0,
                         (uint64_t)(uintptr_t)engine.threads[actor].request.pc};
}

static void compare_ends(const struct left *before, uint32_t known)
{
    for (uint32_t actor = 0; actor < engine.exec.known && !engine.target.lost; actor++) {
        struct left is = left_with(actor), was = actor < known ? before[actor] : (struct left){.state = ACTOR_ABSENT};
        if (was.state == is.state && was.kind == is.kind && was.object == is.object)
            continue;
        struct difference_side old = {
            .actor = actor, .op = was.kind, .state = was.state, .address = guard_address_of(was.object), .pc = was.pc};
        guard_differ(DIFFERENCE_END, engine.exec.count, old, side_pending(actor));
    }
}

bool guard_repeat(void)
{
    static struct left before[MAX_ACTORS];
    target_settle(); // who goes on when is up to the search
    uint32_t known = engine.exec.known, events = engine.exec.count;
    for (uint32_t actor = 0; actor < known; actor++)
        before[actor] = left_with(actor);
    target_run_again(events);
    if (!engine.target.lost)
        target_settle();
    compare_ends(before, known);
    return !engine.target.lost;
}
