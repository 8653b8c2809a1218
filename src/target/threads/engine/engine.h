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
#include "model/choice.h"
#include "model/death.h"
#include "model/difference.h"
#include "model/missed.h"
#include "model/target.h"
#include "model/step.h"
#include "model/trace.h"
#include "target/threads/memory/arena.h"

// Environment variable by which a process knows that it is to be controlled.
#define CONTROL_VARIABLE "HEDDLE_JOB"

typedef unsigned __int128 wide;

enum rmw { RMW_EXCHANGE, RMW_ADD, RMW_SUB, RMW_AND, RMW_OR, RMW_XOR, RMW_NAND, RMW_NEGATE };

// A visible operation that a thread wants to do.
struct request {
    uint8_t kind; // enum op_kind
    uint8_t size;
    uint8_t rmw;
    uint8_t order, order_failure;
    uint16_t alternatives;
    uint32_t object;
    uint32_t mutex; // OP_WAIT: the mutex to let go; OP_JOIN: the actor to wait for
    uint64_t address;
    const void *pc;
    wide operand, expected;
};

struct thread {
    // Set when it begins.
    void *thread_pointer; // of the block it borrows, if the program has thread-local variables
    uint8_t *stack_top, *stack_low; // of the stack it runs on: its own, or that of a context (contexts.h)
    struct arena_stack own_stack;
    uint32_t born; // the events before this one are not its own, but those of a thread that had its place
    void *(*start)(void *);
    void *argument;
    uint32_t actor;
    // Set by others.
    uint32_t joiner;   // who joins it, if engine.joined says that somebody does
    uint64_t detached; // who sets it keeps it
    // From here on all is kept with each of its steps (turn_keep).
    struct know know __attribute__((aligned(16)));
    uint32_t failed;  // its own failure stopped it
    void *sp; // while it does not run
    uint32_t assumed; // a false assumption stopped it
    uint32_t ended;
    uint32_t spinning_since; // event from which on its steps have changed nothing, plus 1; 0: not spinning
    uint64_t memory; // for the mark of its next event
    uint32_t wrote; // plain memory, since the last visible operation
    uint32_t plain; // plain accesses since the last visible operation
    uint32_t yields;
    uint32_t replaced; // newest of its children whose place another one took
    int saved_errno;
    uint32_t depth;   // of `calls`
    uint32_t lowest;  // that it was since the last event
    uint32_t block;   // that its last event was in, plus 1; 0: none (blocks.h) …
    uint32_t block_frame, block_line; // … in which activation, and where
    uint64_t held;    // the step after which it was found that it cannot finish the block it is about to begin
    uint8_t *heap_next;
    uint8_t *reusable; // newest freed block of this thread that may be given out again
    uint64_t now; // virtual time
    uint64_t random;
    void *value; // that it ended with
    uint32_t woken, woken_clock; // signalled between beginning to wait and letting the mutex go, and what to know then
    uint32_t spurious; // wake-ups without a signal that it has had
    uint32_t asleep; // its operation could not go through: somebody has to wake it (sleep.h)
    uint32_t timed; // waits with a time-out, so never for ever
    uint32_t wait_depth; // how often it held the mutex that it waits with: a wait lets go of one level
    wide result;
    struct request request;
};

// A synchronisation object or atomic location; found by its address, which is the same in every execution.
struct place {
    uint64_t address; // survives
    uint32_t size;    // survives: of atomic accesses to it; 1 for a lock or the like; 0 for other objects
    uint32_t state;   // enum place_state
    uint32_t owner;   // mutex: actor + 1; once: who runs the routine or has run it. In one word with …
    uint32_t depth;   // … how often a mutex is held; once: whether the routine has ended
    struct release release; // owner, depth and release are kept together
    struct release shared; // readers–writer lock: what readers pass on to writers
    uint64_t waiters[MAX_ACTORS / 64]; // condition variable
    // Readers–writer lock that prefers writers (rwlocks_queue.c): how many of them wait, who is next, who had it last.
    uint32_t waiting;
    uint16_t heir, write_phase;
    uint64_t kept; // the step in which owner, depth and release were kept last; survives
    // Of a lock; both survive:
    bool tried;  // a call has looked whether it is free
    bool polled; // a thread in a circle has taken it and let it go
};

_Static_assert(offsetof(struct place, owner) % 8 == 0 && offsetof(struct place, release) + sizeof(struct release) <=
               offsetof(struct place, owner) + 32, "keep_holding");

enum place_state {
    PLACE_INITIALISED = 1,
    PLACE_DESTROYED = 2,
    PLACE_OWNER_DIED = 4,   // robust mutex: what it protects may be half done
    PLACE_UNRECOVERABLE = 8 // robust mutex: it was let go like that
};

