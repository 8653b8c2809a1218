// Operations: what an actor may do next, and when two of them depend on each other.
//
// The kinds stand in one table (op.c). What decides dependence is the *effect* an operation had on its object when it
// was executed, so that a failed compare-and-swap or trylock is a read:
//
//            NONE  READ  ADD  WRITE  ALL
//     NONE    -     -     -     -     x
//     READ    -     -     x     x     x      two reads commute, and so do two additions to a set of waiters;
//     ADD     -     x     -     x     x      everything else on the same object does not.
//     WRITE   -     x     x     x     x      ALL (the end of the process) depends on every event, whatever its object.
//     ALL     x     x     x     x     x
//
// Effects that are not obvious:
//
// - A failed compare-and-swap, a failed trylock and a signal that finds no waiter are READ. So is a read-modify-write
//   that stores the old value, unless it releases something that a thread which acquires the object would not have
//   learnt otherwise (`know_rmw` in check/race.c): a load before it then knows less than a load after it, and that can
//   make a race.
// - Beginning to wait on a condition variable is ADD: two waiters commute.
// - The end of the process while other threads live is ALL.
// - Joining, choosing and yielding are NONE. A join comes after the end of the other thread because it *learns* its
//   clock.
// - Where an operation that only looks could be followed by one that takes the object (the try calls of readers–writer
//   locks, sem_getvalue, sigpending), looking is WRITE. An operation that takes knows only what was released, so it
//   would not be ordered after the one that looked.
#ifndef MODEL_OP_H
#define MODEL_OP_H

#include <stdbool.h>
#include <stdint.h>

enum effect { EFFECT_NONE, EFFECT_READ, EFFECT_ADD, EFFECT_WRITE, EFFECT_ALL };

enum op_kind {
    OP_NONE,
    OP_LOAD,
    OP_STORE,
    OP_RMW,
    OP_CAS,
    OP_VOLATILE_READ,
    OP_VOLATILE_WRITE,
    OP_PLAIN_READ, // plain accesses that became visible because they race
    OP_PLAIN_WRITE,
    OP_LOCK,
    OP_TRYLOCK,
    OP_UNLOCK,
    OP_WAIT,
    OP_SIGNAL,
    OP_BROADCAST,
    OP_ONCE,
    OP_RDLOCK,      // of a readers–writer lock
    OP_RDLOCK_SEEN, // where try calls could tell, so that the order of readers counts
    OP_WRLOCK,
    OP_TRYRDLOCK,
    OP_TRYWRLOCK,
    OP_RWUNLOCK,
    OP_RDLOCK_QUEUED, // of one that prefers writers: that it has to wait is an event, too
    OP_WRLOCK_QUEUED,
    OP_SEM_WAIT,
    OP_SEM_TRYWAIT,
    OP_SEM_POST,
    OP_SEM_VALUE,
    OP_FUTEX_WAIT,
    OP_FUTEX_WAKE, // and requeue
    OP_FD_READ,    // of descriptors between threads
    OP_FD_WRITE,
    OP_FD_POLL,
    OP_FD_CONNECT,
    OP_FD_ACCEPT,
    OP_FD_CLOSE,
    OP_FD_CONTROL,
    OP_BARRIER,
    OP_SEM_NAME,        // opening, closing or removing a named semaphore
    OP_CROWDED_BARRIER, // where more arrive than go through at once, so that their order matters
    OP_PASS_BARRIER,    // where the program looks who is the serial thread: the first to go on
    OP_JOIN,
    OP_TRYJOIN,
    OP_BEGIN,      // of a thread, where turns count
    OP_END,        // of a thread, where a try to join it could tell, or turns count
    OP_CANCEL,     // asks a thread to end
    OP_TESTCANCEL, // whether it was asked to
    OP_CANCELLED,  // waits until it is asked to
    OP_KILL,       // sends a signal to a thread
    OP_SIGWAIT,
    OP_SIGTRY,
    OP_SIGMASK,
    OP_SHARED_KILL, // the same in a program where several threads may take a signal: target/threads/descriptor/fd_signals.c
    OP_SHARED_SIGWAIT,
    OP_SHARED_SIGMASK,
    OP_OUTSIDE,     // a call about files, sockets or processes
    OP_LOOK,        // one that only looks at files
    OP_LIBRARY,     // a call that uses what the C library keeps for all threads
    OP_TICK,        // a moment at which another thread may fork: see target/threads/engine/snapshot.h
    OP_SNAPSHOT,    // fork
    OP_PROCESS_END, // of a process that the program forked and that is followed
    OP_REAP,        // waitpid for such a process
    OP_CHOOSE,
    OP_FAULT, // a call that may fail: the search chooses (fault.h)
    OP_YIELD,
    OP_CALL,         // of an operation of the object under test: see target/threads/engine/client.c
    OP_AT_EXIT,      // registers a function to be run at the end of the process
    OP_NEXT_AT_EXIT, // takes the next of them, where several threads do either
    OP_EXIT,         // the end of the process
    OP_NODE_EVENT,   // of a distributed node, which is its object
    OP_KINDS
};

// How an operation that accesses memory does so.
enum op_access { ACCESS_NONE, ACCESS_ATOMIC, ACCESS_VOLATILE, ACCESS_PLAIN };

// What an operation does to a lock.
enum op_lock {
    LOCK_NOTHING,
    LOCK_ALONE,  // takes it, or tries to, for this thread only
    LOCK_SHARED, // together with others
    LOCK_LET_GO,
};

