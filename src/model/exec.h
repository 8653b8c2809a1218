// The current execution: its events, what happened before what, and which actors could go on.
//
// The target appends an event when an actor's pending operation is executed; the search reads events and cuts the
// execution back to a prefix. Everything here can be cut back: events keep what they overwrote, other changes are
// logged. Nothing outside this file and target code writes to it.
//
// Happens-before is kept as one clock per event. Events of one object stand in *groups*: a group is a maximal run of
// events that commute with each other (reads, or additions), or a single write; an event depends on the group before
// its own, and through it on all earlier ones.
//
// Operations that *take* their object are ordered differently. They know what the last holder knew when it let go
// (`released`), and they race with the event that took the object before them (`holder`), not with the release: a
// release cannot come after the acquire that it lets through. So event_past leaves the release out when such a race is
// reversed.
//
// An actor's number follows from its identity: its parent, and how many actors the parent had created before it.
// Numbers are given out in the order in which a search first sees the identities, and are never taken back. So a thread
// has the same number in every execution of a search.
#ifndef MODEL_EXEC_H
#define MODEL_EXEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/paths.h"
#include "model/clock.h"
#include "model/op.h"

enum { MAX_ACTORS = 256, NO_EVENT = UINT32_MAX };

enum actor_state {
    ACTOR_ABSENT,  // not created yet in this execution
    ACTOR_PARKED,  // has a pending operation; `target.ready` tells whether it would go through
    ACTOR_WAITING, // can only be woken by another actor
    ACTOR_STOPPED, // by a false assumption or by its own failure: never runs again
    ACTOR_ENDED
};

struct actor {
    struct op pending; // valid while parked
    uint32_t state;
    clock_id clock;    // what it knows
    clock_id own;      // that clock if nobody else has it, so that it may be changed in place; 0 otherwise
    uint32_t last;     // its newest event, or NO_EVENT
    uint32_t events;   // how many it has had
    uint32_t children; // how many actors it has created
    // Identity, the same in every execution: the n-th child of its parent. Never cut back.
    uint32_t parent;
    uint32_t number;
};

// Where events of an object stand. In one piece, so that an event keeps it, and cutting back puts it back, at once.
struct groups {
    uint32_t group;     // newest event of its newest group
    uint32_t conflicts; // newest event of the group before
    uint32_t holder;    // newest event in front of which it could have been taken for oneself, plus 1; 0: none
    uint32_t taken;     // newest event in front of which it could have been shared, plus 1
};

// What an object passes on to whoever takes it next; likewise in one piece.
struct passed {
    clock_id released; // what its last holder knew on letting go
    clock_id shared;   // what those knew who shared it, on letting go
} __attribute__((aligned(8)));

struct event {
    union {
        struct op op; // as it was pending, but for `idle`; in one piece, so that cutting back puts it back at once
        struct {
            uint8_t kind; // enum op_kind
            uint8_t traits;
            uint16_t alternatives; // how many outcomes there were …
            uint32_t object;
        };
    };
    uint16_t alternative; // … and which was chosen
    uint16_t actor;
    uint32_t index; // counts the actor's events from 1
    uint8_t effect; // enum effect, as executed
    uint8_t looks;  // what it did depends on the event that changed the object before it (exec_source)
    uint16_t old_effect;
    clock_id before;    // what the actor knew just before
    clock_id clock;     // that, and everything this event depends on, and the event itself
    uint32_t conflicts; // newest member of the group it depends on, or NO_EVENT
    uint32_t peer;      // previous member of its own group, or NO_EVENT
    uint32_t old_last;  // what cutting back puts back
    union {
        struct groups old; // unless it depends on all others, or on none
        struct {
            uint32_t old_group, old_conflicts;
        };
    };
    struct passed
        old_passed; // likewise: what its actor lets go of while the event is the newest one need not be logged
    uint32_t clock_mark;
    uint32_t log_mark;
    uint64_t old_parked; // of the first 64 actors
    uint32_t old_live;
};

_Static_assert(offsetof(struct event, alternatives) == offsetof(struct op, alternatives) &&
                   offsetof(struct event, object) == offsetof(struct op, object),
               "two names of the same");
_Static_assert(offsetof(struct event, old_conflicts) == offsetof(struct event, old.conflicts), "two names of the same");

struct object {
    union {
        struct groups now;
        struct {
            uint32_t group, conflicts, holder, taken;
        };
    };
    union {
        struct passed passed;
        struct {
            clock_id released, shared;
        };
    };
    uint32_t effect; // of the newest group
};

_Static_assert(offsetof(struct object, taken) == offsetof(struct object, now.taken), "two names of the same");
_Static_assert(offsetof(struct object, shared) == offsetof(struct object, passed.shared), "two names of the same");

// Identities of actors for several processes that explore parts of one search: who comes across an actor first gives it its number
// for all. In shared memory.
struct identities {
    volatile uint32_t lock; // the process that has it, by its number; 0: nobody
    volatile uint32_t count;
    struct {
        uint32_t parent, number;
    } actor[MAX_ACTORS];
};

struct exec {
    struct event *events;
    uint32_t count;
    uint32_t limit;     // no execution may be longer
    uint32_t under_way; // the actor of the newest event, plus 1; 0: there is none
    struct clock_pool clocks;
    struct object *objects; // index is the target's; number 0 means no object
    uint32_t object_limit;
    struct actor actors[MAX_ACTORS];
    uint32_t known;   // actors ever seen, in any execution; ids below this are taken
    uint32_t live;    // actors created and not ended
    bool any_unlocks; // a lock may be let go by whoever does not hold it, whether somebody does or not
    bool by_sources;  // see exec_by_sources
    uint64_t parked[MAX_ACTORS / 64];
    // Clocks of ended actors that the one live actor has joined since the newest event, and has yet to learn: it does so
    // when its knowledge is asked for, which at the end of an execution nobody does.
    clock_id unlearnt[MAX_ACTORS];
    uint32_t unlearnt_count;
    struct exec_log {
        uint32_t *where;
        uint32_t old;
    } * log;
    uint32_t logged;
    struct identities *identities; // actors that other processes know, too; null: there are no others
};