// Where an event's step began; what going back to it needs.
struct mark {
    size_t undo;
    size_t stack;     // where the copy of the thread's live stack stands in the log
    size_t kept;      // where what the step itself changed begins
    uint32_t size;    // of that copy
    uint32_t clocks;  // of the race detector
    uint64_t pc;
    void *sp;
    bool idle; // the step turned out to be part of a spin loop
    bool wrote; // the step wrote plain memory
    bool looked; // or accessed it at all
    bool same; // its read-modify-write stored what was there
    bool slept; // the operation did not go through
    uint64_t hash; // of all memory, if that is to be verified
    uint64_t result; // what the operation gave
    uint64_t large_stack; // of a stack of which there is no copy: spin_stack
    uint64_t memory; // image_memory, if the thread seemed to go in a circle and its program has no hooks; else 0
};

enum { ENGINE_LOST = 71 }; // exit status: nothing happens any more, and no thread of the program runs
enum { MAX_FAILURES = 32, CALL_DEPTH = 512, PLACES = 1 << 20 };

enum { ALLOWED_PLACES = 8, EXPECTED = 64 };

// The first thing the program did outside its memory that the search was not prepared for (outside.h).
struct outside_lesson {
    bool fork, place; // what it takes
    char call[64];
    uint64_t pc;
};

struct engine {
    bool alone;  // one live thread that knows all the others did: nothing it does needs to be scheduled
    bool record; // writing a trace
    bool closer; // plain accesses are looked at one by one: they are recorded, states are compared, or annotations speak of them
    bool wrote_plainly; // a visible word was written plainly, with other threads there, or read in more places than these
    const void *plain_read[16];
    uint32_t plain_reads;
    bool annotated; // the program has told of races that it expects (annotations.h)
    bool follow_calls; // keep call stacks in `calls`
    bool keep_sites;   // and where each event stands (sites.h)
    bool keeps_output; // of each execution, to be shown at its end
    // Threads that were created and not joined: what they did need not be ordered before what follows.
    uint64_t strangers;
    uint64_t joined[MAX_ACTORS / 64]; // those that somebody has joined or waits for
    uint64_t joining_kept; // the step in which these were kept last
    bool plain;  // the program has no hooks: only its calls are seen
    bool snapshots; // the program forks while it has other threads (snapshot.h)
    bool bare;   // benchmark: no bookkeeping
    bool real;   // threads are real ones, for a debugger (real.h)
    struct thread *running; // null while heddle itself runs, and in a program that heddle does not control
    const void *probing; // where the program is that heddle touches memory for, should that memory not be there
    void **resumer; // where a thread that parks switches to
    void *engine_sp;

    struct target target;
    struct exec exec;
    struct undo undo;
    struct race_detector races;
    struct thread threads[MAX_ACTORS];
    struct place *places; // by object number
    uint32_t place_count; // survives
    uint32_t *place_table; // survives: address → number
    struct mark *marks; // by event number
    uint64_t step_number; // counts steps and returns, and never the same twice
    size_t start_mark;
    uint32_t start_clocks;
    uint32_t found_ready; // the actor, plus 1, that was found ready since anybody ran; 0: none
    struct step *steps; // the steps taken, by event number; shared with the supervisor, and so is how many
    volatile uint32_t *steps_taken;
    uint32_t *preemptions; // by event: up to and with it; null: they are not counted

    // This execution.
    struct bug failures[MAX_FAILURES];
    uint32_t failure_count;
    bool (*tolerates)(const struct bug *race); // whether it is not worth the room; null: every one is
    uint64_t foreign_from; // code of unknown libraries (foreign.h) lies from here on; UINT64_MAX: there is none
    bool called_back;      // such a library has called a function of the program, in some execution
    bool (*outlives)(const struct bug *misuse); // whether it is tolerated, so that its thread goes on
    bool outlives_all; // every misuse is noted, and its thread goes on: the run was found so
    uint32_t failures_dropped; // in the whole search: for want of room
    bool over;     // exit was called or main returned
    bool assumed;  // a false assumption stopped some thread
    bool repeating; // the steps being taken are those of an earlier execution, and are compared
    bool diverged;  // a repeated execution did not follow its schedule …
    struct difference difference; // … from here on
    bool abandoned; // the search has to begin anew: see `again`

