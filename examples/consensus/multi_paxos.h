// The common part of Multi-Paxos and its variants: two proposers and some acceptors agree on a value for each position of a log.
//
// Written for this tree. The first phase of Paxos is about all positions at once: whoever joins a round says for each position where
// it voted last and for what. The leader of the round then proposes position by position, with no first phase in between, for as
// long as nobody begins a higher round. A position is decided when a quorum has voted for it; the next one comes after that.
// Acceptors keep what they promised on their disks.
//
// A variant defines POSITIONS, ACCEPTORS, JOIN_QUORUM and VOTE_QUORUM before it includes this file, and perhaps what is found here under
// #ifndef.
#ifndef MULTI_PAXOS_H
#define MULTI_PAXOS_H

#include <heddle/node.h>
#include <stdio.h>

#ifndef OWN_VALUE
#define OWN_VALUE(self, position) (10 * ((position) + 1) + (self)) // what a proposer proposes if it is free to
#endif
#ifndef IS_ASKED
#define IS_ASKED(self, round, number) true // whether the acceptor of this number takes part in the round of a proposer
#endif
#ifndef GOES_ON_BEHIND
#define GOES_ON_BEHIND(value) true // whether there may be something behind this value
#endif
#ifndef CHECK
#define CHECK NULL
#endif

enum { PROPOSERS = 2, ROUNDS = 16 };

enum kind { START, JOIN, PROPOSE, VOTE };

struct vote {
    int round, value; // 0: it has not voted
};

struct message {
    enum kind kind;
    int round, position;
    struct vote last[POSITIONS]; // of JOIN
    int value;                   // of PROPOSE
};

struct state {
    int decided[POSITIONS]; // values; 0: none
};

static struct {
    int joined; // the highest round that it joined
    struct vote last[POSITIONS];
} acceptor;

static struct {
    int round, position;            // which it proposes
    struct vote highest[POSITIONS]; // that it was told of
    unsigned joined, voted;         // a bit for each acceptor
    struct state state;
} proposer;

static struct heddle_round round_of(int number)
{
    return (struct heddle_round){.number = (unsigned long)number};
}

static int count(unsigned set)
{
    return __builtin_popcount(set);
}

static void send_acceptors(const struct message *m)
{
    for (int i = 0; i < ACCEPTORS; i++)
        if (IS_ASKED(heddle_self(), m->round, i))
            heddle_send(PROPOSERS + i, m, sizeof *m);
}

static void start_round(int last)
{
    proposer.round = last ? last + PROPOSERS : heddle_self() + 1;
    proposer.joined = proposer.voted = 0;
    proposer.position = 0;
    for (int i = 0; i < POSITIONS; i++)
        proposer.highest[i] = (struct vote){0, 0};
    heddle_write("round", &proposer.round, sizeof proposer.round);
    heddle_sync();
    send_acceptors(&(struct message){.kind = START, .round = proposer.round});
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

static void keep_acceptor(void)
{
    heddle_write("acceptor", &acceptor, sizeof acceptor);
    heddle_sync();
}

static void join(int from, const struct message *m)
{
    if (m->round <= acceptor.joined)
        return;
    acceptor.joined = m->round;
    keep_acceptor();
    struct message reply = {.kind = JOIN, .round = m->round};
    for (int i = 0; i < POSITIONS; i++)
        reply.last[i] = acceptor.last[i];
    heddle_send(from, &reply, sizeof reply);
}

static void vote(int from, const struct message *m)
{
    if (m->round < acceptor.joined)
        return;
    acceptor.joined = m->round;
    acceptor.last[m->position] = (struct vote){m->round, m->value};
    keep_acceptor();
    struct message reply = {.kind = VOTE, .round = m->round, .position = m->position};
    heddle_send(from, &reply, sizeof reply);
}

// For the position that is next.
static void propose(void)
{
    int position = proposer.position;
    struct vote *v = &proposer.highest[position];
    if (!v->round)
        v->value = OWN_VALUE(heddle_self(), position);
    proposer.voted = 0;
    heddle_qtree_add(position, round_of(proposer.round), v->value, round_of(v->round));
    send_acceptors(
        &(struct message){.kind = PROPOSE, .round = proposer.round, .position = position, .value = v->value});
}

static void count_join(int from, const struct message *m)
{
    if (m->round != proposer.round || count(proposer.joined) >= JOIN_QUORUM)
        return;
    proposer.joined |= 1u << from;
    for (int i = 0; i < POSITIONS; i++)
        if (m->last[i].round > proposer.highest[i].round)
            proposer.highest[i] = m->last[i];
    if (count(proposer.joined) == JOIN_QUORUM)
        propose();
}

static void count_vote(int from, const struct message *m)
{
    if (m->round != proposer.round || m->position != proposer.position || count(proposer.voted) >= VOTE_QUORUM)
        return;
    proposer.voted |= 1u << from;
    if (count(proposer.voted) < VOTE_QUORUM)
        return;
    int value = proposer.highest[m->position].value;
    proposer.state.decided[m->position] = value;
    heddle_qtree_commit(m->position, round_of(m->round));
    heddle_reached(m->position ? "a second value is decided" : "a value is decided");
    if (m->position + 1 < POSITIONS && GOES_ON_BEHIND(value)) {
        proposer.position++;
        propose();
    }
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
        count_join(from, m);
        break;
    case PROPOSE:
        vote(from, m);
        break;
    case VOTE:
        count_vote(from, m);
        break;
    }
}

static void timer(int number)
{
    (void)number;
    if (proposer.round + PROPOSERS < ROUNDS)
        start_round(proposer.round);
}

static void report(void *state)
{
    *(struct state *)state = proposer.state;
}

static void show(const void *data, size_t size, char *text, size_t room)
{
    static const char *const names[] = {"start", "join", "propose", "vote"};
    const struct message *m = data;
    (void)size;
    int used = snprintf(text, room, "%s %d", names[m->kind], m->round);
    for (int i = 0; i < POSITIONS && m->kind == JOIN; i++)
        if (m->last[i].round)
            used += snprintf(text + used, room - (size_t)used, ", %d: %d in %d", i, m->last[i].value, m->last[i].round);
    if (m->kind == PROPOSE)
        snprintf(text + used, room - (size_t)used, ", %d: %d", m->position, m->value);
    if (m->kind == VOTE)
        snprintf(text + used, room - (size_t)used, ", %d", m->position);
}

static const char *const goals[] = {"a value is decided", NULL};

const struct heddle_protocol heddle_protocol = {
    .name = "multi-paxos",
    .boot = boot,
    .message = message,
    .timer = timer,
    .state_size = sizeof(struct state),
    .report = report,
    .check = CHECK,
    .show_message = show,
    .goals = goals,
};

#endif
