// Paxos (Lamport, The part-time parliament): two proposers, three acceptors and a learner agree on one value.
//
//     heddle cluster --nodes 6 paxos.c              with -DPROPOSERS=3: --nodes 7
//
// Written for this tree. A proposer asks the acceptors to join its round; a quorum of them promises to vote in no lower round, and
// says in which round it voted last, and for what. The proposer proposes the value of the highest of these rounds, or its own. What a
// quorum votes for in one round is decided. A proposer that waits too long begins a higher round. What an acceptor promised and voted
// for is on its disk before anybody hears of it.
//
// The quorum tree is told of a proposal with the round that it builds on, and of a decision.
//
// -DBUG=1:  one acceptor is enough to begin a round, so the quorums of two phases need not meet.
// -DBUG=2:  the learner takes one vote for a decision.
// -DBUG=3:  one of the acceptors votes in every round, whatever it has promised.
// -DBUG=4:  a proposer keeps to its own value.
// -DBUG=5:  a vote is sent before it is on the disk (--crashes 1 --reboots 1).
//
// What does not matter any more is no part of a state, and acceptors may change places; with -DWHOLE everything counts. -DFORGETS=2:
// the learner forgets votes that are no quorum yet, which --audit finds out.
#include <heddle/node.h>
#include <stdio.h>

#ifndef BUG
#define BUG 0
#endif
#ifndef FORGETS
#define FORGETS 1
#endif
#ifndef PROPOSERS
#define PROPOSERS 2
#endif

enum { ACCEPTORS = 3, LEARNER = PROPOSERS + ACCEPTORS, ROUNDS = 16 };
enum { QUORUM = ACCEPTORS / 2 + 1, JOIN_QUORUM = BUG == 1 ? 1 : QUORUM, VOTE_QUORUM = BUG == 2 ? 1 : QUORUM };

enum kind { START, JOIN, PROPOSE, VOTE };

struct message {
    enum kind kind;
    int round, voted, value; // voted: of JOIN, the round of the value, or 0
};

static struct {
    int joined, voted, value; // of an acceptor
} acceptor;

static struct {
    int round, voted, value; // what it proposes, and the round that it has this from
    unsigned joined;         // a bit for each acceptor
} proposer;

static unsigned votes[ROUNDS]; // of the learner: a bit for each acceptor

static int count(unsigned set)
{
    return __builtin_popcount(set);
}

static struct heddle_round round_of(int number)
{
    return (struct heddle_round){.number = (unsigned long)number};
}

static void send_acceptors(struct message m)
{
    for (int i = 0; i < ACCEPTORS; i++)
        heddle_send(PROPOSERS + i, &m, sizeof m);
}

static void keep_acceptor(void)
{
    heddle_write("acceptor", &acceptor, sizeof acceptor);
    heddle_sync();
}

// Rounds of a proposer are those that leave its number when they are divided by PROPOSERS.
static void start_round(int last)
{
    proposer.round = last ? last + PROPOSERS : heddle_self() + 1;
    proposer.value = heddle_self() + 1;
    proposer.voted = 0;
    proposer.joined = 0;
    heddle_write("round", &proposer.round, sizeof proposer.round);
    heddle_sync();
    send_acceptors((struct message){.kind = START, .round = proposer.round});
    heddle_set_timer(0);
}

static void boot(int self, int nodes)
{
    int last = 0;
    (void)nodes;
    heddle_read("acceptor", &acceptor, sizeof acceptor);
    heddle_read("round", &last, sizeof last);
    if (self < PROPOSERS)
        start_round(last);
}

static void join(int from, const struct message *m)
{
    if (m->round <= acceptor.joined)
        return;
    acceptor.joined = m->round;
    keep_acceptor();
    struct message reply = {JOIN, m->round, acceptor.voted, acceptor.value};
    heddle_send(from, &reply, sizeof reply);
}