    // Options and what has been learnt about the program; these survive.
    // Preemptions are counted: nothing happens in a thread but in its own turn. It begins, joins others, lets go of locks and
    // ends in steps of its own.
    bool turns;
    bool lets_go_seen;   // there is such a call, where letting go is a step anyway
    bool unlock_visible; // a try call can tell when a lock is let go, or a thread ends
    bool volatile_seen;
    bool recursive_wait; // a wait let go of one level of a recursive mutex, and of no more
    bool waits_seen;     // some thread waits on a condition variable
    uint8_t orders_seen; // of atomic accesses: a bit for each memory order
    bool endless_seen; // a thread that goes round for ever and waits for nothing
    bool mixed; // some location is accessed both atomically and plainly
    bool shares; // readers share a lock: optimal search would miss a writer between two of them
    bool rounds_seen; // a try call can tell that a thread in a circle has a lock for a moment: how often it goes round matters
    bool crowded; // more threads use some barrier than it lets through at once
    bool too_many; // more threads lived at once than are followed: the one that would have created another stopped
    bool stuck; // a thread ran on without end, at stuck_pc
    uint32_t stuck_actor;
    uint64_t stuck_pc;
    volatile uint64_t ticks, progress;
    volatile uint64_t *beats; // grows as long as something happens
    struct death *death;      // to be filled in if heddle itself dies
    bool (*is_late)(void);    // whether the execution under way has to end now: time is up, or the user wants it
    bool late;                // so it did end
    bool again; // the search has to begin anew, knowing more about the program
    uint64_t merged[256]; // blocks of 16 bytes whose parts are accessed in different sizes: one object each; see place.c
    uint32_t merged_count;
    uint64_t expected[EXPECTED]; // words whose races the program expects: their accesses are to be visible
    uint32_t expected_count;
    const uint64_t *racy; // words whose plain accesses are steps
    uint32_t racy_count;
    bool check_races, explore_races, reuse, leaks, status_matters;
    uint32_t fill;     // enum fill: what fresh memory holds
    uint32_t spurious; // wake-ups without a signal that a thread may have
    bool every_race; // not only the first on the same memory
    bool spin_stops; // a spinning thread never goes on: what it would see later is another execution of the search
    bool joins_late; // threads that can join go on when the search settles them
    bool verifying; // compare all memory after going back
    bool inspecting; // something is to be looked at in front of each step: `verifying`, or …
    bool watching;   // … who writes to the place `missed` (watch.h)
    bool fills_stacks; // below what is live, in front of each step that is repeated (audit.h)
    bool begins_threads; // the first one that is created is to be told of (audit.h)
    uint64_t restarts, next_audit; // how many there were, and which is audited next
    uint32_t last_restart; // to which event
    struct missed missed;  // what going back by the log did not put back
    bool matching; // states are compared (state.h)
    bool forking;  // each execution runs in a process of its own (forking.h)
    bool stays_in_memory; // the user wants it not to
    const char *private_place, *place_from; // the program's working directory and what it is a copy of; null: not private
    const char *allowed[ALLOWED_PLACES]; // directories in which files may change for good; null where there are no more
    struct outside_lesson outside;
    bool undo_forced;  // the user wants going back by the log of writes, whatever is called
    bool early_unlogged; // such a function was called before there was anything to go back to
    char unlogged[64]; // a function was called of which the log does not have what it changes; empty if none was
    bool started_processes; // in some execution
    bool has_children;  // this execution has started processes
    bool shares_memory; // this execution has memory that a copy of the process would share
    uint32_t checkpoint_spacing; // events from one checkpoint to the next, at least; 0: none are made
    bool used_checkpoints;
    bool may_fork;          // the user does not mind, and it is not done yet
    uint32_t long_prefix; // events that would have to be repeated, if that made the search begin anew with checkpoints
    bool undoing;  // program memory goes back by the log; otherwise by restoring the image and running again
    int *errno_place;
    bool swap_tls; // the program has thread-local variables of its own
    char unsupported[512];
    uint64_t status; // with which the process ends, 0 to 255
    int argc;
    char **argv, **envp;
    int (*main)(int, char **, char **);
    uint64_t (*calls)[CALL_DEPTH]; // call stacks by actor, if they are followed
};

extern struct engine engine;

// thread.c
void thread_begin(struct thread *t, uint32_t actor, struct arena_stack stack, void *(*start)(void *), void *argument,
                  struct thread *creator);
void thread_park(struct thread *t);                 // switches to whoever resumed it, until resumed again (turn.h)
_Noreturn void thread_stop(struct thread *t, enum actor_state state); // never runs again in this execution
void thread_resume(struct thread *t, void **from);  // runs it until it parks, then comes back
void thread_await_end(struct thread *t, const struct thread *other, const void *pc); // to join it, until it is settled
bool thread_settle(struct thread *t);               // runs it on if whom it waits for has ended
void thread_run_on(struct thread *t);               // runs it until it parks, and whoever waited for its end
void thread_has_ended(struct thread *t);            // whoever waited for that goes on, if not later

