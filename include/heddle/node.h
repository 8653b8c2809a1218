// A distributed protocol for `heddle cluster FILE.c`: what one node does at each event, and what must hold.
//
// The file defines one variable `heddle_protocol`. It is ordinary C with global variables and malloc; heddle runs as many
// copies of it as there are nodes, each with globals, heap and disk of its own, in one process. Callbacks run one at a
// time and to their end. Nodes are numbered from 0.
#ifndef HEDDLE_NODE_H
#define HEDDLE_NODE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HEDDLE_TIMERS = 4 }; // of each node

// What predicates look at: what `report` gave for each node after its last event. A node that is down has the state in
// which it went down.
struct heddle_view {
    int nodes;
    const bool *up;
    const void *const *state;
};

struct heddle_request {
    int node;   // who gets it
    int number; // what `request` is called with
};

// How a message would be processed in this state (seed: SAMC, local-message independence), as a sum of:
enum {
    HEDDLE_DISCARD = 1,   // pd: nothing changes that other events look at, until the node turns
    HEDDLE_INCREMENT = 2, // pi: one more is counted
    HEDDLE_CONSTANT = 4,  // pc: the state becomes what it becomes by every such message
    HEDDLE_MODIFY = 8,    // pm: the state changes in a way of this message's own
    HEDDLE_TURN = 16,     // what the node does about other events changes: it takes another role, say
    HEDDLE_STALE = 32     // like pd, and no turn that is possible now would change that
};

// Which counter or constant it is, if there are several: a number below 2^24.
#define HEDDLE_OF(number) ((unsigned)(number) << 8)

// What the loss of a peer does to a node in this state (crash-message independence), as a sum of:
enum {
    HEDDLE_GLOBAL = 1, // pg: the node sends
    HEDDLE_LOCAL = 2   // pl: only the node's own state changes
};

// Rules for `--policy lmi,cmi,crs,rss`; every member may be null. States are what `report` gave. Where no rule is true
// events count as dependent; where several are, dependence wins.
struct heddle_rules {
    unsigned (*message)(const void *state, int from, const void *data, size_t size);
    unsigned (*request)(const void *state, int number); // the same of a request …
    unsigned (*timer)(const void *state, int timer);    // … and of a timer
    unsigned (*down)(const void *state, int peer, const void *peer_state);

    // Writes what matters for this node's recovery from the loss (after the return) of the peer, at most 128 bytes, and
    // says how many; 0 if no predicate is true.
    size_t (*recovery)(const void *state, int peer, const void *peer_state, void *abstract);
    size_t (*reboot)(const void *state, int peer, const void *peer_state, void *abstract);

    // For the audit of these two: writes what people see of a node that is up when everything is over, without what does
    // not matter (how many rounds it took, under which number). Null: everything counts.
    size_t (*outcome)(const void *state, void *abstract);
};

// Which nodes may change places, for `--policy auto`: what these do must not depend on their numbers, which may be
// stored, sent and told apart, but not compared as greater or less, nor with constants. Callbacks change numbers to `to` of
// them, and move what is indexed by them; they are null where there are none.
struct heddle_renaming {
    unsigned nodes;                // a bit for each that may change places with the others
    void (*memory)(const int *to); // of the node that is called: its variables, and by heddle_write its disk
    void (*state)(void *state, const int *to); // what `report` gave
    void (*message)(void *data, size_t size, const int *to);
    void (*observer)(void *memory, const int *to); // of `observe`; if it is null, an observer makes all nodes different
    bool
        tree; // what nodes tell the quorum tree names none of these; if it is not set, a tree makes all nodes different
};

// A global variable of a node, or a part of one.
struct heddle_region {
    const volatile void *start;
    size_t size;
};

// How messages go from one node to another, unless --order says otherwise. Connections are as TCP's: a crash loses what was
// on its way to the node, and perhaps the rest of what was on its way from it.
enum heddle_network {
    HEDDLE_IN_ORDER,   // they arrive in the order in which they were sent, after a crash and a reboot too
    HEDDLE_DATAGRAMS,  // in any order
    HEDDLE_CONNECTIONS // in order, for as long as neither of the two crashes
};

// A round of a consensus protocol: a number, or a pair such as term and index, of which the first counts more. {0, 0} is the root.
struct heddle_round {
    unsigned long number, index;
};

// How heddle_qtree_add and heddle_qtree_commit are meant, as a sum of:
enum {
    HEDDLE_ANY_VALUES = 1, // a round need not have the value of its parent: values are commands in a tree of logs
    HEDDLE_WITNESSES = 2   // several nodes tell of one event: what was said before and is said again is no second event
};

struct heddle_protocol {
    const char *name;
    enum heddle_network network;

