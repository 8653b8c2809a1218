#define _GNU_SOURCE
#include "target/threads/engine/forked.h"
#include "target/threads/engine/times.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>

#include "target/threads/library/library_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/pthread/pthread_room.h"
#include "target/threads/engine/engine_room.h"

#define PROCESSES 0xfb0000000000ull // no address of the program

enum { COPIES = 1 << 12, APART = 16 };

// By the actor that is its first thread, which depends only on what its parent did. Actor 0 is the process that began.
static struct process {
    uint32_t there;
    uint32_t parent;
    uint64_t handlers;
    uint32_t ended, reaped;
    uint64_t status; // as waitpid has it
} processes[MAX_ACTORS];

static bool is_process(uint32_t process)
{
    return process < engine.exec.known && processes[process].there;
}

bool forked_follows(void)
{
    return engine.forking && engine.shares_memory && !engine.real;
}

void forked_refuse(struct thread *t, const char *what)
{
    static char text[256];
    if (!t->process)
        return;
    engine.running = NULL; // heddle's own doing
    snprintf(
        text, sizeof text,
        "a process that the program forked, and that shares memory with it, %s, which heddle does not follow there",
        what);
    engine.running = t;
    unsupported(t, text);
}

// ---- memory ----

bool forked_copied(uint64_t address)
{
    const struct thread *t = engine.running;
    const struct map *m = maps_above(address);
    bool shared = (m && m->start <= address && m->shared) || forking_shares(address) || address >= PROCESSES;
    bool own = t && t->process == engine.process && address >= (uint64_t)(uintptr_t)arena_heap(t->actor) &&
               address < (uint64_t)(uintptr_t)arena_heap_end(t->actor);
    return !shared && !own;
}

// Objects in copied memory. They keep their numbers for the whole search, as others do.
static struct copy {
    uint64_t address;
    uint32_t process, number;
} copies[COPIES];
static uint32_t copy_count;

uint32_t forked_place(uint64_t address)
{
    uint32_t i = 0;
    while (i < copy_count && (copies[i].address != address || copies[i].process != engine.process))
        i++;
    if (i == copy_count) {
        if (copy_count == COPIES || engine.place_count + 1 >= PLACES)
            unsupported(engine.running, "the processes that the program forks use more than 4096 locks and atomic "
                                        "variables of their own");
        copies[copy_count++] = (struct copy){address, engine.process, ++engine.place_count};
        engine.places[engine.place_count].address = address;
    }
    return copies[i].number;
}

static bool has_state(const struct place *p)
{
    bool waiters = false;
    for (int i = 0; i < MAX_ACTORS / 64; i++)
        waiters |= p->waiters[i];
    return p->state || p->owner || p->depth || waiters;
}

// What the new process finds in its copies of locks and the like. Those that another thread holds nobody lets go there.
static void copy_places(const struct thread *parent, const struct thread *child)
{
    uint32_t before = engine.process, known = engine.place_count;
    for (uint32_t number = 1; number <= known; number++) {
        const struct place from = engine.places[number];
        engine.process = before;
        uint32_t mine = from.address && has_state(&from) ? place_at(from.address) : 0;
        engine.process = child->process;
        if (mine != number || !forked_copied(from.address))
            continue;
        struct place *to = &engine.places[forked_place(from.address)];
        keep_place(to);
        to->size = from.size;
        to->state = from.state;
        to->depth = from.depth;
        to->owner = from.owner == parent->actor + 1 ? child->actor + 1 : from.owner;
        to->release = from.release;
        to->shared = from.shared;
    }
    engine.process = before;
}

// ---- beginning ----

static void copy_calls(const struct thread *from, struct thread *to)
{
    uint32_t known = from->depth < CALL_DEPTH ? from->depth : CALL_DEPTH;
    to->depth = from->depth;
    for (uint32_t i = 0; engine.follow_calls && i < known; i++)
        engine.calls[to->actor][i] = engine.calls[from->actor][i];
}