// perform.c
uint32_t search_chooses(struct thread *t, enum choice about, uint32_t n, const void *pc); // one of 0 to n - 1
wide visible(struct thread *t); // does what its request says, through the search if others could interfere (turn.h)
void do_alone(struct thread *t); // at once: nobody else is there
bool could_be_alone(struct thread *t); // nobody could interfere, and it would not have to wait
enum effect do_load(struct thread *t, struct request *r);
enum effect perform(struct thread *t, uint32_t alternative);   // carries out the thread's request
void perform_follow(struct thread *t, enum effect effect, uint32_t alternative); // what follows once it is an event
bool request_ready(struct thread *t);
uint32_t request_outcomes(const struct thread *t);
wide read_memory(uint64_t address, uint32_t size);
wide combine(enum rmw op, wide old, wide operand); // what a read-modify-write makes of `old`, perhaps with bits too many

// barriers.c
void barrier_arrived(struct place *barrier);

// keys.c
void keys_begin(struct thread *t);   // a new thread has no values, main what libraries gave it
void keys_destroy(struct thread *t); // runs the destructors of a thread that ends

// mixed.c
void mixed_note(struct thread *t, uint32_t place, bool write, uint32_t time);
bool mixed_holds(uint64_t address); // whether this is a record of accesses
void mixed_check(struct thread *t, uint64_t address, uint32_t size, bool write, const void *pc);
void mixed_look(struct thread *t, uint32_t number, const char *what, const void *pc); // see mixed_use

// place.c
uint32_t place_find(uint64_t address); // the number of a place that is known, or 0
void search_again(struct thread *t); // gives this search up: something was learnt that changes what is visible
uint32_t place_seen_first(uint64_t address); // place_at: gives it its number
void places_join(struct thread *t, uint64_t one, uint64_t other); // words that one operation concerns become one object
void places_learn(struct thread *t, uint64_t mark); // later attempts have to know of this: a block that is nobody's memory …
bool places_know(uint64_t mark);                    // … whether that is so
uint32_t place_of_access(uint64_t address, uint32_t size); // for memory accesses, whose sizes may overlap
uint32_t place_of_span(uint64_t address, uint64_t size);   // the same for those that need not be aligned

