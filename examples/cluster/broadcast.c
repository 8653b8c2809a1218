// Atomic broadcast in the way of ZooKeeper (Zab). Nodes elect the one with the best history; those who follow it say which
// epoch they have accepted and what the last transaction in their log is. When a quorum has joined, the leader begins the
// next epoch and brings each follower's log in line with its own: the follower cuts off what the leader does not have, adds
// what it lacks, and acknowledges. With a quorum of acknowledgements the leader is established and takes requests: it
// proposes a transaction, a quorum logs it, all commit it.
//
//   heddle cluster --crashes 1 --reboots 1 broadcast.c
//
//   -DZK335        ZooKeeper's bug of this number: epochs are not kept. A leader takes the epoch after that of its last
//                  transaction; without transactions two leaders can take the same one, and give the same number to
//                  different transactions.
//   -DZK1653       ZooKeeper's bug of this number: a crash between the two writes of a follower that is being brought in
//                  line leaves a history that is newer than the epoch it belongs to, and the node refuses to start.
//   -DSEED_RULES   rules as the seed has them (votes that are no better are discarded, acknowledgements are increments, a
//                  loss that leaves a quorum is local) instead of right ones: `--audit` finds them out
#include <heddle/node.h>
#include <stdio.h>
#include <string.h>

#include "broadcast_claims.h"
#include "broadcast_rules.h"
#include "broadcast_state.h"

enum { PATIENCE = 0 };

static struct state me;
static struct {
    bool known;
    struct vote vote;
} heard[MAX];
static struct {
    bool known;
    int leader;
} outside[MAX]; // those who have a leader, and whom

// The vote for oneself. Before epochs were kept, that of the last transaction was all there was to go by.
static struct vote own_vote(void)
{
    struct vote vote = {.leader = heddle_self(), .epoch = me.history.epoch, .last = last_of(&me.history)};
#ifdef ZK335
    vote.epoch = 0;
#endif
    return vote;
}

static void send(int to, struct packet p)
{
    struct packet whole;
    memset(&whole, 0, sizeof whole); // what is between members must be the same for equal packets
    whole.kind = p.kind;
    whole.epoch = p.epoch;
    whole.round = me.round;
    whole.count = p.count;
    whole.joined = p.joined;
    whole.first = p.first;
    whole.vote = me.vote;
    whole.last = p.last;
    memcpy(whole.what, p.what, sizeof whole.what);
    heddle_send(to, &whole, sizeof whole);
}

static void send_all(struct packet p)
{
    for (int i = 0; i < heddle_nodes(); i++)
        if (i != heddle_self())
            send(i, p);
}

static void send_members(struct packet p)
{
    for (int i = 0; i < heddle_nodes(); i++)
        if (me.is_synced[i])
            send(i, p);
}

static void keep(const char *name, const void *data, size_t size)
{
    heddle_write(name, data, size);
    heddle_sync();
}

static void keep_history(void)
{
    keep("log", &me.history.log, sizeof me.history.log[0] * (size_t)me.history.length);
}

static void keep_epoch(int epoch)
{
    me.history.epoch = epoch;
#ifndef ZK335
    keep("epoch", &epoch, sizeof epoch);
#endif
}

// The epoch below which this node follows nobody.
static int promised(void)
{
#ifdef ZK335
    return last_of(&me.history).epoch;
#else
    return me.accepted;
#endif
}

static void accept(int epoch)
{
    me.accepted = epoch;
#ifndef ZK335
    keep("accepted", &epoch, sizeof epoch);
#endif
}

// Election.

static void look(void)
{
    me.role = LOOKING;
    me.established = me.begun = me.writing = me.synced = me.first = false;
    me.joined = 0;
    memset(me.is_member, 0, sizeof me.is_member);
    memset(me.is_synced, 0, sizeof me.is_synced);
    memset(me.is_supporter, 0, sizeof me.is_supporter);
    memset(me.logged, 0, sizeof me.logged);
    memset(heard, 0, sizeof heard);
    memset(outside, 0, sizeof outside);
    me.round++;
    me.vote = own_vote();
    heddle_set_timer(PATIENCE);
    send_all((struct packet){.kind = VOTE});
}

static void take_role(int leader)
{
    me.role = leader == heddle_self() ? LEADING : FOLLOWING;
    me.joined = me.role == LEADING;
    me.highest = promised();
    me.vote = own_vote();
    me.vote.leader = leader;
    heddle_set_timer(PATIENCE);
    if (me.role == FOLLOWING)
        send(leader, (struct packet){.kind = JOIN, .epoch = promised(), .last = last_of(&me.history)});
}

