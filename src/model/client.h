// A client of an object: a few calls, some of them by threads at the same time. The supervisor invents clients, the
// runtime runs them (target/threads/engine/client.c), the worker judges what they saw (worker/orders.h).
#ifndef MODEL_CLIENT_H
#define MODEL_CLIENT_H

#include <stdint.h>

enum {
    CLIENT_CALLS = 16,
    CLIENT_THREADS = 8,
    CLIENT_OPERATIONS = 24,
    CLIENT_ARGUMENTS = 3,
    CLIENT_NAME = 40,
    CLIENT_MADE = 32,                   // values of an argument that the object makes itself
    CLIENT_BATCH = 1024,                // clients that one worker process runs one after the other
    CLIENT_OBSERVE = CLIENT_OPERATIONS, // "operation" of the call that asks for the final state
    CLIENT_BEFORE = 0,                  // "thread" of calls before the threads begin …
    CLIENT_AFTER = CLIENT_THREADS + 1   // … and after they have ended
};

// Where the values of an argument come from (include/heddle/lin.h has the same numbers).
enum client_argument_kind {
    ARGUMENT_NONE,
    ARGUMENT_FRESH,  // each call has a value of its own
    ARGUMENT_ANY_OF, // least to most; only which are equal matters
    ARGUMENT_RANGE,  // least to most
    ARGUMENT_MADE    // those that stand in `made`, from least to most
};

struct client_argument {
    uint32_t kind;
    int64_t least, most;
    int64_t made[CLIENT_MADE];
};

// When an operation may fail for a reason that is not in the state.
enum client_failure { FAILS_NEVER, FAILS_ALWAYS, FAILS_OVERLAPPED };

// What an operation promises (include/heddle/lin.h has the same numbers).
enum client_progress { PROGRESS_NONE, PROGRESS_OBSTRUCTION_FREE, PROGRESS_LOCK_FREE, PROGRESS_WAIT_FREE };

struct client_operation {
    char name[CLIENT_NAME];
    struct client_argument takes[CLIENT_ARGUMENTS];
    uint32_t arguments;
    uint32_t may_fail; // enum client_failure: it may give `failure` then, and has done nothing
    int64_t failure;
    uint32_t by;       // not 0: all operations with this number are called by the same thread
    uint32_t rough;    // it changes nothing, and gives something between what orders of calls give it
    uint32_t progress; // enum client_progress
    uint32_t steps;    // of a call, at most, if it is wait-free
};

struct client_call {
    uint8_t operation;
    uint8_t thread; // from 1; CLIENT_BEFORE, CLIENT_AFTER
    int64_t argument[CLIENT_ARGUMENTS];
};

// Calls stand in the order: before, first thread, second thread, …, after.
struct client {
    uint32_t threads, calls;
    struct client_call call[CLIENT_CALLS];
};

enum client_mode {
    CLIENT_OFF,      // the program is not about an object
    CLIENT_DESCRIBE, // says what operations the object has, and ends
    CLIENT_RUN       // runs the clients of the batch
};

enum client_judgement {
    CLIENT_LINEARIZABLE, // a call that returned before another began comes first
    CLIENT_SEQUENTIAL,   // only the calls of one thread keep their order
    CLIENT_QUIESCENT     // only calls with a moment in between at which nothing was under way do
};

// Whether each state is continued only once (explore/client_states.c).
enum client_match {
    MATCH_WHERE_IT_PAYS, // where a client has many executions
    MATCH_ALWAYS,
    MATCH_NEVER
};

// A call of `blocker` that stops where it is about to go on at `pc` keeps a call of `blocked` waiting.
struct client_blocking {
    uint32_t blocker, blocked; // operations
    uint64_t pc;
};

enum { CLIENT_BLOCKINGS = 32 };

// What the object is like: the answer of CLIENT_DESCRIBE, and part of every task after it.
struct client_object {
    uint32_t described, operations, observes, has_model;
    uint32_t judges; // the judgement that the object asks for
    struct client_operation operation[CLIENT_OPERATIONS];
};

struct client_answer {
    volatile uint64_t left;               // clients that were left, since they have more executions than `most`
    volatile uint32_t at;                 // the one under way; those before it are done
    volatile uint64_t executions, events; // of those that are done
    volatile uint64_t histories;          // different ones that were judged
    volatile uint64_t stuck;              // executions in which calls wait for ever, as they may
    volatile uint64_t outcomes;           // different combinations of results, of whole executions
    volatile uint64_t states;             // visited by clients whose states were matched …
    volatile uint64_t matched;            // … and how many clients those are
    volatile uint64_t most_states;        // of one client
    volatile uint64_t watched;            // clients whose states were looked at
    volatile uint32_t blockings;
    struct client_blocking blocking[CLIENT_BLOCKINGS];
    uint8_t unfinished[CLIENT_BATCH]; // clients that were left
    volatile uint32_t cut;            // some execution of a client was cut …
    volatile uint32_t doubtful;       // … or a call not understood: the first such client, from 1; 0: none
};

// The part of a job that is about clients.
struct client_job {
    uint32_t mode; // enum client_mode
    uint32_t judgement;
    uint32_t match; // enum client_match
    struct client_object object;
    uint64_t most;   // executions of one client, which is then left for the next; 0: no bound
    uint64_t before; // clients of earlier batches, for the progress line
    uint32_t watch;  // look at states of small clients also where they are not matched, for who blocks whom
    uint32_t clients;
    struct client client[CLIENT_BATCH];
    struct client_answer answer;
};

#endif
