// The program under test as fibers in one process: the state the hooks need, gathered in one place.
//
// The engine runs on the process's own stack; every thread of the program runs on a stack of the arena. A thread that
// comes to a visible operation leaves a *request* and switches to whoever resumed it (normally the engine); the engine
// performs the request when the search picks the thread, and switches back with the result. Only one thing runs at a
// time, so nothing here is locked.
//
// Everything that can change during an execution is either kept in `undo` before it changes, or belongs to `exec`, which
// cuts itself back. Things that survive from one execution to the next are marked so.
#ifndef TARGET_ENGINE_H
#define TARGET_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/undo.h"
#include "check/bug.h"
#include "check/race.h"
#include "job/lessons.h"
#include "job/rules.h"
#include "model/death.h"
#include "model/difference.h"
#include "model/fingerprint.h"
#include "model/journal.h"
#include "model/missed.h"
#include "model/step.h"
#include "model/target.h"
#include "target/threads/engine/place.h"
#include "target/threads/engine/thread.h"

// Environment variable by which a process knows that it is to be controlled.
#define CONTROL_VARIABLE "HEDDLE_JOB"

enum repeats { REPEATS_UNKNOWN, REPEATS_NOTHING, REPEATS };

// Where an event's step began; what going back to it needs.
struct mark {
    size_t undo;
    size_t stack;    // where the copy of the thread's live stack stands in the log
    size_t kept;     // where what the step itself changed begins
    uint32_t size;   // of that copy
    uint32_t clocks; // of the race detector
    uint64_t pc;
    void *sp;
    bool idle;        // the step turned out to be part of a spin loop
    bool wrote;       // the step wrote plain memory
    bool looked;      // or accessed it at all
    bool same;        // its read-modify-write stored what was there
    bool slept;       // the operation did not go through
    bool timers_only; // it changed nothing but timers
    bool time_passed; // until a timer expired that it waited for
    uint8_t repeats;  // enum repeats: its thread had done the same before (spin.c)
    uint64_t timers;  // timers_state before it, of a call that may look at them; else 0, and the next two mean nothing
    uint64_t timers_expired, timers_declined; // those that it found to have expired; that could have, and had not
    uint64_t hash;                            // of all memory, if that is to be verified
    uint64_t result;                          // what the operation gave
    uint64_t large_stack;                     // of a stack of which there is no copy: spin_stack
    uint64_t memory; // image_memory, if the thread seemed to go in a circle and its program has no hooks; else 0
};

enum { ENGINE_LOST = 71 }; // exit status: nothing happens any more, and no thread of the program runs
enum { MAX_FAILURES = 32, CALL_DEPTH = 512, PLACES = 1 << 20 };

enum { ALLOWED_PLACES = 8, EXPECTED = 64 };