    // A node starts, with fresh globals and an empty heap, and the disk that its last crash left.
    void (*boot)(int self, int nodes);
    void (*message)(int from, const void *data, size_t size);
    void (*timer)(int timer);    // may be null
    void (*request)(int number); // may be null
    void (*down)(int peer);      // the connection to a peer broke because it crashed; may be null

    const struct heddle_request *requests; // the workload: each comes once, at any time
    int request_count;

    size_t state_size;
    void (*report)(void *state); // writes what others may look at into zeroed memory; may be null

    // Both give null, or a sentence that says what is wrong. `check` is asked after every event. `quiet` is asked when
    // no message is in flight; it need not hold at once, but within --patience fair events after everything else.
    const char *(*check)(const struct heddle_view *view);
    const char *(*quiet)(const struct heddle_view *view);

    // For people; may be null.
    void (*show_message)(const void *data, size_t size, char *text, size_t room);
    void (*show_state)(const void *state, char *text, size_t room);

    // A model of heddle history ("register", "map", …): what clients called and got, by heddle_invoke and heddle_return,
    // has to be linearizable. May be null.
    const char *model;

    const struct heddle_rules *rules;       // may be null
    const struct heddle_renaming *renaming; // may be null

    // Looks on: called after every event with the node it was at (-1 when all have booted), before `check`. Its memory is
    // zeroed at first, belongs to no node, outlives crashes, and is part of the state: "one leader in each term, ever".
    // Gives null, or a sentence that says what is wrong. At most 4096 bytes.
    size_t observer_size;
    const char *(*observe)(const struct heddle_view *view, int node, void *memory);

    // Whether a request may come to its node, which is up, in this state; it waits until it may. Null: at any time.
    bool (*may_request)(const void *state, int number);

    unsigned never_crash; // a bit for each node that does not crash

    // What executions are to reach by heddle_reached, up to null: if one is never reached, nothing is called verified.
    const char *const *goals;

    unsigned qtree; // how the quorum tree is watched

    // What of a node does not count when states are compared, by --policy auto and states. Of two states that differ in nothing else,
    // the same events must be possible, lead to states that differ in nothing else, and no predicate may tell them apart; --audit
    // looks into that, and --propose finds candidates. Both may be null.
    const struct heddle_region *auxiliary; // variables that nothing but themselves depends on, up to one of size 0
    void (*forget)(
        void *state); // brings what does not matter any more to one value: in variables, on the heap, and in what
                      // `report` gave. It is called on a copy; a node never sees what it did
};

// What a node may do in a callback.

void heddle_send(int to, const void *data, size_t size);
void heddle_broadcast(const void *data, size_t size); // to every other node, in the order of their numbers

// A timer that is set may run out at any time; setting it again starts it anew.
void heddle_set_timer(int timer);
void heddle_clear_timer(int timer);

// A value from 0 to n - 1. Every one of them is tried, so an event of which the callback draws twice with heddle_choose(3) has
// nine outcomes; at most 64 of an event are tried. What is drawn after the end of an execution, while `quiet` is waited for, is
// drawn from --seed.
#ifndef HEDDLE_CHOOSE_ // <heddle/heddle.h> has it as well
#define HEDDLE_CHOOSE_
__attribute__((weak)) int heddle_choose_at(int n);
static inline __attribute__((always_inline)) int heddle_choose(int n)
{
    return heddle_choose_at(n);
}
#endif

// The node's disk: named blobs. What was written since the last sync may be lost at a crash, or kept; with
// --disk-faults the last write may also be torn.
void heddle_write(const char *name, const void *data, size_t size);
void heddle_sync(void);

// Bytes of the blob, of which at most `room` are written to `data`; -1 if there is none.
long heddle_read(const char *name, void *data, size_t room);

// A client of the protocol calls the model's operation, and gets its result (0 if it has none; of what is true or false,
// whether it is), at whichever nodes these happen. Registers and counters begin with 0. A client waits for the result; if it calls again without, the earlier call may still happen or not.
#define HEDDLE_NIL (-__LONG_MAX__ - 1) // nothing, where a model says so
void heddle_invoke(int client, const char *call, long first, long second);
void heddle_return(int client, long result);

// The quorum tree of a consensus protocol (docs/qtree.md): a value is proposed in a round, on the round that it builds on; a round is
// decided. What disagrees with what any node told before is a bug of kind `agreement`. Instances, such as positions of a log, have
// trees of their own.
void heddle_qtree_add(long instance, struct heddle_round round, long value, struct heddle_round parent);
void heddle_qtree_commit(long instance, struct heddle_round round);

int heddle_self(void);
int heddle_nodes(void);

// Something worth telling has come about: counted by its name, in callbacks and in what looks on.
void heddle_reached(const char *goal);

// For rules: how many messages are on their way to a node.
int heddle_in_flight(int to);

// A line in the story. (What nodes print is thrown away.)
void heddle_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif

#endif
