// Fast Paxos (Lamport, 2006) with four acceptors, of which one may fail: in the first round clients send their values to the acceptors
// themselves, each of which votes for what it gets first. Three votes for one value decide.
//
//     heddle cluster --nodes 6 --timeouts 1 fast_paxos.c
//
// Written for this tree. Node 0 is the coordinator, node 1 the learner; each is a client as well. If the coordinator waits too long
// (the values may have collided) it begins round 2 as in Paxos, with three of the four. Had a value been decided in round 1, two of
// these three have voted for it: that value is proposed. If no value has two votes, nothing was decided, and any will do.
//
// In round 1 nobody proposes. So the quorum tree is told of that round when somebody relies on it: the learner at its decision, or
// the coordinator that proposes its value again. Both may (HEDDLE_WITNESSES).
//
// -DBUG=1:  in round 1 two votes decide, as if it were an ordinary majority without the coordinator.
// -DBUG=2:  the coordinator takes the first vote that it hears of.
// -DBUG=3:  the coordinator begins round 2 with two acceptors.
#include <heddle/node.h>
#include <stdio.h>

#ifndef BUG
#define BUG 0
#endif

enum { COORDINATOR, LEARNER, CLIENTS, ACCEPTORS = 4, VALUES = 4, ROUNDS = 3 };
enum { QUORUM = 3, FAST_QUORUM = BUG == 1 ? 2 : 3, JOIN_QUORUM = BUG == 3 ? 2 : QUORUM };
enum { ENOUGH = BUG == 2 ? 1 : 2 }; // votes that show that a value may have been decided

enum kind { OFFER, START, JOIN, PROPOSE, VOTE };

struct message {
    enum kind kind;
    int round, value; // of JOIN: what it voted for in round 1, or 0
};

static int joined, value;              // of an acceptor: the round that it is in, what it voted for in round 1
static unsigned joins, heard[VALUES];  // of the coordinator: who joined round 2, and who had voted for what
static unsigned votes[ROUNDS][VALUES]; // of the learner
static bool decided[ROUNDS];

static struct heddle_round round_of(int number)
{
    return (struct heddle_round){.number = (unsigned long)number};
}

static int count(unsigned set)
{
    return __builtin_popcount(set);
}

static void send_acceptors(struct message m)
{
    for (int i = 0; i < ACCEPTORS; i++)
        heddle_send(CLIENTS + i, &m, sizeof m);
}

static void boot(int self, int nodes)
{
    (void)nodes;
    if (self < CLIENTS)
        send_acceptors((struct message){OFFER, 1, self + 1});
    if (self == COORDINATOR)
        heddle_set_timer(0);
}

static void timer(int number)
{
    (void)number;
    send_acceptors((struct message){.kind = START, .round = 2});
}

static void tell(int to, struct message m)
{
    heddle_send(to, &m, sizeof m);
}

// The value that may have been decided in round 1, or 0.
static int find_value(void)
{
    for (int v = 1; v < VALUES; v++)
        if (count(heard[v]) >= ENOUGH)
            return v;
    return 0;
}

static void count_join(int from, const struct message *m)
{
    if (count(joins) >= JOIN_QUORUM)
        return;
    joins |= 1u << from;
    heard[m->value] |= 1u << from;
    if (count(joins) < JOIN_QUORUM)
        return;
    int old = find_value(), new = old ? old : 3;
    if (old)
        heddle_qtree_add(0, round_of(1), old, round_of(0));
    heddle_qtree_add(0, round_of(2), new, round_of(old ? 1 : 0));
    send_acceptors((struct message){PROPOSE, 2, new});
}

static void learn(int from, const struct message *m)
{
    unsigned *set = &votes[m->round][m->value];
    *set |= 1u << from;
    if (decided[m->round] || count(*set) < (m->round == 1 ? FAST_QUORUM : QUORUM))
        return;
    decided[m->round] = true;
    if (m->round == 1)
        heddle_qtree_add(0, round_of(1), m->value, round_of(0));
    heddle_qtree_commit(0, round_of(m->round));
    heddle_reached(m->round == 1 ? "a value is decided fast" : "a value is decided slowly");
}

static void message(int from, const void *data, size_t size)
{
    const struct message *m = data;
    (void)size;
    switch (m->kind) {
    case OFFER:
        if (joined || value)
            break;
        value = m->value;
        tell(LEARNER, (struct message){VOTE, 1, value});
        break;
    case START:
        joined = m->round;
        tell(from, (struct message){JOIN, m->round, value});
        break;
    case JOIN:
        count_join(from, m);
        break;
    case PROPOSE:
        joined = m->round;
        tell(LEARNER, (struct message){VOTE, m->round, m->value});
        break;
    case VOTE:
        learn(from, m);
        break;
    }
}

static void show(const void *data, size_t size, char *text, size_t room)
{
    static const char *const names[] = {"offer", "start", "join", "propose", "vote"};
    const struct message *m = data;
    (void)size;
    snprintf(text, room, m->value ? "%s %d: %d" : "%s %d", names[m->kind], m->round, m->value);
}

static const char *const goals[] = {"a value is decided fast", "a value is decided slowly", NULL};

const struct heddle_protocol heddle_protocol = {
    .name = "fast-paxos",
    .boot = boot,
    .message = message,
    .timer = timer,
    .show_message = show,
    .goals = goals,
    .qtree = HEDDLE_WITNESSES,
};
