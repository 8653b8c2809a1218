#include "fuzz/check_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "explore/search.h"
#include "fuzz/machine.h"
#include "repair/segments.h"

// Instructions from `from` up to, but not including, `to` of each thread are its block.
struct blocks {
    struct machine m;    // first
    struct target plain; // the machine's own functions
    uint32_t from[MAX_THREADS], to[MAX_THREADS];
    uint64_t moves, held[MAX_ACTORS];
    struct set traces;
    uint64_t finished;
};

static struct blocks *self(struct target *target)
{
    return (struct blocks *)target;
}

static uint32_t thread_of(const struct blocks *b, uint32_t actor)
{
    uint32_t t = 0;
    while (b->m.now.thread[t].actor != actor)
        t++;
    return t;
}

static bool in_block(const struct blocks *b, uint32_t t, uint32_t pc)
{
    return b->from[t] <= pc && pc < b->to[t];
}

static bool goes_on(struct target *target, uint32_t actor)
{
    const struct blocks *b = self(target);
    uint32_t last = b->m.exec.actors[actor].last, t = thread_of(b, actor);
    return last != NO_EVENT && in_block(b, t, b->m.saved[last].thread[t].pc) && in_block(b, t, b->m.now.thread[t].pc);
}

static void hold(struct target *target, uint32_t actor)
{
    struct blocks *b = self(target);
    b->held[actor] = b->moves;
}

static bool ready(struct target *target, uint32_t actor)
{
    struct blocks *b = self(target);
    return b->held[actor] != b->moves && b->plain.ready(target, actor);
}

static void step(struct target *target, uint32_t actor, uint32_t alternative)
{
    struct blocks *b = self(target);
    b->plain.step(target, actor, alternative);
    b->moves++;
}

static void restart(struct target *target, uint32_t events)
{
    struct blocks *b = self(target);
    b->plain.restart(target, events);
    b->moves++;
}

// ---- executions ----

static bool is_over(struct blocks *b)
{
    for (uint32_t actor = 0; actor < b->m.exec.known; actor++)
        if (exec_is_parked(&b->m.exec, actor) && ready(&b->m.target, actor))
            return false;
    return true;
}

// Whether nobody is left waiting. (A block that cannot be finished was begun in the one search, and not in the other.)
static bool all_ended(const struct blocks *b)
{
    for (uint32_t t = 0; t < b->m.program->threads; t++)
        if (b->m.now.thread[t].status != IS_ENDED && b->m.now.thread[t].status != IS_STOPPED)
            return false;
    return true;
}

static uint32_t event_number(const struct exec *x, uint32_t actor, uint32_t index)
{
    uint32_t i = 0;
    while (x->events[i].actor != actor || x->events[i].index != index)
        i++;
    return i;
}

static uint32_t edges_of(const struct exec *x, struct segment_edge *edge)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < x->count; i++)
        for (uint32_t actor = 0; actor < x->known; actor++) {
            uint32_t index = clock_lane(&x->clocks, x->events[i].clock, actor);
            if (actor != x->events[i].actor && index)
                edge[count++] = (struct segment_edge){event_number(x, actor, index), i};
        }
    return count;
}

// Whether the blocks forbid the execution.
static bool is_forbidden(const struct blocks *b)
{
    const struct exec *x = &b->m.exec;
    static struct segment_event event[MACHINE_STEPS];
    static struct segment_edge edge[MACHINE_STEPS * SEGMENT_ACTORS];
    static uint32_t node[MACHINE_STEPS];
    for (uint32_t i = 0; i < x->count; i++) {
        uint32_t before = x->events[i].old_last, t = thread_of(b, x->events[i].actor);
        event[i] = (struct segment_event){x->events[i].actor, 0};
        bool joined = before != NO_EVENT && in_block(b, t, b->m.saved[before].thread[t].pc) &&
                      in_block(b, t, b->m.saved[i].thread[t].pc);
        node[i] = joined ? node[before] : i;
    }
    struct segment_run run = {event, x->count, edge, edges_of(x, edge)};
    return segments_circle(&run, node);
}

static bool on_leaf(void *context, bool whole)
{
    struct blocks *b = context;
    (void)whole;
    if (!is_over(b) || !all_ended(b) || is_forbidden(b))
        return true;
    b->finished++;
    set_add(&b->traces, b->m.now.trace);
    return true;
}

static struct blocks *explore(const struct program *p, enum strategy_kind strategy, const struct blocks *like,
                              uint64_t most, bool *whole)
{
    struct blocks *b = calloc(1, sizeof *b);
    require(b);
    machine_init(&b->m, p);
    memcpy(b->from, like->from, sizeof b->from);
    memcpy(b->to, like->to, sizeof b->to);
    b->plain = b->m.target;
    b->moves = 1;
    b->m.target.ready = ready;
    b->m.target.step = step;
    b->m.target.restart = restart;
    b->m.target.goes_on = goes_on;
    b->m.target.hold = hold;
    struct strategy_options options = {.preemptions = NO_BOUND};
    struct search search = {.strategy = strategy_new(strategy, &b->m.target, &options),
                            .max_executions = most,
                            .max_steps = MACHINE_STEPS,
                            .leaf = on_leaf,
                            .context = b};
    *whole = search_run(&search) == SEARCH_DONE;
    search.strategy->free(search.strategy);
    return b;
}

static void end(struct blocks *b)
{
    machine_free(&b->m);
    set_free(&b->traces);
    free(b);
}

static const char *compare(const struct program *p, const struct blocks *like, uint64_t most, struct tally *tally)
{
    bool one, other;
    struct blocks *all = explore(p, STRATEGY_DPOR, like, most, &one),
                  *kept = explore(p, STRATEGY_ATOMIC, like, most * 10, &other);
    const char *wrong = NULL;
    tally->with_blocks += one && other;
    if (!one || !other)
        wrong = NULL; // too many
    else if (!set_equal(&all->traces, &kept->traces))
        wrong = "atomic does not find what blocks leave possible";
    else if (kept->finished != kept->traces.count && !program_has(p, DO_CHOOSE) && !program_has(p, DO_SIGNAL) &&
             !program_has(p, DO_FAULT))
        wrong = "atomic meets a trace twice";
    end(all);
    end(kept);
    return wrong;
}

const char *check_blocks(const struct program *p, const struct set *traces, uint64_t seed, struct tally *tally)
{
    static struct blocks none, some;
    enum { FEW_TRACES = 500 };
    if (p->threads >= SEGMENT_ACTORS || traces->count > FEW_TRACES)
        return NULL;
    memset(&some, 0, sizeof some);
    for (uint32_t t = 0; t < p->threads; t++) {
        some.from[t] = p->length[t] ? (uint32_t)(splitmix(&seed) % p->length[t]) : 0;
        some.to[t] = some.from[t] + (uint32_t)(splitmix(&seed) % 4);
    }
    const char *wrong = compare(p, &none, traces->count * 200ull + 1000, tally);
    return wrong ? wrong : compare(p, &some, traces->count * 200ull + 1000, tally);
}
