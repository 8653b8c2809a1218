// The threads of one program as a target of the search: who is ready, one step, going back.
//
// Some things that threads do are no events, because no other thread could tell when they happened. The recorded trace
// has them all (enum trace_silent in model/trace.h); rows of a report's table without a number are these.
//
// - Creating a thread: the child runs at once up to its first visible operation. What it does before that is plain, so
//   without races it does not matter when.
// - The end of a thread: only a join can see it. (With tries to join it is an event, OP_END.)
// - A join commutes with whatever others do. A thread that waits for the end of another goes on as part of the step
//   that ends the other (thread_run_on). In `optimal` it may go on later: when nothing else can run, or when a planned
//   step needs what it does next (`settle` in model/target.h). Going on late saves running `main` once for
//   each thread that it joins.
// - Unlocking: only a trylock can tell whether a mutex has been let go already; a lock merely waits. So it is no event
//   until the program calls trylock, or a timed lock, while other threads live. Then the search begins anew with
//   visible unlocks, and pthread_cond_wait is taken apart: begin to wait, let go, sleep, take again.
// - An operation of a thread that is alone.
//
// To restart at event k there are three ways. *Undo* pops the log to the mark of event k, which puts back memory, the
// thread's record and stack, shadow cells and objects; exec_cut does the same for the model. Of the records and stacks
// on the way only the oldest of each thread is copied, and what a lock or a shadow cell held is logged once per step
// (engine.step_number). *Replay* pops everything, restores the image and repeats the first k steps from the beginning
// of `main`. Replay is right where uninstrumented code writes, since the image covers all writable segments; undo is
// right only while every write is known. *Fork* is for what lies outside the process (memory/forking.h).
#include "target/threads/engine/engine.h"
#include "target/threads/engine/times.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/engine/audit.h"
#include "target/threads/engine/blocks.h"
#include "target/threads/library/library_room.h"
#include "target/threads/engine/guard.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/engine/real.h"
#include "target/threads/engine/state.h"
#include "target/threads/engine/stops.h"
#include "target/threads/engine/turn.h"
#include "target/threads/engine/watch.h"
#include "target/threads/engine/execution.h"
#include "target/threads/engine/operations.h"
#include "target/threads/engine/perform.h"
#include "target/threads/engine/record.h"
#include "target/threads/engine/spin.h"
#include "target/threads/pthread/pthread_room.h"

struct engine engine;

enum { UNDO_BYTES = 1u << 31 };

static RARE void count_outcomes(uint32_t actor)
{
    engine.exec.actors[actor].pending.alternatives = (uint16_t)request_outcomes(&engine.threads[actor]);
}

static RARE bool threads_may_run(const struct thread *t)
{
    return !(engine.over || engine.abandoned || t->held == engine.step_number || engine.round_closed);
}

static __attribute__((noinline)) bool threads_ready_if(struct thread *t)
{
    if (!threads_may_run(t))
        return false;
    if (op_table[t->request.kind].recounts)
        count_outcomes(t->actor); // how many wait has changed since it parked
    bool ready = request_ready(t);
    engine.found_ready = ready ? t->actor + 1 : engine.found_ready;
    return ready;
}

// Asked of somebody at every step: what locks and most other operations depend on is seen without a call.
static bool threads_ready(struct target *target, uint32_t actor)
{
    (void)target;
    struct thread *t = &engine.threads[actor];
    const struct request *r = &t->request;
    if (unlikely(engine.over || engine.incidents || t->held == engine.step_number || t->spinning_since ||
                 op_table[r->kind].recounts))
        return threads_ready_if(t);
    bool ready = true;
    if (r->kind == OP_LOCK)
        ready = request_can_lock(t, &engine.places[r->object]);
    else if (unlikely(operations[r->kind].ready != NULL))
        ready = operations[r->kind].ready(t, &engine.places[r->object]);
    engine.found_ready = ready ? actor + 1 : engine.found_ready;
    return ready;
}

// Functions that take a lock for others are called by all kinds of threads; what a thread was started with tells them apart.
static uint64_t threads_code_place(struct target *target, uint32_t actor)
{
    (void)target;
    const struct thread *t = &engine.threads[actor];
    return (uint64_t)(uintptr_t)t->request.pc ^ (uint64_t)(uintptr_t)t->start << 24;
}

// Nothing counts as kept for the step that begins.
static void begin_step(void)
{
    engine.step_number++;
    engine.found_ready = 0;
    engine.races.kept = NULL;
}

static RARE void target_inspect(struct mark *mark, uint32_t event)
{
    if (engine.verifying)
        mark->hash = image_hash();
    watch_look(event);
}

