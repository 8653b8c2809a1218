// The threads of one program as a target of the search: who is ready, one step, going back.
#include "target/threads/engine/engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "target/threads/memory/arena.h"
#include "target/threads/engine/audit.h"
#include "target/threads/engine/blocks.h"
#include "target/threads/library/exits.h"
#include "target/threads/memory/forking.h"
#include "target/threads/engine/guard.h"
#include "target/threads/memory/image.h"
#include "target/threads/library/modules.h"
#include "target/threads/memory/maps.h"
#include "target/threads/libc/output.h"
#include "target/threads/engine/real.h"
#include "target/threads/engine/state.h"
#include "target/threads/engine/stops.h"
#include "target/threads/engine/turn.h"
#include "target/threads/engine/watch.h"

struct engine engine;

enum { UNDO_BYTES = 1u << 31 };

static RARE void count_outcomes(uint32_t actor)
{
    engine.exec.actors[actor].pending.alternatives = (uint16_t)request_outcomes(&engine.threads[actor]);
}

static bool threads_ready(struct target *target, uint32_t actor)
{
    (void)target;
    struct thread *t = &engine.threads[actor];
    if (unlikely(engine.over || engine.abandoned || t->held == engine.step_number))
        return false;
    if (unlikely(t->request.kind == OP_SIGNAL || t->request.kind == OP_FUTEX_WAKE))
        count_outcomes(actor); // how many wait has changed since it parked
    bool ready = request_ready(t);
    engine.found_ready = ready ? actor + 1 : engine.found_ready;
    return ready;
}

// What was kept before now is kept for another step.
static void begin_step(void)
{
    engine.step_number++;
    engine.found_ready = 0;
    engine.races.kept = NULL;
}

static RARE void inspect(struct mark *mark, uint32_t event)
{
    if (engine.verifying)
        mark->hash = image_hash();
    watch_look(event);
}

// Keeps what going back to this point needs: the thread's record and its live stack.
static IN_PLACE struct mark *keep_thread(struct thread *t, uint32_t event)
{
    struct mark *mark = &engine.marks[event];
    mark->undo = undo_mark(&engine.undo);
    mark->clocks = engine.races.clocks.count;
    mark->pc = (uint64_t)(uintptr_t)t->request.pc;
    mark->sp = t->sp;
    mark->idle = mark->wrote = mark->same = mark->slept = false;
    mark->memory = t->memory;
    if (unlikely(engine.inspecting))
        inspect(mark, event);
    mark->size = (uint32_t)(t->stack_top - (uint8_t *)t->sp);
    mark->stack = mark->undo + undo_size(TURN_KEPT);
    if (unlikely(mark->size > LARGE_STACK))
        mark->large_stack = spin_stack(t);
    turn_keep(t);
    mark->kept = undo_mark(&engine.undo);
    return mark;
}

// A benchmark's step: the operation and nothing about it.
static RARE void carry_out_bare(struct thread *t, uint32_t alternative)
{
    struct exec *x = &engine.exec;
    t->plain = 0;
    enum effect effect = perform(t, alternative);
    x->events[x->count++].actor = (uint16_t)t->actor;
    x->under_way = t->actor + 1;
    exec_leave(x, t->actor, ACTOR_WAITING);
    perform_after(t, effect, alternative);
}

static IN_PLACE enum effect carry_out(struct thread *t, uint32_t alternative, struct mark *mark)
{
    t->spinning_since = 0;
    t->wrote = t->plain = 0;
    t->know.own = 0;
    enum effect effect = perform(t, alternative);
    exec_append(&engine.exec, t->actor, effect, alternative);
    mark->result = (uint64_t)t->result;
    return effect;
}

static RARE void carry_out_recorded(struct thread *t, uint32_t alternative)
{
    const struct request r = t->request;
    uint64_t before = record_value(r.address, r.size);
    enum effect effect = carry_out(t, alternative, &engine.marks[engine.exec.count]);
    record_event(t, effect, before, record_value(r.address, r.size), alternative);
    perform_after(t, effect, alternative);
}

struct errand {
    struct thread *thread;
    uint32_t alternative;
};

