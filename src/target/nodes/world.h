// Everything besides the search: nodes with their memory and disks, messages in flight, faults that may still happen.
//
// There is one world at a time, since the protocol's calls must find it. Everything that an event changes goes into the undo log
// first, so that going back to an earlier event costs no more than what has happened since.
//
// What can happen next is in *channels*, queues of which only the first entry can happen: one for each pair of nodes (messages),
// for each timer of a node (the times at which it was set), for each request, for the faults of a node, and for its start. An entry happens in
// one step, an event of its node, or in two: first a choice whether it happens (is the message lost? does the timer run out?),
// which no node notices and which budgets limit, then the event. Choosing nothing is always possible, so the executions that the
// budgets allow are closed under reordering of independent events.
//
// An event's object is the node where it happens, so messages to different nodes are independent. A receiver comes to
// know what the sender knew (exec_learn). With `--order any` each message is an actor of its own, the n-th child of its
// link. A timer that is set anew or cleared leaves its entry behind, which then does nothing: had it been taken away,
// the race with it would not be seen.
#ifndef NODES_WORLD_H
#define NODES_WORLD_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/undo.h"
#include "model/target.h"
#include "target/nodes/client_calls.h"
#include "target/nodes/library.h"

enum {
    MAX_NODES = 9,
    MAX_REQUESTS = 32,
    MAX_MESSAGE = 4096,
    MAX_CHANNELS = MAX_ACTORS - 1,
    FAILURE_TEXT = 512,
    DATA_BYTES = 1 << 26
};

enum fault {
    FAULT_CRASH,
    FAULT_REBOOT,
    FAULT_DROP,
    FAULT_DUPLICATE,
    FAULT_TIMEOUT,
    FAULT_PARTITION,
    FAULT_DISK,
    FAULT_HEAL, // costs nothing
    FAULTS
};
extern const char *const fault_names[FAULTS];

enum order { ORDER_FIFO, ORDER_ANY, ORDER_CONNECTION, ORDER_OF_PROTOCOL };
extern const char *const order_names[ORDER_OF_PROTOCOL];
bool order_by_name(const char *name, enum order *order);

enum channel_kind {
    CHANNEL_LINK,
    CHANNEL_TIMER,
    CHANNEL_REQUEST,
    CHANNEL_FAULT,
    CHANNEL_NET,
    CHANNEL_BREAK,
    CHANNEL_START,
    CHANNEL_KINDS
};

enum entry_kind {
    ENTRY_MESSAGE,
    ENTRY_DOWN, // the connection to the sender broke
    ENTRY_TIMER,
    ENTRY_REQUEST,
    ENTRY_CRASH,
    ENTRY_REBOOT,
    ENTRY_ISOLATE, // the node is cut off: it reaches, and is reached by, only those that are as well
    ENTRY_HEAL,
    ENTRY_START // if nodes draw: see draws.h
};

// How an event of a crash may leave what was not synced.
enum { CRASH_LOSES, CRASH_KEEPS, CRASH_TEARS };

struct entry {
    uint8_t kind;
    uint8_t from;
    bool cut_off;           // the sender was, when it sent it
    uint16_t life, to_life; // of the sender, and of the receiver that it is for: see connections.h
    uint32_t clock;         // of the event that made it; 0: made before the first
    uint32_t generation;    // of a timer
    uint32_t offset, size;
    uint32_t next;
    uint32_t number; // in the order in which they were put
    uint64_t hash;   // of kind and contents, once somebody asked; 0: not known
    uint64_t exact;  // the number of these (cluster/exact_states.h), in the same way
};

// What there is still to be chosen about an entry: the first thing, the second (a message may be dropped or doubled),
// nothing.
enum { STAGE_FIRST, STAGE_SECOND, STAGE_EVENT };

// What of a channel changes.
struct queue {
    uint32_t first, last, count; // entries
    uint8_t stage;               // of the first entry
    bool again;                  // the first entry stays behind: it was doubled
};