static void vote(const struct message *m)
{
    bool votes_always = BUG == 3 && heddle_self() == PROPOSERS;
    if (m->round < acceptor.joined && !votes_always)
        return;
    acceptor.joined = acceptor.voted = m->round;
    acceptor.value = m->value;
    if (BUG != 5)
        keep_acceptor();
    struct message reply = {.kind = VOTE, .round = m->round, .value = m->value};
    heddle_send(LEARNER, &reply, sizeof reply);
}

static void joined(int from, const struct message *m)
{
    if (m->round != proposer.round || count(proposer.joined) >= JOIN_QUORUM)
        return;
    proposer.joined |= 1u << from;
    if (m->voted > proposer.voted) {
        proposer.voted = m->voted;
        proposer.value = BUG == 4 ? proposer.value : m->value;
    }
    if (count(proposer.joined) < JOIN_QUORUM)
        return;
    heddle_qtree_add(0, round_of(proposer.round), proposer.value, round_of(proposer.voted));
    send_acceptors((struct message){.kind = PROPOSE, .round = proposer.round, .value = proposer.value});
}

static void learn(int from, const struct message *m)
{
    if (count(votes[m->round]) >= VOTE_QUORUM)
        return;
    votes[m->round] |= 1u << from;
    if (count(votes[m->round]) < VOTE_QUORUM)
        return;
    heddle_qtree_commit(0, round_of(m->round));
    heddle_reached("a value is decided");
}

static void message(int from, const void *data, size_t size)
{
    const struct message *m = data;
    (void)size;
    switch (m->kind) {
    case START:
        join(from, m);
        break;
    case JOIN:
        joined(from, m);
        break;
    case PROPOSE:
        vote(m);
        break;
    case VOTE:
        learn(from, m);
        break;
    }
}

static void timer(int number)
{
    (void)number;
    if (proposer.round + PROPOSERS < ROUNDS)
        start_round(proposer.round);
}

static void show(const void *data, size_t size, char *text, size_t room)
{
    static const char *const names[] = {"start", "join", "propose", "vote"};
    const struct message *m = data;
    (void)size;
    int length = snprintf(text, room, "%s %d", names[m->kind], m->round);
    if (m->kind == JOIN && m->voted)
        snprintf(text + length, room - (size_t)length, ", voted in %d for %d", m->voted, m->value);
    if (m->kind == PROPOSE || m->kind == VOTE)
        snprintf(text + length, room - (size_t)length, " for %d", m->value);
}

#ifndef WHOLE
// Who has joined or voted, once they are a quorum; and what a proposer has proposed.
static void forget(void *state)
{
    (void)state;
    if (count(proposer.joined) >= JOIN_QUORUM) {
        proposer.joined = (1u << JOIN_QUORUM) - 1;
        proposer.voted = proposer.value = 0;
    }
    for (int i = 0; i < ROUNDS; i++)
        if (count(votes[i]) >= VOTE_QUORUM || FORGETS == 2)
            votes[i] = (1u << VOTE_QUORUM) - 1;
}

static unsigned rename_set(unsigned set, const int *to)
{
    unsigned renamed = 0;
    for (int i = 0; i < heddle_nodes(); i++)
        renamed |= (set >> i & 1) << to[i];
    return renamed;
}

static void rename_memory(const int *to)
{
    proposer.joined = rename_set(proposer.joined, to);
    for (int i = 0; i < ROUNDS; i++)
        votes[i] = rename_set(votes[i], to);
}

static const struct heddle_renaming renaming = {
    .nodes = BUG == 3 ? 0 : ((1u << ACCEPTORS) - 1) << PROPOSERS, .memory = rename_memory, .tree = true};
#endif

static const char *const goals[] = {"a value is decided", NULL};

const struct heddle_protocol heddle_protocol = {
    .name = "paxos",
    .boot = boot,
    .message = message,
    .timer = timer,
    .show_message = show,
    .never_crash = 1u << LEARNER,
#ifndef WHOLE
    .forget = forget,
    .renaming = &renaming,
#endif
    .goals = goals,
};