// Keeps what going back to this point needs: the thread's record and its live stack.
static IN_PLACE struct mark *keep_thread(struct thread *t, uint32_t event, bool usual)
{
    struct mark *mark = &engine.marks[event];
    mark->undo = undo_mark(&engine.undo);
    mark->clocks = engine.races.clocks.count;
    mark->pc = (uint64_t)(uintptr_t)t->request.pc;
    mark->sp = t->sp;
    mark->idle = mark->wrote = mark->same = mark->slept = mark->timers_only = mark->time_passed = false;
    mark->repeats = REPEATS_UNKNOWN;
    mark->timers = 0;
    mark->memory = t->memory;
    if (!usual && engine.inspecting)
        target_inspect(mark, event);
    mark->stack = mark->undo + undo_size(TURN_KEPT);
    mark->size = (uint32_t)turn_keep(t, usual);
    if (unlikely(mark->size > LARGE_STACK))
        mark->large_stack = spin_stack(t);
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

static IN_PLACE enum effect carry_out(struct thread *t, uint32_t alternative, struct mark *mark, bool usual)
{
    t->spinning_since = 0;
    t->wrote = t->plain = t->yields = 0;
    t->know.own = 0;
    enum effect effect = usual ? perform_request(t, alternative) : perform(t, alternative);
    exec_append(&engine.exec, t->actor, effect, alternative);
    if (unlikely(engine.learnt.time_read))
        times_event(t, effect);
    mark->result = (uint64_t)t->result;
    return effect;
}

static RARE void carry_out_recorded(struct thread *t, uint32_t alternative)
{
    const struct request r = t->request;
    uint64_t before = record_value(r.address, r.size);
    enum effect effect = carry_out(t, alternative, &engine.marks[engine.exec.count], false);
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
        perform_after(e->thread, carry_out(e->thread, e->alternative, &engine.marks[engine.exec.count], false),
                      e->alternative);
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
    engine.settles_all = true;
    while (!engine.over && settle_some())
        some = true;
    engine.settles_all = false;
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
static RARE bool target_rests(struct thread *t, enum op_kind kind)
{
    engine.marks[engine.exec.count - 1].slept = t->asleep;
    bool gate = op_table[kind].gate;
    if (gate)
        barrier_arrived(t, &engine.places[t->request.object]);
    return gate || t->asleep || (kind == OP_WAIT && !engine.unlock_visible);
}

static RARE void stop_at_join(struct thread *t)
{
    if (engine.exec.actors[t->actor].state == ACTOR_WAITING && t->request.kind == OP_JOIN)
        thread_arrives_at_join(t);
}

// Runs a thread whose operation was carried out up to its next one, or to its end.
static IN_PLACE void run_to_next(struct thread *t, bool usual)
{
    turn_resume(t, &engine.engine_sp, usual);
    if (!usual && engine.alike)
        stop_at_join(t);
    if (unlikely(t->ended))
        thread_has_ended(t);
    if (exec_is_parked(&engine.exec, t->actor) && (usual || !engine.bare))
        spin_look(t);
}

// What a step in a rare mode begins with.
static RARE void begin_specially(const struct thread *t)
{
    if (engine.forked)
        forking_enter(t->process);
    if (engine.forking)
        forking_checkpoint();
    if (engine.counts_preemptions)
        count_preemption(t->actor);
}

static RARE uint32_t step_flags(const struct thread *t)
{
    return engine.by_sources && engine.alone && op_table[t->request.kind].access ? STEP_ALONE : 0;
}

// `usual`: the engine is in no rare mode. The compiler makes two functions of this.
static IN_PLACE void take_step(struct thread *t, uint32_t alternative, bool usual)
{
    if (!usual)
        begin_specially(t);
    uint32_t number = engine.exec.count;
    engine.steps[number] = (struct step){(uint16_t)t->actor, (uint16_t)(alternative | (usual ? 0 : step_flags(t)))};
    *engine.steps_taken = number + 1;
    begin_step();
    struct mark *mark = keep_thread(t, number, usual);
    if (!usual && engine.keep_sites)
        sites_note(t, number);
    const enum op_kind kind = t->request.kind;
    if (!usual && (engine.bare || engine.real || engine.record))
        carry_out_otherwise(t, alternative);
    else
        perform_after(t, carry_out(t, alternative, mark, usual), alternative);
    if (likely(op_table[kind].simple) || !target_rests(t, kind))
        run_to_next(t, usual);
    if (!usual && engine.matching)
        state_follow();
}

static RARE CROSSES_SWITCH void step_specially(struct thread *t, uint32_t alternative)
{
    take_step(t, alternative, false);
}

static CROSSES_SWITCH void threads_step(struct target *target, uint32_t actor, uint32_t alternative)
{
    (void)target;
    struct thread *t = &engine.threads[actor];
    __asm__("" : "+r"(t)); // or its address would be computed anew at each use
    if (!may_step(actor, alternative))
        return;
    if (steps_are_usual())
        take_step(t, alternative, true);
    else
        step_specially(t, alternative);
}

// The operation would have found what the other has read. A store of the value that was there may still release something.
static enum foresight threads_foresee(struct target *target, uint32_t event, uint32_t like)
{
    const enum op_kind kind = target->exec->events[event].kind, other = target->exec->events[like].kind;
    bool told = other == OP_LOAD || other == OP_RMW || other == OP_CAS;
    if ((kind != OP_CAS && kind != OP_RMW) || !told || engine.forking)
        return FORESEE_NOTHING;
    const struct request *r = mark_request(&engine.marks[event]);
    const uint64_t found = engine.marks[like].result;
    if (r->size > sizeof found)
        return FORESEE_NOTHING;
    if (kind == OP_CAS && found != (uint64_t)r->expected)
        return FORESEE_A_LOOK;
    uint64_t stores = (uint64_t)(kind == OP_CAS ? r->operand : combine(r->rmw, found, r->operand));
    return (stores ^ found) << (64 - 8 * r->size) ? FORESEE_A_CHANGE : FORESEE_NOTHING;
}

// Clears what an execution leaves behind besides memory. Failures of steps that stay are kept.
static void target_forget(uint32_t events)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < engine.failure_count; i++)
        if (engine.failures[i].event + 1 <= events) // those from before the first event have number -1
            engine.failures[kept++] = engine.failures[i];
    engine.failure_count = kept;
    bool assumed = engine.assumed;
    engine.over = engine.assumed = engine.abandoned = engine.round_closed = false;
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
    if (unlikely(opened_count))
        opened_follow();
    exec_cut(&engine.exec, events);
    if (journal_is_kept())
        journal_cut(&engine.journal, events);
    target_forget(events);
    begin_step();
}