struct engine {
    // Modes that hardly any search is in. Those of a group are the bytes of one word, so that whoever acts on them asks once
    // whether any is on, and there is no summary that could be out of date. A step asks for both groups.
    union {
        struct {
            bool record;             // writing a trace
            bool bare;               // benchmark: no bookkeeping
            bool matching;           // states are compared (state.h)
            bool alike;              // threads that are alike are one (likeness.h)
            bool inspecting;         // something is to be looked at in front of each step: `verifying`, or `watching`
            bool follow_calls;       // keep call stacks in `calls`
            bool keep_sites;         // and where each event stands (sites.h)
            bool counts_preemptions; // in `preemptions`
        };
        uint64_t step_modes;
    };
    union {
        struct {
            bool plain;       // the program has no hooks: only its calls are seen
            bool snapshots;   // the program forks while it has other threads (snapshot.h)
            bool foreign;     // there is code of unknown libraries (foreign.h)
            bool real;        // threads are real ones, for a debugger (real.h)
            bool forking;     // each execution runs in a process of its own (forking.h)
            bool by_sources;  // executions count as equal if the same is read in them (explore/rf.c)
            bool deep_stacks; // of stacks only what can change is kept (deep_stacks.h)
            bool clears_far; // there are timers: what a call finds depends on when its thread is seen to go in a circle
        };
        uint64_t turn_modes;
    };
    // What hardly any execution comes to, likewise: whoever looks at an execution asks once.
    union {
        struct {
            bool abandoned;    // the search has to begin anew: see `again`
            bool round_closed; // the run came back to the state after `round_from`
            bool assumed;      // a false assumption stopped some thread
            bool diverged;     // a repeated execution did not follow its schedule: see `difference`
            bool stuck;        // a thread ran on without end, at stuck_pc
            bool late;         // the execution had to end because time was up: see `is_late`
            bool again;        // the search has to begin anew, knowing more about the program
            bool
                wrote_plainly; // a visible word was written plainly, with other threads there, or read in too many places
        };
        uint64_t incidents;
    };
    bool over;           // exit was called or main returned
    bool alone;          // one live thread that knows all the others did: nothing it does needs to be scheduled
    bool closer;         // plain accesses are looked at one by one: to record them, compare states, or heed annotations
    bool joins_in_a_row; // main goes on after a join, and all that it does is looked at (join_runs.h)
    bool has_arguments;  // accesses to elements of an array are looked at (arguments.h)
    bool knows_tails;    // what main does at the end of an execution is remembered (tail.h) …
    bool watches_tail;   // … and looked at now
    bool settles_all;    // whoever can join goes on, to be compared
    bool keeps_journal;  // of accesses and what orders them, for a search that leaves out what has no race
    const void *plain_read[16]; // where visible words were read plainly, with other threads there
    uint32_t plain_reads;
    bool annotated;    // the program has told of races that it expects (annotations.h)
    bool keeps_output; // of each execution, to be shown at its end
    // Threads that were created and not joined: what they did need not be ordered before what follows.
    uint64_t strangers;
    uint64_t joined[MAX_ACTORS / 64]; // those that somebody has joined or waits for
    uint64_t joining_kept;            // the step in which these were kept last
    struct thread *running;           // null while heddle itself runs, and in a program that heddle does not control
    const void *probing; // where the program is that heddle touches memory for, should that memory not be there
    void **resumer;      // where a thread that parks switches to
    void *engine_sp;

    struct target target;
    struct exec exec;
    struct undo undo;
    struct race_detector races;
    struct journal journal;
    struct thread threads[MAX_ACTORS];
    struct place *places;  // by object number
    uint32_t place_count;  // survives
    uint32_t *place_table; // survives: address → number
    struct mark *marks;    // by event number
    uint64_t step_number;  // counts steps and returns, and never the same twice
    size_t start_mark;
    uint32_t start_clocks;
    uint32_t found_ready; // the actor, plus 1, that was found ready since anybody ran; 0: none
    struct step *steps;   // the steps taken, by event number; shared with the supervisor, and so is how many
    volatile uint32_t *steps_taken;
    uint32_t *preemptions; // by event: up to and with it; null: they are not counted

    // This execution.
    struct bug failures[MAX_FAILURES];
    uint32_t failure_count;
    bool (*tolerates)(const struct bug *race); // whether it is not worth the room; null: every one is
    uint64_t foreign_from; // code of unknown libraries (foreign.h) lies from here on; UINT64_MAX: there is none
    bool called_back;      // such a library has called a function of the program, in some execution
    bool (*outlives)(const struct bug *misuse); // whether it is tolerated, so that its thread goes on
    uint32_t failures_dropped;                  // in the whole search: for want of room
    uint64_t faults[FAULT_FAMILIES];            // so far
    bool repeating;               // the steps being taken are those of an earlier execution, and are compared
    struct difference difference; // of a repeated execution from its schedule

