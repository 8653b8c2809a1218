// HotStuff (Yin and others, PODC 2019), in its basic form, with four nodes of which one is Byzantine: node 0, the leader of round 1,
// which proposes one command to some, another to others, and perhaps both.
//
//     heddle cluster --nodes 4 --timeouts 1 hotstuff.c
//
// Written for this tree. A proposal goes through four phases, in each of which the leader collects the answers of a quorum and sends
// them on as a proof: nodes join it; they note it as their newest one; they are locked on it; it is decided. A node answers once in
// each phase of its round. It joins a proposal only if that builds on a round that is not lower than the one it is locked on.
// A node that waits too long goes to the next round and tells its leader which proposal is its newest; the leader's own proposal
// builds on the highest of these. What leaders send is proved by signatures, so the Byzantine node cannot make up a quorum,
// but it answers for everything, also twice.
//
// Of four nodes three are a quorum. Honest nodes tell the quorum tree of the proofs that they see (HEDDLE_WITNESSES). Values are
// commands: what is decided is the way from a proposal to the root.
//
// -DBUG=1:  two nodes are a quorum.
// -DBUG=2:  a node joins as often as it is asked.
// -DBUG=3:  the leader of round 2 builds on the root whatever it is told, and nodes do not mind their locks.
#include <heddle/node.h>
#include <stdio.h>

#ifndef BUG
#define BUG 0
#endif

enum { NODES = 4, LIAR = 0, CHOICES = 2, ROUNDS = 4, QUORUM = BUG == 1 ? 2 : 3 };

enum phase { JOINING, NOTING, LOCKING, DECIDING, PHASES };
enum kind { FROM_LEADER, ANSWER, CHANGE };

struct message {
    enum kind kind;
    enum phase phase;
    int round, choice, parent; // a proposal: in which round, which one of two, what it builds on
};

static int round_now, newest, locked;             // rounds; of the proposals in the last two phases
static int answered[PHASES];                      // the last round in which it answered in this phase
static unsigned answers[PHASES][ROUNDS][CHOICES]; // of a leader: a bit for each node
static unsigned changes[ROUNDS];
static int highest;

static struct heddle_round round_of(int number)
{
    return (struct heddle_round){.number = (unsigned long)number};
}

static int leader_of(int round)
{
    return (round - 1) % NODES;
}

static bool is_quorum(unsigned set)
{
    return __builtin_popcount(set) >= QUORUM;
}

static void handle(int from, const struct message *m);

static void tell(int to, struct message m)
{
    if (to == heddle_self())
        handle(to, &m);
    else
        heddle_send(to, &m, sizeof m);
}

// To every honest node.
static void lead(struct message m)
{
    m.kind = FROM_LEADER;
    for (int to = 1; to < NODES; to++)
        tell(to, m);
}

static bool may_answer(const struct message *m)
{
    if (m->round != round_now || (answered[m->phase] == m->round && !(BUG == 2 && m->phase == JOINING)))
        return false;
    return m->phase != JOINING || m->parent >= locked || BUG == 3;
}

// What a node learns of a proof even if it answers no more.
static void tell_tree(const struct message *m)
{
    if (m->phase == NOTING)
        heddle_qtree_add(0, round_of(m->round), 10 * m->round + m->choice, round_of(m->parent));
    if (m->phase == DECIDING) {
        heddle_qtree_commit(0, round_of(m->round));
        heddle_reached("a command is decided");
    }
}

static void obey(int from, const struct message *m)
{
    tell_tree(m);
    if (m->phase == JOINING && m->round > round_now)
        round_now = m->round;
    if (m->phase == DECIDING || !may_answer(m))
        return;
    answered[m->phase] = m->round;
    if (m->phase == NOTING)
        newest = m->round;
    if (m->phase == LOCKING)
        locked = m->round;
    struct message answer = *m;
    answer.kind = ANSWER;
    tell(from, answer);
}

static void count_answer(int from, const struct message *m)
{
    unsigned *set = &answers[m->phase][m->round][m->choice];
    if (is_quorum(*set))
        return;
    *set |= 1u << from | 1u << LIAR;
    if (!is_quorum(*set))
        return;
    struct message next = *m;
    next.phase = m->phase + 1;
    lead(next);
}

static void go_to(int round)
{
    round_now = round;
    tell(leader_of(round), (struct message){.kind = CHANGE, .round = round, .parent = newest});
}

// A leader goes along as soon as one honest node has left the old round.
static void count_change(int from, const struct message *m)
{
    if (m->round > round_now && heddle_self() != LIAR)
        go_to(m->round);
    if (is_quorum(changes[m->round]))
        return;
    changes[m->round] |= 1u << from | 1u << LIAR;
    if (m->parent > highest)
        highest = m->parent;
    if (is_quorum(changes[m->round]))
        lead((struct message){.phase = JOINING, .round = m->round, .parent = BUG == 3 ? 0 : highest});
}

static void handle(int from, const struct message *m)
{
    if (m->kind == FROM_LEADER)
        obey(from, m);
    else if (m->kind == ANSWER)
        count_answer(from, m);
    else
        count_change(from, m);
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
    if (self != LIAR)
        heddle_set_timer(0);
    for (int to = 1; to < NODES && self == LIAR; to++) {
        int lie = heddle_choose(3); // the one command, the other, both
        for (int choice = 0; choice < CHOICES; choice++)
            if (lie == choice || lie == 2)
                tell(to, (struct message){.kind = FROM_LEADER, .phase = JOINING, .round = 1, .choice = choice});
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
    static const char *const asks[] = {"propose", "joined", "noted", "decided"};
    static const char *const replies[] = {"join", "note", "lock"};
    const struct message *m = data;
    (void)size;
    if (m->kind == CHANGE)
        snprintf(text, room, "change to %d, newest is %d", m->round, m->parent);
    else
        snprintf(text, room, "%s %d: %d on %d", m->kind == ANSWER ? replies[m->phase] : asks[m->phase], m->round,
                 10 * m->round + m->choice, m->parent);
}

static const char *const goals[] = {"a command is decided", NULL};

const struct heddle_protocol heddle_protocol = {
    .name = "hotstuff",
    .boot = boot,
    .message = message,
    .timer = timer,
    .show_message = show,
    .goals = goals,
    .qtree = HEDDLE_ANY_VALUES | HEDDLE_WITNESSES,
};