// Whether an operation is a step only where turns count. Elsewhere it is part …
enum op_minor {
    MINOR_NEVER,
    MINOR_ALWAYS,  // … of the step of another thread that it waited for
    MINOR_LETS_GO, // … of the step before it, unless letting go is a step
};

// What of a request belongs to it, besides its object and its place.
enum op_request { REQUEST_ALL, REQUEST_NOTHING, REQUEST_OPERAND, REQUEST_EXPECTED /* and the operand */ };

// How a report tells what the operation answered.
enum op_answer {
    ANSWER_NONE,
    ANSWER_SWAPPED, // of a compare-and-swap
    ANSWER_TAKEN,   // it has the lock if its effect, or the recorded result, says so
    ANSWER_BUSY,    // any result but 0 means that it did not succeed
    ANSWER_YES,     // any result but 0 means yes
    ANSWER_NUMBER,  // a number, or an error
};

// What a report calls the operation.
enum op_told {
    TOLD_BY_NAME,
    TOLD_BY_CALL,    // the recorded name of the call
    TOLD_WITH_CALL,  // its name, then the recorded call with its arguments
    TOLD_BY_OUTCOME, // of a choice: what was chosen
};

// What is known of a kind: one row in op.c. Whoever needs to know something of some kinds asks for a trait, never for a list
// of kinds or a range. Rows are asked at every step: each is a line of the cache, found by a shift.
struct op_info {
    const char *name;    // as schedules and reports spell it
    enum effect at_most; // the strongest effect it can have
    bool takes;          // it waits until its object is free and then holds it: ordered by who takes it first,
                         // never by the release that let it through
    bool varies;         // it may turn out to be a mere read
    bool shares;         // `takes`, together with others of its kind
    bool learns;         // it waits for something that another actor did and then knows what that one knew
    bool simple;         // it is over once it is performed, as those are that programs are made of
    bool needs_others;   // it means nothing without other threads: an event even of a thread that is alone
    bool gate;           // threads stop there until enough of them have come
    bool recounts;       // how many outcomes it has depends on the moment: on who waits, on the faults that are left
    bool has_owner;      // while it waits, whoever holds the object keeps it from going on
    bool may_spin;       // a loop with it may wait for something to change
    bool may_cancel;     // a thread that waits in it ends when it is asked to: a cancellation point
    bool no_ticks;       // it is not between two moments at which another thread may fork
    bool blind;          // it changes its object without looking at it
    bool by_source; // what it does follows from the event that changed its object last, and it waits only to take it
    enum op_minor minor : 8;
    enum op_access access : 8;
    enum op_lock lock : 8;
    int8_t tokens; // what it adds to a semaphore where it succeeds
    enum op_request request : 8;
    bool names_object;  // its address is that of an object of the program's, which a report can name
    bool names_thread;  // it is about another thread (request.mutex, trace_record.other)
    bool synchronises;  // by an object that has to be initialised and must not be destroyed or freed before
    bool on_descriptor; // between threads
    enum op_answer answer : 8;
    enum op_told told : 8;
    const char *does;  // in a report of wrong use: "locks a mutex"; null if it cannot be one
    const char *waits; // of a thread that cannot go on, in front of the object: "waits to lock"
    const char *spins; // of one that could, but would only repeat what it did; null: "spins in NAME"
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct op_info) == 64, "a row is a line of the cache");

extern const struct op_info op_table[OP_KINDS];

// What an actor would do if it ran now.
struct op {
    uint8_t kind;
    // Only goes round in a circle, as often as it likes: that it could have come earlier shows nothing new.
    bool idle : 1;
    bool looks : 1;        // it is not blind, whatever its kind: what it leaves behind depends on what was there
    uint16_t alternatives; // how many outcomes the search may choose between; at least 1
    uint32_t object;
};

// Whether such an operation is a step only where turns count: elsewhere it is part of the step before it, or of another
// thread's that it waited for.
static inline bool op_is_minor(enum op_kind kind, bool unlocks_are_steps)
{
    enum op_minor minor = op_table[kind].minor;
    return minor == MINOR_ALWAYS || (minor == MINOR_LETS_GO && !unlocks_are_steps);
}

// Whether it takes a lock, or takes from a semaphore, if it can, and does not wait for it.
static inline bool op_tries_lock(enum op_kind kind)
{
    enum op_lock lock = op_table[kind].lock;
    return (lock == LOCK_ALONE || lock == LOCK_SHARED || op_table[kind].tokens < 0) && !op_table[kind].takes;
}

// Whether it reads the memory that it accesses, and whether it writes it.
static inline bool op_reads(enum op_kind kind)
{
    return op_table[kind].access && (op_table[kind].at_most == EFFECT_READ || op_table[kind].varies);
}

static inline bool op_writes(enum op_kind kind)
{
    return op_table[kind].access && op_table[kind].at_most == EFFECT_WRITE;
}

static inline bool effects_depend(enum effect a, enum effect b)
{
    if (a == EFFECT_ALL || b == EFFECT_ALL)
        return true;
    if (a == EFFECT_NONE || b == EFFECT_NONE)
        return false;
    return a != b || a == EFFECT_WRITE;
}

// Whether executed operations depend, given their effects and objects.
static inline bool ops_depend(enum effect a, uint32_t object_a, enum effect b, uint32_t object_b)
{
    return (object_a == object_b || a == EFFECT_ALL || b == EFFECT_ALL) && effects_depend(a, b);
}

#endif
