// What the nodes of broadcast.c are, know and say: transactions and histories of them, votes and their order, packets, and
// the state of a node.
#ifndef BROADCAST_STATE_H
#define BROADCAST_STATE_H

#include <heddle/node.h>

enum { MAX = 9, LOG = 6 };

enum role { LOOKING, FOLLOWING, LEADING, BROKEN };

struct number { // of a transaction
    int epoch, counter;
};

struct transaction {
    struct number number;
    int value;
};

struct history {
    int epoch; // of the leader that last brought it in line
    int length;
    struct transaction log[LOG];
};

struct vote {
    int leader, epoch;
    struct number last;
};

struct packet {
    enum { VOTE, SETTLED, JOIN, REFUSE, SYNC, SYNCED, WRITTEN, START, PROPOSE, LOGGED, COMMIT } kind;
    int epoch; // promised by who joins; begun by the leader
    int round, count;
    int joined; // SYNC, REFUSE: the round of the JOIN that it answers
    bool first; // SYNCED: the epoch was accepted from this leader, and from nobody before
    struct vote vote;
    struct number last;           // JOIN: of the sender's log; SYNC: up to which the receiver keeps its own
    struct transaction what[LOG]; // SYNC: those behind it; PROPOSE: one
};

struct state {
    enum role role;
    bool established, begun;
    bool writing; // a follower is being brought in line …
    bool synced;  // … and is
    bool first;   // it had not accepted the epoch before
    int round, accepted, joined, committed;
    int waiting; // what this node's client wants; 0: nothing
    int highest; // of the epochs that those who joined had promised
    struct vote vote;
    struct history history;
    bool is_member[MAX], is_synced[MAX], is_supporter[MAX];
    int logged[MAX]; // of a leader: how long a member's log is known to be
    // For the rules, of what is not in the members above:
    int self;
    unsigned heard;       // a digest of what was heard
    bool is_settled[MAX]; // known to have a leader
};

static bool is_quorum(int count)
{
    return count > heddle_nodes() / 2;
}

static int compare(struct number a, struct number b)
{
    return a.epoch != b.epoch ? a.epoch - b.epoch : a.counter - b.counter;
}

static struct number last_of(const struct history *h)
{
    return h->length ? h->log[h->length - 1].number : (struct number){0, 0};
}

static bool is_better(const struct vote *new, const struct vote *old)
{
    if (new->epoch != old->epoch)
        return new->epoch > old->epoch;
    int order = compare(new->last, old->last);
    return order ? order > 0 : new->leader > old->leader;
}

#endif