struct channel {
    enum channel_kind kind;
    uint8_t node; // where its entries happen
    uint8_t number;
    uint32_t actor;
};

struct node_local {   // followed by segment and heap
    uint32_t used;    // bytes of the whole block
    uint32_t written; // the newest write to the disk since the last sync: bytes from its start, plus 1; 0: none
    uint32_t generation[HEDDLE_TIMERS]; // how often each was set
    uint16_t life;                      // how often it has crashed
    uint16_t peer_life[MAX_NODES];      // of a peer, as far as the node knows; its own of itself
    uint64_t hash;                      // of everything below, the memory, the disk and the report; 0: see node_hash
    uint64_t relevant;                  // the same of what counts (relevant.h); 0: not known
    uint64_t exact;                     // the number of that (cluster/exact_states.h); 0: not known
    bool up, isolated;
    bool set[HEDDLE_TIMERS];
    uint32_t disk_used, synced_used;
    uint32_t seconds; // how often its timers have run out, if the protocol asks for the time
    uint64_t random;  // where its random numbers are
};

struct world_counts { // what changes of the world outside nodes and queues
    uint32_t entries, data;
    uint32_t left[FAULTS];
    int started; // nodes
    bool over;   // something failed: nothing happens any more
};

enum failure_kind {
    FAILURE_NONE,
    FAILURE_CHECK,
    FAILURE_QUIET,
    FAILURE_HISTORY,
    FAILURE_AGREEMENT, // two events of the quorum tree disagree
    FAILURE_CRASH,
    FAILURE_ASSERTION,
    FAILURE_HANG,
    FAILURE_USE,
    FAILURE_MEMORY, // a node touched what it must not
    FAILURE_ROOM    // none of the protocol's: heddle has no room for the rest of the execution
};
extern const char *const failure_names[];

struct world_options {
    int nodes;
    enum order order;
    uint32_t budget[FAULTS];
    uint32_t max_events;
    uint64_t seed;  // of the random numbers of nodes
    uint32_t draws; // how many numbers of rand are tried; below 2: the one of the seed
    size_t heap;    // bytes of each node; 0: HEAP_USUAL
    bool whole;     // what nothing reads is part of states, too
};

// Told of what happens while a run is recorded. `lost`: nobody takes it; of a choice it says nothing.
struct world_observer {
    void (*event)(void *context, const struct channel *channel, const struct entry *entry, uint32_t alternative,
                  bool lost);
    void (*said)(void *context, int node, const char *text);
    void (*drew)(void *context, int node, uint32_t value, uint32_t of, bool is_rand);
    void (*again)(void *context); // settling begins anew: what was told of it does not count
    void *context;
};

struct world {
    struct target target;
    struct exec exec;
    struct library library;
    struct world_options options;
    struct undo undo;
    size_t *marks; // of the undo log, in front of each event
    struct world_counts counts;
    struct client_calls clients;
    void (*judge)(void); // of what clients saw, at the end; or null
    struct channel channel[MAX_CHANNELS];
    uint32_t channels; // ever seen, in any execution
    struct queue queue[MAX_CHANNELS];
    uint16_t channel_of[MAX_ACTORS];
    uint32_t timer_channel, request_channel, fault_channel, net_channel, break_channel,
        start_channel; // the first; links come first
    struct entry *entry;
    uint8_t *data;
    uint8_t *block[MAX_NODES]; // struct node_local, segment, heap
    uint8_t *disk[MAX_NODES];  // blobs as written; DISK_ROOM further on, as synced
    uint8_t *report[MAX_NODES];
    uint8_t *forgotten[MAX_NODES]; // what counts of the last report of a node that is down; see relevant_crash
    uint8_t *pristine;             // the segment before any boot
    // The callback under way.
    int self;        // or -1
    int loaded;      // the node whose memory is at its place, or -1
    bool settling;   // see world_settle
    bool trial;      // outside an execution: the search is not told
    uint32_t acting; // the actor whose event is under way
    sigjmp_buf escape;
    volatile bool inside; // a signal belongs to the protocol
    volatile unsigned ticks;
    enum failure_kind failure;
    char failure_text[FAILURE_TEXT];
    int failure_node;
    int failure_sort;        // which of several of one kind, where that is told by more than the text; or 0
    uintptr_t failure_place; // in the protocol's code, as a call would return to it; 0: not known
    const struct world_observer *observer;
    uint64_t happened; // events of nodes in executions, ever; how many are tried beside them is not the same each time
    uint32_t settled;  // events that the last world_settle told of
};