    // Options and what has been learnt about the program; these survive.
    // Preemptions are counted: nothing happens in a thread but in its own turn. It begins, joins others, lets go of locks and
    // ends in steps of its own.
    bool turns;
    bool lets_go_seen;   // there is such a call, where letting go is a step anyway
    bool unlock_visible; // a try call can tell when a lock is let go, or a thread ends
    bool volatile_seen;
    bool recursive_wait; // a wait let go of one level of a recursive mutex, and of no more
    bool several_told;   // an epoll told of several descriptors at once, or had more to tell than was asked for
    bool waits_seen;     // some thread waits on a condition variable
    uint8_t orders_seen; // of atomic accesses: a bit for each memory order
    bool input_seen;     // the program reads its standard input
    bool endless_seen;   // a thread that goes round for ever and waits for nothing
    bool too_many; // more threads lived at once than are followed: the one that would have created another stopped
    uint32_t stuck_actor; // that is `stuck`
    uint64_t stuck_pc;
    volatile uint64_t ticks, progress;
    volatile uint64_t *beats;    // grows as long as something happens
    struct death *death;         // to be filled in if heddle itself dies
    bool (*is_late)(void);       // whether the execution under way has to end now: time is up, or the user wants it
    uint64_t expected[EXPECTED]; // words whose races the program expects: their accesses are to be visible
    uint32_t expected_count;
    uint32_t racy_count; // of learnt.racy: words whose plain accesses are steps in this attempt
    bool check_races, explore_races;
    bool spin_stops;     // a spinning thread never goes on: what it would see later is another execution of the search
    bool joins_late;     // threads that can join go on when the search settles them
    bool verifying;      // compare all memory after going back
    bool watching;       // who writes to the place `missed` (watch.h)
    bool fills_stacks;   // below what is live, in front of each step that is repeated (audit.h)
    bool begins_threads; // the first one that is created is to be told of (audit.h)
    uint64_t restarts, next_audit; // how many there were, and which is audited next
    uint32_t last_restart;         // to which event
    struct missed missed;          // what going back by the log did not put back
    bool raced;                    // some execution had a data race, whether or not it was reported
    bool circles; // threads that go round are no different from others: whoever compares states sees that they do
    // The run is to come back after `round_until` events to the state after `round_from`; 0: nothing of the kind.
    uint32_t round_from, round_until;
    bool stays_in_memory;      // the user wants it not to
    const char *private_place; // the program's working directory; null: not private …
    const char *place_from;    // … and what it is a copy of
    const char *kept[ALLOWED_PLACES], *kept_at[ALLOWED_PLACES]; // files that are read from copies, and these
    const char *allowed[ALLOWED_PLACES]; // directories in which files may change for good; null where there are no more
    bool undo_forced;                    // the user wants going back by the log of writes, whatever is called
    bool early_unlogged;                 // such a function was called before there was anything to go back to
    bool started_processes;              // in some execution
    bool has_children;                   // this execution has started processes
    bool follows_processes;              // that share memory, in some execution (forked.h)
    uint32_t process;                    // that the search goes on in now; 0: the one that began
    uint64_t forked;                     // how many of them the program has forked in this execution
    bool shares_memory;                  // this execution has memory that a copy of the process would share
    uint32_t checkpoint_spacing;         // events from one checkpoint to the next, at least; 0: none are made
    bool used_checkpoints;
    bool may_fork; // the user does not mind, and it is not done yet
    bool undoing;  // program memory goes back by the log; otherwise by restoring the image and running again
    int *errno_place;
    bool swap_tls;     // the program has thread-local variables of its own
    bool keeps_floats; // the program can tell which floating-point environment a thread has (floats.h)
    char unsupported[512];
    uint64_t status; // with which the process ends, 0 to 255
    int argc;
    char **argv, **envp;
    int (*main)(int, char **, char **);
    uint64_t (*calls)[CALL_DEPTH]; // call stacks by actor, if they are followed
    struct rules rules;            // of every run: what may happen, and what is a failure
    struct lessons learnt;         // by earlier attempts and by this one; addresses are those of this process
};

extern struct engine engine;

// Whether steps are taken as in nearly every search.
static inline bool steps_are_usual(void)
{
    return likely(!(engine.step_modes | engine.turn_modes));
}

// Says what the thread wants to do next; details that only some operations have are added by the caller. In place, so
// that parked threads have little on their stacks. Nothing of the operation before it stays: it would tell equal states apart.
static inline struct request *ask(struct thread *t, enum op_kind kind, uint64_t address, uint32_t object,
                                  const void *pc)
{
    struct request *r = &t->request;
    r->kind = (uint8_t)kind;
    r->size = r->rmw = r->order = r->order_failure = 0;
    r->looks = false;
    r->alternatives = 1;
    r->object = object;
    r->mutex = 0;
    r->address = address;
    r->pc = pc;
    r->operand = r->expected = 0;
    t->result = 0;
    return r;
}

// The number of the object at this address.
static inline uint32_t place_at(uint64_t address)
{
    if (unlikely(engine.process) && forked_copied(address))
        return forked_place(address);
    const struct cell *cell = shadow_cell(&engine.races.shadow, address);
    uint32_t number = cell->object;
    return likely(number && engine.places[number].address == address) ? number : place_seen_first(address);
}

// The same for an object that most probably is the one of this number.
static inline uint32_t place_at_again(uint64_t address, uint32_t number)
{
    bool same = engine.places[number].address == address && !unlikely(engine.process);
    return likely(same) ? number : place_at(address);
}