static int supporters(void)
{
    int count = 1;
    for (int i = 0; i < heddle_nodes(); i++)
        count += heard[i].known && !is_better(&heard[i].vote, &me.vote) && !is_better(&me.vote, &heard[i].vote);
    return count;
}

static void hear_vote(int from, const struct packet *p)
{
    if (p->round < me.round) {
        send(from, (struct packet){.kind = VOTE});
        return;
    }
    bool is_new = p->round > me.round;
    if (is_new) {
        me.round = p->round;
        memset(heard, 0, sizeof heard);
        me.vote = own_vote();
    }
    if (is_better(&p->vote, &me.vote)) {
        me.vote = p->vote;
        is_new = true;
    }
    heard[from].known = true;
    heard[from].vote = p->vote;
    if (is_new)
        send_all((struct packet){.kind = VOTE});
    if (is_quorum(supporters()))
        take_role(me.vote.leader);
}

// Whether who is said to lead says so itself; if it is this node, that is not for others to say.
static bool is_confirmed(int leader, int round)
{
    return leader == heddle_self() ? round == me.round : outside[leader].known && outside[leader].leader == leader;
}

// Whoever looks, and hears from a quorum that has a leader, follows it as well.
static void hear_settled(int from, const struct packet *p)
{
    int leader = p->vote.leader, count = 0;
    outside[from].known = true;
    outside[from].leader = leader;
    for (int i = 0; i < heddle_nodes(); i++)
        count += outside[i].known && outside[i].leader == leader;
    if (!is_quorum(count) || !is_confirmed(leader, p->round))
        return;
    me.round = p->round;
    take_role(leader);
}

// A member is gone, or looks again.
static void lose(int peer)
{
    me.joined--;
    me.is_member[peer] = me.is_synced[peer] = me.is_supporter[peer] = false;
    me.logged[peer] = 0;
    if (me.begun && !is_quorum(me.joined))
        look();
}

// Somebody looks for a leader, and this node has one.
static void answer_vote(int from, const struct packet *p)
{
    if (me.role == FOLLOWING && from == me.vote.leader && (me.established || p->round > me.round)) {
        look(); // the leader has given up
        hear_vote(from, p);
        return;
    }
    if (me.role == LEADING && me.is_member[from])
        lose(from);
    if (me.role != LOOKING)
        send(from, (struct packet){.kind = SETTLED});
}

// Discovery and synchronization.

// Where the leader's log and one that ends with `last` part, as far as numbers tell.
static int common(struct number last)
{
    int length = 0;
    while (length < me.history.length && compare(me.history.log[length].number, last) <= 0)
        length++;
    return length;
}

static struct {
    int round;
    struct number last;
} joined_with[MAX]; // what the members said

static void bring_in_line(int member)
{
    int same = common(joined_with[member].last);
    struct packet p = {
        .kind = SYNC, .epoch = me.accepted, .count = me.history.length - same, .joined = joined_with[member].round};
    if (same)
        p.last = me.history.log[same - 1].number;
    memcpy(p.what, me.history.log + same, sizeof p.what[0] * (size_t)p.count);
    send(member, p);
}

static int next_epoch(void)
{
#ifdef ZK335
    return last_of(&me.history).epoch + 1;
#else
    return me.highest + 1;
#endif
}

static void begin_epoch(void)
{
    me.begun = true;
    accept(next_epoch());
    for (int i = 0; i < heddle_nodes(); i++)
        if (me.is_member[i])
            bring_in_line(i);
}

static void hear_join(int from, const struct packet *p)
{
    if (me.role != LEADING) {
        send(from, (struct packet){.kind = REFUSE, .joined = p->round});
        return;
    }
    if (me.begun && p->epoch > me.accepted) { // somebody leads, or led, who knows better
        look();
        return;
    }
    struct vote mine = own_vote(), theirs = p->vote;
    theirs.leader = mine.leader;
    if (!me.established && is_better(&theirs, &mine)) { // it should lead itself; later its history would not count
        send(from, (struct packet){.kind = REFUSE, .joined = p->round});
        return;
    }
    me.joined += !me.is_member[from];
    me.is_member[from] = true;
    joined_with[from].round = p->round;
    joined_with[from].last = p->last;
    if (me.begun) {
        bring_in_line(from);
        return;
    }
    me.highest = p->epoch > me.highest ? p->epoch : me.highest;
    if (is_quorum(me.joined))
        begin_epoch();
}

static void finish_sync(void)
{
    me.writing = false;
    me.synced = true;
    keep_epoch(me.accepted);
#ifndef ZK1653
    keep("updating", NULL, 0);
#endif
    send(me.vote.leader,
         (struct packet){.kind = SYNCED, .epoch = me.accepted, .count = me.history.length, .first = me.first});
}

