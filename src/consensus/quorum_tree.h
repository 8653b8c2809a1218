// The quorum tree of seed 001, chapter 3: watches what a consensus protocol proposes and decides, one event at a time, and says at
// once when two events disagree.
//
// A protocol adds round r with a value on a parent round, when a value is proposed in r after a quorum has told the leader what
// it had voted for; and it commits r, when a quorum has voted in r. Each instance (a position in a log, say) has a tree of its own,
// whose root is round 0. What must hold is Theorem 8, which is complete: a sequence of events is one of the tree if and only if
//
//     1  no round is added or committed twice
//     2  a round is committed after it was added
//     3  a parent is the root or was added before, and is lower; with QTREE_SAME_VALUES it has the same value
//     4  no round r is committed if some r' > r was added on some r'' < r: that one passes over r
//
// The printed algorithm 4 is not used: it takes a committed node out again where a late round passes over it.
//
// A violation stays one whatever follows, so a monitor that looks at each event is exact. 1 to 3 are questions to a hash table. For 4,
// a round that something passes over is a *ghost*. A round that is added below the highest one is a ghost at once: the way from the
// highest to the root leads past it. So the rounds that are no ghosts form a stack, in ascending order. A new highest round takes
// from its top what it passes over; a lower one takes some out of the middle, and finds them by jumps of doubling length.
// Each round is taken out once. What is committed is never taken out: that is the violation. So an event takes constant time on
// average, and one that comes late the logarithm of how late it is.
#ifndef CONSENSUS_QUORUM_TREE_H
#define CONSENSUS_QUORUM_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// In the order of pairs. A protocol whose rounds are numbers has them in `term`.
struct qtree_round {
    uint64_t term, index;
};

static inline bool qtree_before(struct qtree_round a, struct qtree_round b)
{
    return a.term != b.term ? a.term < b.term : a.index < b.index;
}

static inline bool qtree_same_round(struct qtree_round a, struct qtree_round b)
{
    return a.term == b.term && a.index == b.index;
}

static inline bool qtree_is_root(struct qtree_round r)
{
    return !r.term && !r.index;
}

enum qtree_values {
    QTREE_SAME_VALUES, // a round has the value of its parent: one decision in each instance
    QTREE_ANY_VALUES   // values are commands in a tree of logs
};

struct qtree_event {
    bool is_commit;
    uint64_t instance;
    struct qtree_round round, parent;
    uint64_t value;  // two are the same if the numbers are
    uint64_t origin; // where it comes from, for people: a line of a file, a node
};

enum qtree_fault {
    QTREE_FINE,
    QTREE_ROUND_ZERO, // the root is added or committed
    QTREE_ADDED_TWICE,
    QTREE_COMMITTED_TWICE,
    QTREE_NEVER_ADDED,      // what is committed
    QTREE_NO_PARENT,        // the parent was never added
    QTREE_PARENT_NOT_LOWER, // than the round itself
    QTREE_VALUE_CHANGED,    // it is not the parent's
    QTREE_PASSED_OVER,      // a committed round
    QTREE_FULL,             // no violation: there is no room for another round
    QTREE_FAULTS
};

// One word for each, for JSON.
extern const char *const qtree_fault_names[QTREE_FAULTS];

struct qtree_violation {
    enum qtree_fault fault;
    struct qtree_event event; // the later one
    bool has_other;           // some events are wrong without another
    struct qtree_event other;
};

enum { QTREE_NOBODY = 0 }; // the number of no node

struct qtree_node {
    struct qtree_round round;
    uint64_t value, added, committed; // origins of its events
    uint32_t parent, instance;        // of the root: itself
    uint32_t over; // a node that passes over it, or one of which an ancestor does; QTREE_NOBODY: no ghost
    uint32_t below, jump, height; // in the stack: the next lower one, one further down, how many are below
    uint32_t lower;               // of a ghost that was in the stack: where the search goes on
    bool is_committed;
    bool is_refused; // the last event of its instance, which was wrong; it is in no stack, and found by no round
};

struct qtree_instance {
    uint64_t number;
    uint32_t root, top;      // nodes: the ends of the stack; the top is the highest round
    uint32_t nodes, commits; // of this instance, without the root
    bool is_broken;          // there was a violation: what follows is not looked at
};

struct qtree_options {
    enum qtree_values values;
    bool witnesses;      // several may tell of one event: what was said before and is said again is no second event
    uint32_t most_nodes; // 0: as many as there is memory for. Otherwise nothing ever moves
    // Called before anything is overwritten, if it is not null; with `most_nodes` and this, the tree can be put back.
    void (*keep)(const void *what, size_t size);
};

// What changes and is not in an array.
struct qtree_counts {
    uint32_t nodes, instances; // numbers that were given out; nodes begin with 1
    uint64_t events;           // that were looked at
    uint64_t after;            // events of instances that were broken before
    uint64_t hash;             // of the set of events
};

struct qtree {
    struct qtree_options options;
    struct qtree_counts counts;
    struct qtree_node *node;
    struct qtree_instance *instance;
    uint64_t *slot; // of a hash table: part of the hash, and a node
    size_t node_room, instance_room;
    uint32_t slots;
};

void qtree_open(struct qtree *tree, const struct qtree_options *options);
void qtree_close(struct qtree *tree);

// Takes one event. If it is not QTREE_FINE, `violation` says why and the instance is broken.
enum qtree_fault qtree_take(struct qtree *tree, const struct qtree_event *event, struct qtree_violation *violation);

// Equal for two trees of the same events, in whatever order they came.
static inline uint64_t qtree_hash(const struct qtree *tree)
{
    return tree->counts.hash;
}

// The node that passes over this ghost: its round is higher, that of its parent lower.
uint32_t qtree_passes_over(const struct qtree *tree, uint32_t ghost);

enum qtree_status { QTREE_ADDED, QTREE_GHOST, QTREE_COMMITTED, QTREE_REFUSED, QTREE_STATUSES };
extern const char *const qtree_status_names[QTREE_STATUSES];
enum qtree_status qtree_status(const struct qtree_node *node);

#endif