// failure.c
void fail(struct thread *t, enum bug_kind kind, uint64_t address, const void *pc, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
_Noreturn void fail_and_stop(struct thread *t, enum bug_kind kind, uint64_t address, const void *pc, const char *format,
                             ...) __attribute__((format(printf, 5, 6)));
// A call that is used wrongly. Returns only if the thread goes on, since this is tolerated: the call then has to do what the
// C library's does.
void misuse(struct thread *t, enum bug_kind kind, uint64_t address, const void *pc, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void fail_signal(struct thread *t, int number, uint64_t address, const void *pc, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
_Noreturn void fail_stop(struct thread *t);                       // after a failure: its thread stops
_Noreturn void fail_assumption(struct thread *t, const void *pc); // this execution is not one to look at
void fail_race(struct thread *t, uint64_t address, uint32_t size, bool write, uint32_t other, const void *pc);
// As the detector found them. Those of an access to several words wait for fail_range: what is next to each other and
// races with the same thread is one race.
void fail_races(struct thread *t, uint64_t word, uint8_t racing, bool write, const void *pc, bool more);
void fail_range(struct thread *t, bool write, const void *pc);
void cannot_follow(const char *what); // gives the search up; also while an operation is carried out
_Noreturn void unsupported(struct thread *t, const char *what);
bool in_heddle(uint64_t pc); // whether that is code of heddle's own
void failure_catch_signals(void);

// A copy of the process that is no worker any more ends by what would end any other.
void failure_let_end(void);
void failure_alternate_stack(void); // for handling signals, of the calling kernel thread
void failure_start_timer(void); // in each process: it is not inherited
void failure_stop_timer(void);

// spin.c
void spin_look(struct thread *t); // at a thread that has just parked
uint64_t spin_stack(const struct thread *t); // stands for the contents of its stack; 0: nobody looked
bool spin_over(const struct thread *t);
bool spin_holds(const struct thread *t); // it may not go on, or not yet
bool spin_is_aimless(const struct thread *t);
void spin_tried(struct thread *t, uint32_t lock); // it is about to look whether a lock is free

// heap.c
void heap_begin(struct thread *t);
uint8_t *heap_boot_end(void); // of what was allocated before main
uint64_t heap_block_start(uint64_t address); // of the block, in use or freed, that holds the address; 0: none does
void heap_mark_freed(struct thread *t, uint64_t start, uint64_t size, const void *pc); // in the shadow of such memory
void heap_forget_freed(uint64_t start, uint64_t size);
void heap_find(uint32_t actor, uint64_t address, uint64_t *start, uint32_t *size); // of the block there that the actor allocated
void heap_report_leaks(bool (*reached_from_data)(uint64_t start, uint64_t end));

// record.c
void record_open(int fd);
uint64_t record_value(uint64_t address, uint32_t size); // what is there, or 0 if nothing is
void record_event(struct thread *t, enum effect effect, uint64_t before, uint64_t after, uint32_t alternative);
void record_access(struct thread *t, uint64_t address, uint32_t size, bool write, const void *pc);
void record_silent(struct thread *t, enum trace_silent kind, uint64_t address, uint64_t value, uint32_t size,
                   const void *pc);
void record_text(struct thread *t, enum trace_type type, uint32_t kind, const void *pc, const char *text);
void record_made(struct thread *t, uint64_t object, const char *what, const void *pc); // a descriptor
void record_blocked(struct thread *t, uint32_t holder); // what it is left waiting for
void record_bug(const struct bug *bug);
void record_close(void);

// target.c
void engine_init(uint32_t max_steps, struct step *steps, volatile uint32_t *steps_taken);
void target_run_again(uint32_t events); // back to before main, and forward again through the same steps
bool target_settle(void);               // everybody who can join goes on, unless the process has ended; whether somebody did
void target_go_back(uint32_t events);   // by the log of writes, to the first `events` events
void target_take_back(void); // by the log, to the beginning of main: nothing of the execution is left, and another has to begin
void engine_first_run(void); // main from its beginning to its first visible operation

// Says what the thread wants to do next; details that only some operations have are added by the caller. In place, so
// that parked threads have little on their stacks.
static inline struct request *ask(struct thread *t, enum op_kind kind, uint64_t address, uint32_t object, const void *pc)
{
    struct request *r = &t->request;
    r->kind = (uint8_t)kind;
    r->size = r->rmw = r->order = r->order_failure = 0;
    r->alternatives = 1;
    r->object = object;
    r->mutex = 0;
    r->address = address;
    r->pc = pc;
    return r;
}

// The number of the object at this address.
static inline uint32_t place_at(uint64_t address)
{
    const struct cell *cell = shadow_cell(&engine.races.shadow, address);
    uint32_t number = cell->object;
    return likely(number && engine.places[number].address == address) ? number : place_seen_first(address);
}

// Parks a waiting thread with the request it now has.
static inline void thread_wake(struct thread *t)
{
    const struct request *r = &t->request;
    exec_park(&engine.exec, t->actor,
              (struct op){.kind = r->kind, .alternatives = r->alternatives, .object = r->object});
}

// What follows any operation: nothing follows the most frequent ones.
static inline void perform_after(struct thread *t, enum effect effect, uint32_t alternative)
{
    if (!op_is_simple(t->request.kind))
        perform_follow(t, effect, alternative);
}

// A lock or the like is about to be used; `what` says in the report how ("locks a mutex"). Mostly its memory is accessed in
// no other way.
static inline void mixed_use(struct thread *t, uint32_t number, const char *what, const void *pc)
{
    const struct place *object = &engine.places[number];
    const struct cell *cell = shadow_cell(&engine.races.shadow, object->address);
    if (unlikely(!object->size || engine.mixed || (cell->write | cell->read | cell->state)))
        mixed_look(t, number, what, pc);
}

// Who holds it, how often, and what it passes on: once in a step is enough.
static inline void keep_holding(struct place *place)
{
    if (place->kept == engine.step_number)
        return;
    place->kept = engine.step_number;
    undo_save(&engine.undo, &place->owner, 32);
}

// A lock is let go by its holder, who held it once.
static IN_PLACE void place_let_go(struct thread *t, struct place *m)
{
    keep_holding(m);
    m->owner = 0;
    m->depth = 0;
    know_release(&engine.races, &t->know, &m->release);
}

_Static_assert(offsetof(struct engine, joining_kept) + 8 == offsetof(struct engine, strangers) + 48, "keep_joining");

// How many threads are not joined, and which are: once in a step is enough.
static inline void keep_joining(void)
{
    if (likely(engine.joining_kept == engine.step_number))
        return;
    engine.joining_kept = engine.step_number;
    undo_save(&engine.undo, &engine.strangers, 48);
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

#endif