// Room for executions of up to `limit` events over `objects` objects. Actor 0 is there from the start.
void exec_init(struct exec *x, uint32_t limit, uint32_t objects);
void exec_free(struct exec *x);

// The number of the child of `parent` with this many before it, in every execution; MAX_ACTORS if there are too many.
uint32_t exec_identify(struct exec *x, uint32_t parent, uint32_t number);

// The n-th child of `parent`, created by the event under way; it knows what its parent knows. Starts out waiting.
// MAX_ACTORS if there are too many.
uint32_t exec_create(struct exec *x, uint32_t parent);

// The same for an actor that has ended, and whose end `parent` knows of: a new one goes on in its place.
void exec_create_again(struct exec *x, uint32_t parent, uint32_t actor);

// Says what the actor will do next (exec_park, below), or (waiting, stopped, ended) that it has no operation.
void exec_leave(struct exec *x, uint32_t actor, enum actor_state state);

// Executes the pending operation of a parked actor with this effect and outcome: appends the event.
// The actor waits until it is parked again.
uint32_t exec_append(struct exec *x, uint32_t actor, enum effect effect, uint32_t alternative);

// `actor` comes to know what `clock` knows (join, being woken). For a join this must come before the event is appended:
// the event itself happens after the other's end, or the end of the process could be put between them.
void exec_learn(struct exec *x, uint32_t actor, clock_id clock);

// `actor`, which is running, comes to know what `other` knew at its end; for joins that are no events.
void exec_join(struct exec *x, uint32_t actor, uint32_t other);

// `actor` lets go of an object it had taken: whoever takes it next knows what it knew.
void exec_release(struct exec *x, uint32_t actor, uint32_t object);

// The same for an actor that shared it: only who takes it for itself alone comes to know.
void exec_release_shared(struct exec *x, uint32_t actor, uint32_t object);

// `event` holds the object from now on; for operations that take one without waiting.
void exec_hold(struct exec *x, uint32_t object, uint32_t event);

// In front of `event` the object could have been shared; for operations other than those that take it.
void exec_share(struct exec *x, uint32_t object, uint32_t event);

// From now on events of one object know only what they looked at: the last event that changed it (exec_source), and nothing if
// they only overwrite it. Those that take their object are ordered as always. Clocks then say what an event could not have
// happened without. To be turned on while there are no events.
void exec_by_sources(struct exec *x, bool on);

// The newest event that had changed the object before this one did anything to it; NO_EVENT if there was none. Additions to a
// set of waiters count as changes.
static inline uint32_t exec_source(const struct event *e)
{
    return e->old_effect == EFFECT_NONE ? NO_EVENT : e->old_effect == EFFECT_READ ? e->old_conflicts : e->old_group;
}

// Whether the event has anything to do with others of its object, where only sources count: whoever comes to a gate waits for
// enough of them, and no order is left.
static inline bool exec_is_on_object(const struct event *e)
{
    return e->effect != EFFECT_NONE && e->effect != EFFECT_ALL && !(e->effect == EFFECT_ADD && op_table[e->kind].gate);
}

// Forgets the whole execution, also what happened before the first event; only identities stay.
void exec_restart(struct exec *x);

// Forgets all events from number `count` on.
void exec_cut(struct exec *x, uint32_t count);

// The events that are in an immediate race with `event`: dependent, of other actors, with nothing in between, and
// possible in the other order. Written to `races` (room for MAX_ACTORS + x->count); how many is returned.
uint32_t exec_races(const struct exec *x, uint32_t event, uint32_t *races);

// The same for the operation an actor is left with when nothing more can run: NO_EVENT or one event. `could_run`: if the
// last event ended the process, whether the operation would have gone through just before.
uint32_t exec_pending_race(const struct exec *x, uint32_t actor, bool could_run);

static inline bool clock_knows(const struct exec *x, clock_id clock, const struct event *e)
{
    return clock_lane(&x->clocks, clock, e->actor) >= e->index;
}

// The clock whose events must stay in front of `e` when a race of its is reversed: for operations that wait for their
// object the release that let them through does not count.
static inline clock_id event_past(const struct event *e)
{
    return op_table[e->kind].takes ? e->before : e->clock;
}

static inline bool exec_is_parked(const struct exec *x, uint32_t actor)
{
    return x->parked[actor / 64] >> (actor % 64) & 1;
}

// The actor that ran last. Before the first event that is actor 0, which has reached its first operation.
static inline uint32_t exec_last_to_run(const struct exec *x)
{
    return x->count ? x->events[x->count - 1].actor : 0;
}

// Whether the newest event is the actor's: then changes to the actor since that event need not be logged for cutting back.
static inline bool exec_is_under_way(const struct exec *x, uint32_t actor)
{
    return x->under_way == actor + 1;
}

// An actor other than that of the newest event, or one that has joined others since.
void exec_park_another(struct exec *x, uint32_t actor, struct op op);

static inline void exec_park(struct exec *x, uint32_t actor, struct op op)
{
    if (unlikely(!exec_is_under_way(x, actor) || x->unlearnt_count)) {
        exec_park_another(x, actor, op);
        return;
    }
    x->actors[actor].pending = op;
    x->actors[actor].state = ACTOR_PARKED;
    x->parked[actor / 64] |= 1ull << (actor % 64);
}

#endif