// A thread that has the stack of another: its copy.
static struct thread *begin_copy(struct thread *t, const void *pc)
{
    engine.running = NULL; // heddle's own doing
    uint32_t actor = exec_create(&engine.exec, t->actor);
    engine.running = t;
    if (actor == MAX_ACTORS)
        unsupported(t, "the program forks more processes that share memory than heddle follows (255)");
    struct thread *child = &engine.threads[actor];
    engine.running = NULL;
    thread_begin(child, actor, arena_stack(actor, arena_usual_stack()), t->start, t->argument, t);
    engine.running = t;
    child->thread_pointer = t->thread_pointer;
    child->own_stack = t->own_stack;
    child->stack_top = t->stack_top;
    child->stack_low = t->stack_low;
    child->created_at = pc;
    child->detached = 1; // nobody joins it
    child->saved_errno = errno;
    undo_save_word(&engine.undo, &engine.forked);
    engine.forked++;
    child->process = actor;
    copy_calls(t, child);
    keys_copy(t, child);
    return child;
}

static void enter_process(const struct thread *t, const struct thread *child)
{
    struct process *p = &processes[child->process];
    undo_save(&engine.undo, p, sizeof *p);
    *p = (struct process){
        .there = 1, .parent = t->process, .handlers = t->process ? forked_handlers(t) : exits_registered()};
}

// That of its only thread, as gettid has it.
static pid_t number_of(uint32_t process)
{
    return FIRST_PROCESS + (pid_t)process;
}

static void expect_no_signal(struct thread *t)
{
    if (signals_are_handled(SIGCHLD))
        unsupported(t,
                    "the program says what SIGCHLD does and forks a process that shares memory with it: heddle sends "
                    "no such signal");
}

static void record_start(struct thread *t, struct thread *child, const void *pc)
{
    static char name[32];
    engine.running = NULL; // heddle's own doing
    snprintf(name, sizeof name, "process %d", (int)number_of(child->process));
    engine.running = t;
    record_silent(t, SILENT_CREATE, handle_of(child->actor), child->actor, 0, pc);
    record_text(child, TRACE_NAME, 0, NULL, name);
}

pid_t forked_start(struct thread *t, const void *pc)
{
    expect_no_signal(t);
    if (engine.rules.memory_errors || engine.rules.leaks)
        unsupported(
            t, "the program forks a process that shares memory with it, in which --memory-errors and --leaks do not "
               "look: leave them out");
    struct thread *child = begin_copy(t, pc);
    uint32_t process = child->process;
    enter_process(t, child);
    copy_places(t, child);
    engine.closer = engine.follows_processes = true;
    keep_joining();
    engine.strangers++;
    ask(child, OP_BEGIN, 0, 0, pc);
    thread_wake(child);
    update_alone();
    if (engine.record)
        record_start(t, child, pc);
    if (!forking_copy(process, &child->sp))
        return 0;
    return number_of(process);
}

// ---- ending ----

bool forked_is_another_user(const struct thread *t, uint32_t number)
{
    struct place *place = &engine.places[number];
    uint32_t user = place->state >> PLACE_USER_SHIFT;
    if (!user) {
        keep_place(place);
        place->state |= (t->process + 1) << PLACE_USER_SHIFT;
    }
    return user && user != t->process + 1;
}

bool forked_is_single(const struct thread *t)
{
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        uint32_t state = engine.exec.actors[actor].state;
        if (actor != t->actor && engine.threads[actor].process == t->process &&
            (state == ACTOR_PARKED || state == ACTOR_WAITING))
            return false;
    }
    return true;
}

static bool all_are_reaped(void)
{
    for (uint32_t p = 1; p < engine.exec.known; p++)
        if (is_process(p) && !processes[p].reaped)
            return false;
    return true;
}

// Where the program never waits for whichever ends first, each end is an object of its own.
static uint32_t object_of(uint32_t process)
{
    return place_at(places_know(PROCESSES) ? PROCESSES : PROCESSES + (uint64_t)APART * (process + 1));
}

enum effect do_process_end(struct thread *t, struct place *none)
{
    (void)none;
    struct process *p = &processes[t->process];
    undo_save(&engine.undo, p, sizeof *p);
    p->ended = 1;
    p->status = (uint64_t)t->request.operand;
    t->result = 0;
    return EFFECT_WRITE;
}

static bool matches(const struct thread *t, uint32_t process)
{
    uint64_t wanted = (uint64_t)t->request.operand;
    const struct process *p = &processes[process];
    return is_process(process) && p->parent == t->process && !p->reaped && (!wanted || wanted == process);
}