void target_take_back(void)
{
    target_go_back(0);
    maps_open();
    undo_to(&engine.undo, engine.start_mark);
    maps_renew();
    opened_follow();
    engine.races.clocks.count = engine.start_clocks;
}

// Checks that are made in front of a step that is repeated.
static RARE void inspect_repeated(uint32_t event)
{
    if (engine.fills_stacks)
        audit_fill_stacks(event);
    watch_repeated(event);
}

// The steps that the last execution took after `from` events, up to `events`.
static void target_repeat(uint32_t from, uint32_t events)
{
    engine.repeating = true;
    for (uint32_t i = from; i < events && !engine.target.lost; i++) {
        const struct step s = engine.steps[i];
        if (unlikely(engine.inspecting | engine.fills_stacks))
            inspect_repeated(i + 1);
        if (op_table[engine.threads[s.actor].request.kind].at_most == EFFECT_ALL)
            target_settle(); // as the search does, since it is too late afterwards
        threads_step(&engine.target, s.actor, s.alternative & ~(uint32_t)STEP_ALONE);
        if (!engine.target.lost && !guard_after())
            break;
    }
    engine.repeating = false;
}

// The journal has what is about to be repeated: steps of the execution at hand. Not where undo is audited by that.
static bool journal_has(uint32_t events)
{
    static bool begun;
    bool has = begun && journal_is_kept() && !engine.undoing && events <= engine.exec.count;
    begun |= journal_is_kept();
    return has;
}

// To write down once more what the journal has, and to judge it again, costs half as much as the execution.
static void run_again_unwritten(uint32_t events)
{
    journal_cut(&engine.journal, events);
    engine.keeps_journal = false;
    engine.closer = engine.record || engine.annotated || engine.rules.memory_errors || engine.follows_processes;
    target_run_again(events);
    engine.keeps_journal = engine.closer = true;
}

void target_run_again(uint32_t events)
{
    if (journal_has(events)) {
        run_again_unwritten(events);
        return;
    }
    guard_expect(0, events);
    target_take_back();
    if (engine.forking)
        forking_again(0);
    image_restore();
    exec_restart(&engine.exec);
    if (journal_is_kept())
        journal_clear(&engine.journal);
    engine.failure_count = 0;
    target_forget(0);
    output_forget();
    if (engine.inspecting | engine.fills_stacks)
        inspect_repeated(0);
    engine_first_run();
    target_repeat(0, events);
}

// What heddle knows goes back to a checkpoint by the log, in the old process; the program's memory is that of the new one.
static void run_again_from(uint32_t level, uint32_t events)
{
    uint32_t from = forking_events(level);
    guard_expect(from, events);
    target_go_back(from);
    engine.used_checkpoints = true;
    forking_again(level);
    target_repeat(from, events);
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
        engine.learnt.long_prefix = events;
        engine.learnt.needs_fork = 1;
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
    if (unlikely(engine.forked))
        forking_enter(0); // where all is mapped that the log has
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
    globals_begin();
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
                                    .code_place = threads_code_place,
                                    .goes_on = threads_goes_on,
                                    .in_vain = threads_in_vain,
                                    .hold = threads_hold,
                                    .restart = threads_restart,
                                    .foresee = threads_foresee,
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
    thread_run_on(t); // main may end here, and somebody wait for it
    if (unlikely(engine.alike))
        stop_at_join(t);
}