static void do_errand(void *errand)
{
    const struct errand *e = errand;
    if (engine.record)
        carry_out_recorded(e->thread, e->alternative);
    else
        perform_after(e->thread, carry_out(e->thread, e->alternative, &engine.marks[engine.exec.count]), e->alternative);
}

// On the thread's own stack, so that a debugger that watches memory stops in the call that changes it.
static RARE void carry_out_there(struct thread *t, uint32_t alternative)
{
    stops_event(t);
    real_call(t, do_errand, &(struct errand){t, alternative});
}

// For a benchmark, under a debugger, or with a record of it.
static RARE void carry_out_otherwise(struct thread *t, uint32_t alternative)
{
    if (engine.bare)
        carry_out_bare(t, alternative);
    else if (engine.real)
        carry_out_there(t, alternative);
    else
        carry_out_recorded(t, alternative);
}

// Whether running `actor` now takes the processor from one that could have gone on: to its next operation, or to a failure
// that would have ended the process.
static RARE bool preempts(uint32_t actor)
{
    uint32_t last = exec_last_to_run(&engine.exec);
    if (last == actor)
        return false;
    return engine.threads[last].failed || (exec_is_parked(&engine.exec, last) && threads_ready(&engine.target, last));
}

static RARE void count_preemption(uint32_t actor)
{
    uint32_t at = engine.exec.count;
    engine.preemptions[at] = (at ? engine.preemptions[at - 1] : 0) + preempts(actor);
}

static CROSSES_SWITCH bool threads_settle(struct target *target, uint32_t actor)
{
    (void)target;
    return thread_settle(&engine.threads[actor]);
}

static bool threads_goes_on(struct target *target, uint32_t actor)
{
    (void)target;
    return blocks_goes_on(&engine.threads[actor]);
}

static bool threads_in_vain(struct target *target, uint32_t actor)
{
    (void)target;
    const struct thread *t = &engine.threads[actor];
    return t->spinning_since && spin_over(t);
}

static void threads_hold(struct target *target, uint32_t actor)
{
    (void)target;
    engine.threads[actor].held = engine.step_number;
    engine.found_ready = 0;
}

static RARE bool settle_some(void)
{
    bool some = false;
    for (uint32_t actor = 0; actor < engine.exec.known; actor++)
        some |= threads_settle(&engine.target, actor);
    return some;
}

bool target_settle(void)
{
    bool some = false;
    while (!engine.over && settle_some())
        some = true;
    return some;
}

// Whether the actor can take a step, if need be after others that could have gone on already have created it, or have
// let go of what it waits for.
static bool can_step(uint32_t actor)
{
    bool some = true;
    while (some && !(exec_is_parked(&engine.exec, actor) && threads_ready(&engine.target, actor)))
        some = settle_some();
    return some;
}

// Whether the step is to be taken. In a program that does the same each time it always can be, so that is looked into
// only where it is doubtful. (Who cannot step may spin, as it did not where its step was planned; the guard lets it.)
static __attribute__((noinline)) bool may_step_anyway(uint32_t actor, uint32_t alternative)
{
    if (engine.target.lost)
        return false;
    return (can_step(actor) && !alternative && !engine.repeating) || guard_before(actor, alternative);
}

static IN_PLACE bool may_step(uint32_t actor, uint32_t alternative)
{
    bool sure = engine.found_ready == actor + 1 && !alternative && !engine.repeating && !engine.target.lost;
    return sure || may_step_anyway(actor, alternative);
}

// Whether the thread, which has just carried out an operation of this kind, cannot go on by itself.
static RARE bool rests(struct thread *t, enum op_kind kind)
{
    engine.marks[engine.exec.count - 1].slept = t->asleep;
    bool gate = kind == OP_BARRIER || kind == OP_CROWDED_BARRIER;
    if (gate)
        barrier_arrived(&engine.places[t->request.object]);
    return gate || t->asleep || (kind == OP_WAIT && !engine.unlock_visible);
}

// Runs a thread whose operation was carried out up to its next one, or to its end.
static IN_PLACE void run_to_next(struct thread *t)
{
    turn_resume(t, &engine.engine_sp);
    if (unlikely(t->ended))
        thread_has_ended(t);
    if (exec_is_parked(&engine.exec, t->actor) && likely(!engine.bare))
        spin_look(t);
}

