// Raft (Ongaro and Ousterhout, USENIX ATC 2014), as a state machine: it reacts to messages, timers and clients, and does nothing
// by itself. Who runs it gives it the functions below; examples/kv/cluster.c does for `heddle cluster`, server.c over TCP.
#ifndef RAFT_H
#define RAFT_H

#include <stddef.h>

#include "store.h"

#ifndef LOG_MOST
#define LOG_MOST 32 // entries behind the last snapshot
#endif
enum { SERVERS_MOST = 8 };

enum timer { TIMER_ELECTION, TIMER_HEARTBEAT };

enum role { FOLLOWER, CANDIDATE, LEADER };

enum entry_kind { NOTHING, COMMAND, MEMBERS };

struct entry {
    int term;
    enum entry_kind kind;
    unsigned members; // a bit for each server, if that changes
    unsigned unused;  // no gaps: entries are compared and sent as they are
    struct command command;
};

// Everything up to an entry, which the log need not have any more.
struct snapshot {
    int index, term; // of the entry
    unsigned members;
    struct store store;
};

// What has to outlive a crash. It is written whole.
struct kept {
    int term, vote; // a server plus 1
    struct snapshot snapshot;
    int length;
    struct entry log[LOG_MOST]; // log[0] comes behind the snapshot
};

struct reading { // that waits until the leader knows that it still is
    struct command command;
    int round; // of heartbeats, that a majority has to answer
    int index; // up to which must be applied
};

struct raft {
    int self;
    struct kept kept;
    unsigned members; // who has a vote: the last change in the log counts, committed or not
    int changed;      // where that is, or 0
    enum role role;
    int leader; // as far as the server knows, or -1
    bool heard; // from a leader since the election timer was set
    int commit, applied;
    struct store store;
    unsigned votes;         // of a candidate: a bit for each server
    int next[SERVERS_MOST]; // of a leader
    int match[SERVERS_MOST];
    int own;                           // the first entry of its term
    int round, answered[SERVERS_MOST]; // heartbeats: of each server, the last that it answered
    int readings;
    struct reading reading[STORE_CLIENTS];
};

// A server that was never started before believes that these are the members. One that is to join has none.
void raft_start(struct raft *r, int self, unsigned members);
void raft_message(struct raft *r, int from, const void *data, size_t size);
void raft_timer(struct raft *r, enum timer timer);

// A client's command. It is answered sooner or later by host_answer, or never: the client has to ask again, perhaps another server.
void raft_command(struct raft *r, const struct command *command);

// Adds one server to the members or takes one away. Says whether the leader, if this is it, has begun to.
bool raft_change(struct raft *r, unsigned members);

void raft_show_message(const void *data, size_t size, char *text, size_t room);

// What the state machine calls.
void host_send(int to, const void *data, size_t size);
void host_keep(const struct kept *kept); // is on disk when this returns
bool host_kept(struct kept *kept);       // whether there is something
void host_set_timer(enum timer timer);
void host_answer(const struct command *command, long result);

#endif
