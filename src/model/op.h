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
#ifndef MODEL_OP_H
#define MODEL_OP_H

#include <stdbool.h>
#include <stdint.h>

enum effect { EFFECT_NONE, EFFECT_READ, EFFECT_ADD, EFFECT_WRITE, EFFECT_ALL };

// The accesses and locks that programs are made of come first: see op_is_simple.
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
    OP_FD_CLOSE,
    OP_FD_CONTROL,
    OP_BARRIER,
    OP_SEM_NAME,        // opening, closing or removing a named semaphore
    OP_CROWDED_BARRIER, // where more arrive than go through at once, so that their order matters
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
    OP_OUTSIDE,  // a call about files, sockets or processes
    OP_LOOK,     // one that only looks at files
    OP_LIBRARY,  // a call that uses what the C library keeps for all threads
    OP_TICK,     // a moment at which another thread may fork: see target/threads/engine/snapshot.h
    OP_SNAPSHOT, // fork
    OP_CHOOSE,
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

// What is known of a kind: one row in op.c. Whoever needs to know something of some kinds asks for a trait, never for a range.
struct op_info {
    const char *name;    // as schedules and reports spell it
    enum effect at_most; // the strongest effect it can have
    bool takes;          // it waits until its object is free and then holds it: ordered by who takes it first,
                         // never by the release that let it through
    bool varies;         // it may turn out to be a mere read
    bool shares;         // `takes`, together with others of its kind
    bool learns;         // it waits for something that another actor did and then knows what that one knew
    enum op_access access;
    bool names_object;  // its address is that of an object of the program's, which a report can name
    bool synchronises;  // by an object that has to be initialised and must not be destroyed or freed before
    bool on_lock;       // takes, tries or lets go of one
    bool on_descriptor; // between threads
};

extern const struct op_info op_table[OP_KINDS];

// What an actor would do if it ran now.
struct op {
    uint8_t kind;
    uint8_t
        idle; // only goes round in a circle, as often as it likes: that it could have come earlier shows nothing new
    uint16_t alternatives; // how many outcomes the search may choose between; at least 1
    uint32_t object;
};

// Whether it is one of the accesses and locks that programs are made of, which are over once they are performed. Asked at every
// step, so it is the one question that the order of the kinds answers.
static inline bool op_is_simple(enum op_kind kind)
{
    return kind <= OP_LOCK;
}

// Whether such an operation is a step only where turns count: elsewhere it is part of the step before it, or of another
// thread's that it waited for.
static inline bool op_is_minor(enum op_kind kind, bool unlocks_are_steps)
{
    bool lets_go = kind == OP_UNLOCK || kind == OP_RWUNLOCK || kind == OP_END;
    return kind == OP_BEGIN || kind == OP_JOIN || (lets_go && !unlocks_are_steps);
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