static CROSSES_SWITCH void threads_step(struct target *target, uint32_t actor, uint32_t alternative)
{
    (void)target;
    struct thread *t = &engine.threads[actor];
    __asm__("" : "+r"(t)); // or its address would be computed anew at each use
    if (!may_step(actor, alternative))
        return;
    if (unlikely(engine.forking))
        forking_checkpoint();
    if (unlikely(engine.preemptions != NULL))
        count_preemption(actor);
    uint32_t number = engine.exec.count;
    engine.steps[number] = (struct step){(uint16_t)actor, (uint16_t)alternative};
    *engine.steps_taken = number + 1;
    begin_step();
    struct mark *mark = keep_thread(t, number);
    if (unlikely(engine.keep_sites))
        sites_note(t, number);
    const enum op_kind kind = t->request.kind;
    if (unlikely(engine.bare | engine.real | engine.record))
        carry_out_otherwise(t, alternative);
    else
        perform_after(t, carry_out(t, alternative, mark), alternative);
    if (op_is_simple(kind) || !rests(t, kind))
        run_to_next(t);
    if (unlikely(engine.matching))
        state_follow();
}

// What an execution leaves behind besides memory: failures of steps that are still there stay.
static void forget(uint32_t events)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < engine.failure_count; i++)
        if (engine.failures[i].event + 1 <= events) // those from before the first event have number -1
            engine.failures[kept++] = engine.failures[i];
    engine.failure_count = kept;
    bool assumed = engine.assumed;
    engine.over = engine.assumed = engine.abandoned = false;
    for (uint32_t actor = 0; assumed && actor < engine.exec.known; actor++)
        engine.assumed |= engine.exec.actors[actor].state == ACTOR_STOPPED && engine.threads[actor].assumed;
    update_alone();
}

// Puts back what event `number` and its step changed. Of the saved records and stacks of one thread only the oldest
// that goes counts; `since` is the first event that goes.
static void take_back(uint32_t number, uint32_t since)
{
    const struct mark *mark = &engine.marks[number];
    uint32_t earlier = engine.exec.events[number].old_last;
    if (earlier != NO_EVENT && earlier >= since && !engine.record) {
        undo_to(&engine.undo, mark->kept);
        undo_forget(&engine.undo, mark->undo);
    } else {
        undo_to(&engine.undo, mark->undo);
    }
}

void target_go_back(uint32_t events)
{
    if (unlikely(maps_count))
        maps_open();
    if (events < engine.exec.count)
        engine.races.clocks.count = engine.marks[events].clocks;
    for (uint32_t number = engine.exec.count; number-- > events;)
        take_back(number, events);
    if (unlikely(maps_count))
        maps_close();
    exec_cut(&engine.exec, events);
    forget(events);
    begin_step();
}

void target_take_back(void)
{
    target_go_back(0);
    maps_open();
    undo_to(&engine.undo, engine.start_mark);
    maps_renew();
    engine.races.clocks.count = engine.start_clocks;
}

// What is looked at in front of a step that is repeated.
static RARE void inspect_repeated(uint32_t event)
{
    if (engine.fills_stacks)
        audit_fill_stacks();
    watch_repeated(event);
}

// The steps that the last execution took after `from` events, up to `events`.
static void repeat(uint32_t from, uint32_t events)
{
    engine.repeating = true;
    for (uint32_t i = from; i < events && !engine.target.lost; i++) {
        const struct step s = engine.steps[i];
        if (unlikely(engine.inspecting | engine.fills_stacks))
            inspect_repeated(i + 1);
        if (op_table[engine.threads[s.actor].request.kind].at_most == EFFECT_ALL)
            target_settle(); // as the search does, since it is too late afterwards
        threads_step(&engine.target, s.actor, s.alternative);
        if (!engine.target.lost && !guard_after())
            break;
    }
    engine.repeating = false;
}

void target_run_again(uint32_t events)
{
    guard_expect(0, events);
    target_take_back();
    if (engine.forking)
        forking_again(0);
    image_restore();
    exec_restart(&engine.exec);
    engine.failure_count = 0;
    forget(0);
    output_forget();
    if (engine.inspecting | engine.fills_stacks)
        inspect_repeated(0);
    engine_first_run();
    repeat(0, events);
}

