// PBFT (Castro and Liskov, OSDI 1999) with four nodes, of which one is Byzantine: node 0, the leader of round 1, which proposes one
// value to some, another value to others, and perhaps both.
//
//     heddle cluster --nodes 4 --timeouts 1 pbft.c
//
// Written for this tree, for one position of the log. A node that gets a proposal of its round tells all that it joins in; if a quorum
// joins for one value it votes, and if a quorum votes the value is decided. Nobody joins twice in a round. A node that waits too long
// goes to the next round and tells its leader what it voted for last; the leader proposes the value of the highest such round.
// Messages are signed, and votes are proved by the joins that led to them, so the Byzantine node can lie about nobody's votes
// but conceal its own. It joins and votes for everything: honest nodes count it as if it had always told them so.
//
// Of four nodes three are a quorum: any two quorums have an honest node in common. Whoever is honest tells the quorum tree what it
// has seen, so several tell the same (HEDDLE_WITNESSES).
//
// -DBUG=1:  two nodes are a quorum.
// -DBUG=2:  a node joins as often as it is asked.
// -DBUG=3:  the leader of round 2 proposes before it has heard of any vote but its own.
// -DBUG=4:  the leader of round 2 proposes a value of its own.
#include <heddle/node.h>
#include <stdio.h>

#ifndef BUG
#define BUG 0
#endif

enum { NODES = 4, LIAR = 0, VALUES = 4, ROUNDS = 4 };
enum { QUORUM = BUG == 1 ? 2 : 3, CHANGE_QUORUM = BUG == 3 ? 2 : QUORUM };

enum kind { PROPOSE, JOIN, VOTE, CHANGE };

struct message {
    enum kind kind;
    int round, value, parent; // of CHANGE: where the sender voted last, and for what
};

static int round_now, joined, voted, value; // joined, voted: the last round in which it did
static bool decided[ROUNDS];
static unsigned joins[ROUNDS][VALUES], votes[ROUNDS][VALUES], changes[ROUNDS]; // a bit for each node
static int highest, chosen;                                                    // of a leader: what it was told

static struct heddle_round round_of(int number)
{
    return (struct heddle_round){.number = (unsigned long)number};
}

static int leader_of(int round)
{
    return (round - 1) % NODES;
}

static bool is_quorum(unsigned set, int quorum)
{
    return __builtin_popcount(set) >= quorum;
}

static void handle(int from, const struct message *m);

// To every honest node, itself too.
static void tell_all(struct message m)
{
    for (int to = 0; to < NODES; to++)
        if (to != LIAR && to != heddle_self())
            heddle_send(to, &m, sizeof m);
    handle(heddle_self(), &m);
}

static void join(const struct message *m)
{
    if (m->round != round_now || (joined == m->round && BUG != 2))
        return;
    joined = m->round;
    tell_all((struct message){JOIN, m->round, m->value, m->parent});
}

static void count_join(int from, const struct message *m)
{
    unsigned *set = &joins[m->round][m->value];
    bool before = is_quorum(*set, QUORUM);
    *set |= 1u << from | 1u << LIAR;
    if (before || !is_quorum(*set, QUORUM) || m->round != round_now)
        return;
    voted = m->round;
    value = m->value;
    heddle_qtree_add(0, round_of(m->round), m->value, round_of(m->parent));
    tell_all((struct message){VOTE, m->round, m->value, m->parent});
}

static void count_vote(int from, const struct message *m)
{
    votes[m->round][m->value] |= 1u << from | 1u << LIAR;
    if (decided[m->round] || !is_quorum(votes[m->round][m->value], QUORUM))
        return;
    decided[m->round] = true;
    heddle_qtree_commit(0, round_of(m->round));
    heddle_reached("a value is decided");
}

static void go_to(int round)
{
    round_now = round;
    struct message m = {CHANGE, round, value, voted};
    if (leader_of(round) == heddle_self())
        handle(heddle_self(), &m);
    else if (leader_of(round) != LIAR)
        heddle_send(leader_of(round), &m, sizeof m);
}

// A leader goes along as soon as one honest node has left the old round, and proposes its own number if it is told of no vote.
static void count_change(int from, const struct message *m)
{
    unsigned *set = &changes[m->round];
    if (m->round > round_now)
        go_to(m->round);
    if (is_quorum(*set, CHANGE_QUORUM))
        return;
    *set |= 1u << from | 1u << LIAR;
    if (m->parent > highest) {
        highest = m->parent;
        chosen = m->value;
    }
    if (!is_quorum(*set, CHANGE_QUORUM))
        return;
    struct message proposal = {PROPOSE, m->round, highest && BUG != 4 ? chosen : heddle_self() + 2, highest};
    tell_all(proposal);
}

static void handle(int from, const struct message *m)
{
    switch (m->kind) {
    case PROPOSE:
        if (m->round > round_now)
            round_now = m->round;
        join(m);
        break;
    case JOIN:
        count_join(from, m);
        break;
    case VOTE:
        count_vote(from, m);
        break;
    case CHANGE:
        count_change(from, m);
        break;
    }
}

static void message(int from, const void *data, size_t size)
{
    (void)size;
    handle(from, data);
}

static void boot(int self, int nodes)
{
    (void)nodes;
    round_now = 1;
    if (self != LIAR) {
        heddle_set_timer(0);
        return;
    }
    for (int to = 1; to < NODES; to++) {
        int lie = heddle_choose(3); // the one value, the other, both
        struct message one = {PROPOSE, 1, 1, 0}, other = {PROPOSE, 1, 2, 0};
        if (lie != 1)
            heddle_send(to, &one, sizeof one);
        if (lie != 0)
            heddle_send(to, &other, sizeof other);
    }
}

static void timer(int number)
{
    (void)number;
    if (round_now + 1 < ROUNDS)
        go_to(round_now + 1);
}

static void show(const void *data, size_t size, char *text, size_t room)
{
    static const char *const names[] = {"propose", "join", "vote", "change to"};
    const struct message *m = data;
    (void)size;
    if (m->kind == CHANGE && m->parent)
        snprintf(text, room, "change to %d, voted in %d for %d", m->round, m->parent, m->value);
    else if (m->kind == CHANGE)
        snprintf(text, room, "change to %d", m->round);
    else
        snprintf(text, room, "%s %d: %d on %d", names[m->kind], m->round, m->value, m->parent);
}

static const char *const goals[] = {"a value is decided", NULL};

const struct heddle_protocol heddle_protocol = {
    .name = "pbft",
    .boot = boot,
    .message = message,
    .timer = timer,
    .show_message = show,
    .goals = goals,
    .qtree = HEDDLE_WITNESSES,
};