// The first that has ended, in the order of their numbers; 0: none has.
static uint32_t find_ended(const struct thread *t)
{
    for (uint32_t process = 1; process < engine.exec.known; process++)
        if (matches(t, process) && processes[process].ended)
            return process;
    return 0;
}

bool reap_would_sleep(const struct thread *t)
{
    return !t->request.expected && !find_ended(t);
}

enum effect do_reap(struct thread *t, struct place *none)
{
    (void)none;
    uint32_t process = find_ended(t);
    t->result = process;
    t->asleep = !process && !t->request.expected;
    if (!process)
        return EFFECT_READ;
    struct process *p = &processes[process];
    undo_save(&engine.undo, p, sizeof *p);
    p->reaped = 1;
    know_join(&engine.races, &t->know, &engine.threads[process].know);
    exec_learn(&engine.exec, t->actor, engine.exec.actors[process].clock);
    times_learn(t, engine.threads[process].now);
    return EFFECT_WRITE;
}

void after_process_end(struct thread *t, enum effect effect)
{
    (void)effect;
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        struct thread *other = &engine.threads[actor];
        if (other->asleep && other->request.kind == OP_REAP && !reap_would_sleep(other))
            wake_sleeper(t, other, true);
    }
}

void forked_end(struct thread *t, int status, const void *pc)
{
    if (!t->process && all_are_reaped())
        return;
    if (!forked_is_single(t))
        unsupported(t,
                    "a process with several threads ends while one that it shares memory with may go on, which heddle "
                    "does not follow: wait for it first");
    robust_abandon(t);
    ask(t, OP_PROCESS_END, 0, object_of(t->process), pc)->operand = (wide)(uint8_t)status << 8;
    visible(t);
    t->ended = 1;
    thread_stop(t, ACTOR_ENDED);
}

// ---- waiting ----

// Those that it has not waited for, and one of them.
static uint32_t count_children(const struct thread *t, uint32_t *one)
{
    uint32_t count = 0;
    for (uint32_t process = 1; process < engine.exec.known; process++) {
        if (!is_process(process) || processes[process].parent != t->process || processes[process].reaped)
            continue;
        count++;
        if (one)
            *one = process;
    }
    return count;
}

bool forked_has_children(const struct thread *t)
{
    return count_children(t, NULL);
}

// 0 if there is none of this number, but the first.
static uint32_t process_of(pid_t number)
{
    uint32_t process = number > FIRST_PROCESS ? (uint32_t)(number - FIRST_PROCESS) : 0;
    return is_process(process) ? process : 0;
}

pid_t forked_wait(struct thread *t, pid_t which, int *status, int options, const void *pc)
{
    uint32_t wanted = which > 0 ? process_of(which) : 0, only = 0;
    if (which < -1 || options & ~WNOHANG)
        unsupported(t, "the program waits for processes that share memory with it by their group, or with options that "
                       "heddle does not follow");
    uint32_t children = count_children(t, &only);
    if (which <= 0 && children == 1)
        wanted = only;
    struct request *r = ask(t, OP_REAP, 0, 0, pc);
    r->operand = wanted;
    if (!children || (which > 0 && (!wanted || !matches(t, wanted)))) {
        errno = ECHILD;
        return -1;
    }
    if (!wanted)
        places_learn(t, PROCESSES);
    r->object = object_of(wanted);
    r->expected = options & WNOHANG;
    uint32_t process = (uint32_t)visible(t);
    if (!process)
        return 0;
    keep_joining();
    engine.strangers--;
    update_alone();
    if (engine.record)
        record_silent(t, SILENT_JOINED, 0, process, 0, pc);
    if (status) {
        access_write(status, sizeof *status, pc);
        *status = (int)processes[process].status;
    }
    return number_of(process);
}

bool forked_is_process(pid_t number)
{
    return process_of(number) || (engine.forked && number == FIRST_PROCESS);
}

pid_t forked_number(void)
{
    return number_of(engine.process);
}

pid_t forked_parent(void)
{
    return engine.process ? number_of(processes[engine.process].parent) : FIRST_PROCESS - 1;
}

uint64_t forked_handlers(const struct thread *t)
{
    return processes[t->process].handlers;
}