// What heddle knows goes back to a checkpoint by the log, in the old process; the program's memory is that of the new one.
static void run_again_from(uint32_t level, uint32_t events)
{
    uint32_t from = forking_events(level);
    guard_expect(from, events);
    target_go_back(from);
    engine.used_checkpoints = true;
    forking_again(level);
    repeat(from, events);
}

enum { LONG_PREFIX = 8000, EARLY_RESTARTS = 64 };

// Repeating that much each time costs more than a process does; later on too much would be lost by beginning anew.
static bool is_too_long(uint32_t events)
{
    static uint32_t restarts;
    return engine.may_fork && events >= LONG_PREFIX && restarts++ < EARLY_RESTARTS;
}

static void start_again(uint32_t events)
{
    uint32_t level = engine.forking ? forking_level(events) : 0;
    if (level) {
        run_again_from(level, events);
    } else if (is_too_long(events)) {
        engine.long_prefix = events;
        search_again(NULL);
    } else {
        target_run_again(events);
    }
}

static void threads_restart(struct target *target, uint32_t events)
{
    (void)target;
    if (engine.target.lost)
        return;
    uint64_t hash = events < engine.exec.count ? engine.marks[events].hash : 0;
    engine.last_restart = events;
    engine.restarts++;
    if (engine.undoing)
        target_go_back(events);
    else
        start_again(events);
    if (engine.verifying && hash && hash != image_hash())
        engine.diverged = true;
    if (unlikely(engine.restarts >= engine.next_audit) && engine.undoing)
        audit_branch(events); // runs the prefix again, after which those who can join may not have done so yet
}

static void threads_surprise(struct target *target, uint32_t actor, struct op op)
{
    (void)target;
    guard_surprise(actor, op.kind, op.object);
}

void engine_init(uint32_t max_steps, struct step *steps, volatile uint32_t *steps_taken)
{
    uint32_t limit = max_steps + 1;
    exec_init(&engine.exec, limit, PLACES);
    undo_init(&engine.undo, UNDO_BYTES);
    race_init(&engine.races, &engine.undo);
    engine.places = mem_reserve(PLACES * sizeof *engine.places);
    engine.place_table = mem_reserve((size_t)2 * PLACES * sizeof *engine.place_table);
    engine.marks = mem_reserve((limit + 1) * sizeof *engine.marks);
    engine.steps = steps;
    engine.steps_taken = steps_taken;
    engine.calls = mem_reserve(MAX_ACTORS * sizeof *engine.calls);
    engine.errno_place = &errno;
    shadow_cell(&engine.races.shadow, (uint64_t)(uintptr_t)engine.errno_place)->state |= CELL_PRIVATE;
    engine.target = (struct target){.exec = &engine.exec,
                                    .ready = threads_ready,
                                    .step = threads_step,
                                    .settle = threads_settle,
                                    .goes_on = threads_goes_on,
                                    .in_vain = threads_in_vain,
                                    .hold = threads_hold,
                                    .restart = threads_restart,
                                    .surprise = threads_surprise};
    engine.step_number = 1; // nothing was kept in a step of this number
    engine.start_mark = undo_mark(&engine.undo);
    engine.start_clocks = engine.races.clocks.count;
}

// The program's constructors and main, as the first thread. Returning from main ends the process; in a copy of it that was
// made by fork there is nobody who runs.
static void *run_main(void *nothing)
{
    (void)nothing;
    fiber_clear_registers();
    modules_construct(engine.argc, engine.argv, engine.envp);
    if (engine.record)
        record_silent(engine.running, SILENT_MAIN, 0, 0, 0, (const char *)(uintptr_t)engine.main + 1);
    int status = engine.main(engine.argc, engine.argv, engine.envp);
    if (!engine.running)
        exit(status);
    exits_leave(engine.running, status, (const char *)(uintptr_t)engine.main + 1);
}

void engine_first_run(void)
{
    struct thread *t = &engine.threads[0];
    begin_step();
    thread_begin(t, 0, arena_stack(0, arena_main_stack()), run_main, NULL, NULL);
    engine.alone = true;
    thread_resume(t, &engine.engine_sp);
}