// The log is written as a whole, which takes its time; only then comes the epoch.
static void hear_sync(const struct packet *p)
{
    if (p->epoch < promised()) {
        look();
        return;
    }
    me.first = p->epoch > promised();
    me.writing = true;
    accept(p->epoch);
    int length = 0;
    while (length < me.history.length && compare(me.history.log[length].number, p->last) <= 0)
        length++;
    memcpy(me.history.log + length, p->what, sizeof p->what[0] * (size_t)(LOG - length));
    me.history.length = length + p->count;
#ifndef ZK1653
    keep("updating", &p->epoch, sizeof p->epoch);
#endif
    keep_history();
    send(heddle_self(), (struct packet){.kind = WRITTEN, .epoch = p->epoch});
}

static void commit(int length)
{
    if (length > me.committed && length <= me.history.length)
        me.committed = length;
}

static int count_logged(int length)
{
    int count = 1;
    for (int i = 0; i < heddle_nodes(); i++)
        count += me.is_synced[i] && me.logged[i] >= length;
    return count;
}

// A member's log has at least this length: what a quorum has logged is committed.
static void acknowledge(int member, int length)
{
    if (length > me.logged[member])
        me.logged[member] = length;
    if (length <= me.committed || !is_quorum(count_logged(length)))
        return;
    commit(length);
    send_members((struct packet){.kind = COMMIT, .count = length});
}

// What the client of this node wants, once the node leads.
static void propose(void)
{
    if (!me.waiting || me.role != LEADING || !me.established)
        return;
    struct number last = last_of(&me.history);
    int counter = last.epoch == me.accepted ? last.counter + 1 : 1;
    struct transaction new = {{me.accepted, counter}, me.waiting};
    me.waiting = 0;
    me.history.log[me.history.length++] = new;
    keep_history();
    send_members((struct packet){.kind = PROPOSE, .epoch = me.accepted, .count = me.history.length - 1, .what = {new}});
}

static int count_supporters(void)
{
    int count = 1;
    for (int i = 0; i < heddle_nodes(); i++)
        count += me.is_supporter[i];
    return count;
}

static void hear_synced(int from, const struct packet *p)
{
    if (me.role != LEADING || !me.is_member[from] || p->epoch != me.accepted)
        return;
    me.is_synced[from] = true;
    me.is_supporter[from] |= p->first;
    me.logged[from] = p->count;
    bool was_established = me.established;
    me.established |= is_quorum(count_supporters());
    if (!me.established)
        return;
    if (!was_established) {
        keep_epoch(me.accepted);
        commit(me.history.length);
        send_members((struct packet){.kind = START, .count = me.committed});
        propose();
        return;
    }
    // It may have missed what was proposed between SYNC and now.
    for (int i = p->count; i < me.history.length; i++)
        send(from, (struct packet){.kind = PROPOSE, .epoch = me.accepted, .count = i, .what = {me.history.log[i]}});
    send(from, (struct packet){.kind = START, .count = me.committed});
    acknowledge(from, p->count);
}

// Broadcast.

static void request(int value)
{
    me.waiting = value;
    propose();
}

static void hear_proposal(const struct packet *p)
{
    if (p->count != me.history.length)
        return;
    me.history.log[me.history.length++] = p->what[0];
    keep_history();
    send(me.vote.leader, (struct packet){.kind = LOGGED, .epoch = p->epoch, .count = me.history.length});
}

static void hear_logged(int from, const struct packet *p)
{
    if (me.role == LEADING && me.is_synced[from] && p->epoch == me.accepted)
        acknowledge(from, p->count);
}

// Answers to an earlier JOIN do not count, and nothing but such an answer does before one is in line.
static void hear_leader(const struct packet *p)
{
    bool answers = p->joined == me.round && !me.writing && !me.synced;
    if (p->kind == REFUSE && answers)
        look();
    else if (p->kind == SYNC && answers)
        hear_sync(p);
    else if (p->kind == PROPOSE && me.synced)
        hear_proposal(p);
    else if ((p->kind == START || p->kind == COMMIT) && me.synced)
        commit(p->count);
    me.established |= p->kind == START && me.synced;
}

static void message(int from, const void *data, size_t size)
{
    struct packet p;
    memcpy(&p, data, size);
    if (me.role == BROKEN)
        return;
    if (p.kind == VOTE && me.role == LOOKING)
        hear_vote(from, &p);
    else if (p.kind == VOTE)
        answer_vote(from, &p);
    else if (p.kind == SETTLED && me.role == LOOKING)
        hear_settled(from, &p);
    else if (p.kind == JOIN)
        hear_join(from, &p);
    else if (p.kind == SYNCED)
        hear_synced(from, &p);
    else if (p.kind == LOGGED)
        hear_logged(from, &p);
    else if (p.kind == WRITTEN && me.writing)
        finish_sync();
    else if (me.role == FOLLOWING && from == me.vote.leader)
        hear_leader(&p);
}