extern struct world world;

static inline struct node_local *node_local(int node)
{
    return (struct node_local *)world.block[node];
}

// Loads the protocol and boots all nodes. Null, or a sentence about wrong use. A boot that fails is in world.failure.
const char *world_open(const char *object, const struct world_options *options);
void world_close(void);

// The first entry of a channel, or null.
struct entry *channel_head(uint32_t channel);

// Whether the next step of the channel is a choice, and between how many outcomes.
bool channel_chooses(uint32_t channel);
enum fault channel_choice(uint32_t channel); // which fault it is about; FAULTS if it is none
uint32_t channel_outcomes(uint32_t channel);

// Lets the channel's next step happen, and asks `check`. Keeps everything it changes.
void world_step(uint32_t channel, uint32_t alternative);

// The same without telling the search: for looking what would happen. Undone by undo_to with the mark from before.
void world_try(uint32_t channel, uint32_t alternative);
void world_back(size_t mark);

// The same with an entry that need not be in the channel.
void world_try_entry(uint32_t channel, const struct entry *entry);

// Everything of a node, before something changes it.
void world_keep_node(int node);

// What an entry holds is copied, so that it can be changed; where it is then. The counts have been kept.
uint32_t world_copy_data(uint32_t offset, uint32_t size);

// Puts an entry behind the others of its channel. The event under way is where it comes from.
void channel_put(uint32_t channel, struct entry entry, const void *data, size_t size);
uint32_t link_channel(int from, int to);

// Makes the actor of a channel ready for its next step, if there is one.
void channel_park(uint32_t channel);

// Everything that decides the future: nodes, what is in flight, what budgets are left, what those who look on remember. Of nodes it
// is what counts; if an audit asked for that (relevant_count_all), or with `whole`, everything.
uint64_t world_hash(void);
uint64_t world_relevant_hash(void);
uint64_t world_whole_hash(void);

// The same, given the hashes of nodes by their numbers, and if `to` is not null everything else with these other numbers.
uint64_t world_sum(const uint64_t *nodes, const int *to);

// What nodes report of themselves and which are up: a coarse view of the state.
uint64_t world_view_hash(void);

// What a node reports of itself, and whether it is up.
uint64_t world_report_hash(int node);

// Everything of a node: memory, disk, report.
uint64_t node_hash(int node);

// What is known by number of a node's contents does not hold any more, since they have changed.
void node_forget_hashes(int node);

// What decides how the first entry of a channel happens, besides the state of its node.
uint64_t entry_hash(uint32_t channel);

// Everything that is in a channel. Of messages that may come in any order it does not say in which channel of their link they are.
uint64_t queue_hash(uint32_t channel);

static inline bool channel_is_bag(uint32_t channel)
{
    return world.options.order == ORDER_ANY && world.channel[channel].kind == CHANNEL_LINK;
}

// Asks `quiet`, after delivering what is in flight and letting timers run out, fairly, for up to `patience` events: all
// timers whenever nothing is in flight, and now and then if something always is; if that does not help, once more from the
// same state with one timer at a time. `check` is asked after each event.
void world_settle(uint32_t patience);

// Whether the undo log has room for another event of the node, whatever it does; if not, that is a failure.
bool world_has_room(int node);

// Lets the observer look and asks `check` once an event of the node is over.
void world_check(int node);

// Whether the first entry of the channel is a request that its node does not take in this state.
bool request_waits(uint32_t channel);

void world_fail(enum failure_kind kind, int node, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