// Parks a waiting thread with the request it now has.
static inline void thread_wake(struct thread *t)
{
    const struct request *r = &t->request;
    exec_park(&engine.exec, t->actor,
              (struct op){.kind = r->kind, .looks = r->looks, .alternatives = r->alternatives, .object = r->object});
}

// Where executions count as equal if the same is read in them, what the last thread reads at the end is an event: it may depend
// on which of two writes came last, and the search has to see that somebody looked.
static inline bool looks_count_alone(void)
{
    return unlikely(engine.by_sources) && engine.exec.actors[0].children;
}

// The program reads memory in a way that is no event, and what it sees may depend on the order of writes.
void order_of_writes_matters(struct thread *t);

// Who holds it, how often, and what it passes on: once in a step is enough.
static inline void keep_holding(struct place *place)
{
    if (place->kept == engine.step_number)
        return;
    place->kept = engine.step_number;
    undo_save(&engine.undo, &place->owner, 32);
}

// Notes for the journal, where one is kept.
void journal_put(enum journal_access_kind kind, uint32_t actor, uint64_t word, uint8_t mask, const void *pc);
void journal_tell(enum journal_note_kind kind, uint32_t actor, uint64_t other);

static inline bool journal_is_kept(void)
{
    return unlikely(engine.keeps_journal);
}

// `other` is a lock's address or an actor.
static inline void journal_note(enum journal_note_kind kind, const struct thread *t, uint64_t other)
{
    if (journal_is_kept())
        journal_tell(kind, t->actor, other);
}

// A lock is let go by its holder, who held it once.
static IN_PLACE void place_let_go(struct thread *t, struct place *m)
{
    keep_holding(m);
    m->owner = 0;
    m->depth = 0;
    know_release(&engine.races, &t->know, &m->release);
    journal_note(JOURNAL_UNLOCK, t, m->address);
}

enum { JOINING_KEPT = 48 }; // bytes

_Static_assert(offsetof(struct engine, joining_kept) + 8 == offsetof(struct engine, strangers) + JOINING_KEPT,
               "keep_joining");

// How many threads are not joined, and which are: once in a step is enough.
static inline void keep_joining(void)
{
    if (likely(engine.joining_kept == engine.step_number))
        return;
    engine.joining_kept = engine.step_number;
    undo_save(&engine.undo, &engine.strangers, JOINING_KEPT);
}

static inline bool is_joined(const struct thread *t)
{
    return engine.joined[t->actor / 64] >> (t->actor % 64) & 1;
}

// To be called whenever a thread has begun, ended or been joined, and after going back.
static inline void update_alone(void)
{
    engine.alone = engine.exec.live == 1 && !engine.strangers;
}

// A newly initialised object; the caller has kept it.
static inline void place_clear(struct place *place)
{
    place->owner = place->depth = 0;
    place->state = PLACE_INITIALISED;
    place->release = place->shared = (struct release){0};
    place->waiting = place->heir = place->write_phase = 0;
    for (int i = 0; i < MAX_ACTORS / 64; i++)
        place->waiters[i] = 0;
}

static inline void keep_place(struct place *place)
{
    undo_save(&engine.undo, place, offsetof(struct place, kept));
}

// Destroying an object writes this into it. If it is no longer there, the program has assigned an initialiser, or uses the memory
// for another object that needs none but that: a condition variable of C++ that a function makes again where the last one was.
// It stands behind the first word, where a semaphore has its count, which destroying leaves.
#define DESTROYED_MARK 0xdead10cc5eed1e55ull
enum { DESTROYED_MARK_AT = 8 };

static inline void *place_mark(const struct place *place)
{
    return (void *)(uintptr_t)(place->address + DESTROYED_MARK_AT);
}

static inline void place_destroy(struct place *place)
{
    const uint64_t mark = DESTROYED_MARK;
    keep_place(place);
    place->state = PLACE_DESTROYED;
    __builtin_memcpy(place_mark(place), &mark, sizeof mark); // the caller has told of the write
}

static inline bool place_is_destroyed(struct place *place)
{
    uint64_t mark;
    if (__builtin_expect(!(place->state & PLACE_DESTROYED), 1))
        return false;
    __builtin_memcpy(&mark, place_mark(place), sizeof mark);
    if (mark == DESTROYED_MARK)
        return true;
    keep_place(place);
    place_clear(place);
    place->state = 0;
    return false;
}

#endif