// Whoever still looks says so again; nobody came, or nobody answered.
static void timer(int number)
{
    (void)number;
    if (me.role == LOOKING) {
        heddle_set_timer(PATIENCE);
        send_all((struct packet){.kind = VOTE});
    } else if (me.role != BROKEN && !me.established) {
        look();
    }
}

static void down(int peer)
{
    heard[peer].known = outside[peer].known = false;
    if (me.role == FOLLOWING && peer == me.vote.leader)
        look();
    else if (me.role == LEADING && me.is_member[peer])
        lose(peer);
}

// False if what is on disk does not belong together.
static bool load(void)
{
    long size = heddle_read("log", me.history.log, sizeof me.history.log);
    me.history.length = size > 0 ? (int)(size / (long)sizeof me.history.log[0]) : 0;
    int last = last_of(&me.history).epoch, updating = 0;
#ifdef ZK335
    me.accepted = me.history.epoch = last;
#else
    heddle_read("accepted", &me.accepted, sizeof me.accepted);
    heddle_read("epoch", &me.history.epoch, sizeof me.history.epoch);
#endif
    if (last > me.history.epoch && heddle_read("updating", &updating, sizeof updating) > 0)
        keep_epoch(last);
    return last <= me.history.epoch;
}

static void boot(int self, int nodes)
{
    (void)self;
    (void)nodes;
    if (load())
        look();
    else
        me.role = BROKEN;
}

static unsigned digest(unsigned sum, const void *data, size_t size)
{
    const unsigned *words = data;
    for (size_t i = 0; i < size / sizeof *words; i++)
        sum = (sum ^ words[i]) * 16777619u;
    return sum;
}

static void report(void *state)
{
    size_t nodes = (size_t)heddle_nodes();
    me.self = heddle_self();
    for (size_t i = 0; i < nodes; i++)
        me.is_settled[i] = outside[i].known;
    me.heard = digest(digest(2166136261u, heard, nodes * sizeof *heard), outside, nodes * sizeof *outside);
    memcpy(state, &me, sizeof me);
}

static void show_message(const void *data, size_t size, char *text, size_t room)
{
    static const char *const kinds[] = {"vote",    "settled", "join",    "refuse", "sync",  "synced",
                                        "written", "start",   "propose", "logged", "commit"};
    struct packet p;
    memcpy(&p, data, size);
    if (p.kind == VOTE)
        snprintf(text, room, "vote %d/%d.%d/%d round %d", p.vote.epoch, p.vote.last.epoch, p.vote.last.counter,
                 p.vote.leader, p.round);
    else if (p.kind == PROPOSE)
        snprintf(text, room, "propose %d.%d=%d", p.what[0].number.epoch, p.what[0].number.counter, p.what[0].value);
    else if (p.kind == JOIN || p.kind == SYNC)
        snprintf(text, room, "%s %d from %d.%d%s", kinds[p.kind], p.epoch, p.last.epoch, p.last.counter,
                 p.kind == JOIN ? ""
                 : p.count      ? " with more"
                                : " with nothing");
    else
        snprintf(text, room, "%s %d", kinds[p.kind], p.kind == START || p.kind == COMMIT ? p.count : p.epoch);
}

static void show_state(const void *state, char *text, size_t room)
{
    static const char *const roles[] = {"looking", "following", "leading", "broken"};
    const struct state *s = state;
    int used = snprintf(text, room, "%s %d%s epoch %d log", roles[s->role], s->vote.leader, s->established ? "!" : "",
                        s->accepted);
    for (int i = 0; i < s->history.length && used < (int)room; i++)
        used += snprintf(text + used, room - (size_t)used, " %d.%d=%d%s", s->history.log[i].number.epoch,
                         s->history.log[i].number.counter, s->history.log[i].value, i < s->committed ? "!" : "");
}

// A client of each node, who waits until it leads.
static const struct heddle_request requests[] = {{0, 100}, {1, 101}, {2, 102}};

const struct heddle_protocol heddle_protocol = {
    .name = "atomic broadcast",
    .network = HEDDLE_CONNECTIONS,
    .boot = boot,
    .message = message,
    .timer = timer,
    .request = request,
    .down = down,
    .requests = requests,
    .request_count = sizeof requests / sizeof *requests,
    .state_size = sizeof(struct state),
    .report = report,
    .check = check,
    .quiet = quiet,
    .show_message = show_message,
    .show_state = show_state,
    .rules = &rules,
};
