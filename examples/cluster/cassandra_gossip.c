// Gossip in the way of Cassandra. Every node knows of each endpoint a generation (how often it started) and a heartbeat,
// and at every tick it compares what it knows with another node: a SYN has digests, the ACK what the receiver knows better
// and what it wants to know, the ACK2 that. Who hears of a newer heartbeat reports it to its failure detector; an endpoint
// of which there is no report for some ticks is convicted: it is taken to be down until there is news of it.
// It begins with a ring that has formed. A node that starts anew knows nobody but the seed, node 0.
//
//   heddle cluster --crashes 2 --reboots 1 cassandra_gossip.c
//
//   -DCASSANDRA3626  Cassandra's bug of this number: an endpoint that is heard of for the first time is taken to be up, and
//                    not reported to the failure detector. If it is down by then it is never convicted.
//
// Choices that Cassandra leaves to chance are made in turn; the failure detector counts ticks.
#include <heddle/node.h>
#include <stdio.h>
#include <string.h>

enum { SEED = 0, NODES = 9, TICK = 0, SILENCE = 3 };

struct digest {
    int generation, version; // generation 0: not known
};

struct endpoint {
    struct digest heard;
    bool alive;
    bool watched; // the failure detector has had a report
    int silent;   // ticks since the last
};

struct state {
    struct endpoint endpoint[NODES];
    int turn, self;
};

struct message {
    enum { SYN, ACK, ACK2 } kind;
    struct digest digest[NODES]; // SYN: what is known; ACK: what is wanted
    struct digest state[NODES];  // ACK, ACK2: what is newer
};

static struct state me;

static bool is_newer(struct digest a, struct digest b)
{
    return a.generation > b.generation || (a.generation == b.generation && a.version > b.version);
}

// The failure detector.

static void watch(struct endpoint *e)
{
    e->watched = true;
    e->silent = 0;
}

static void interpret(struct endpoint *e)
{
    if (e->watched && e->alive && ++e->silent > SILENCE) {
        e->alive = false;
        heddle_say("node %d is down", (int)(e - me.endpoint));
    }
}

// The gossiper.

static void send_syn(int to)
{
    struct message m;
    memset(&m, 0, sizeof m);
    m.kind = SYN;
    for (int i = 0; i < heddle_nodes(); i++)
        m.digest[i] = me.endpoint[i].heard;
    heddle_send(to, &m, sizeof m);
}

// To the next of those that are known and up, or known and down. Whether it was the seed.
static bool gossip_to(bool alive)
{
    for (int i = 0; i < heddle_nodes(); i++) {
        int peer = (me.turn + i) % heddle_nodes();
        const struct endpoint *e = &me.endpoint[peer];
        if (peer == heddle_self() || !e->heard.generation || e->alive != alive)
            continue;
        send_syn(peer);
        return peer == SEED;
    }
    return false;
}

static void tick(void)
{
    me.endpoint[heddle_self()].heard.version++;
    me.turn = (me.turn + 1) % heddle_nodes();
    bool met_seed = gossip_to(true);
    met_seed |= gossip_to(false);
    if (!met_seed && heddle_self() != SEED)
        send_syn(SEED);
    for (int i = 0; i < heddle_nodes(); i++)
        interpret(&me.endpoint[i]);
    heddle_set_timer(TICK);
}

static void answer(int from, const struct message *syn)
{
    struct message m;
    memset(&m, 0, sizeof m);
    m.kind = ACK;
    for (int i = 0; i < heddle_nodes(); i++) {
        struct digest theirs = syn->digest[i], ours = me.endpoint[i].heard;
        if (!theirs.generation)
            continue;
        if (is_newer(theirs, ours))
            m.digest[i] = theirs;
        else if (is_newer(ours, theirs))
            m.state[i] = ours;
    }
    heddle_send(from, &m, sizeof m);
}

static void hear_of(struct endpoint *e, struct digest news)
{
    if (!e->heard.generation) { // never heard of
#ifndef CASSANDRA3626
        watch(e);
#endif
        e->heard = news;
        e->alive = true;
        heddle_say("node %d is new, and up", (int)(e - me.endpoint));
        return;
    }
    if (is_newer(news, e->heard)) {
        watch(e);
        e->heard = news;
    }
    if (news.generation == e->heard.generation)
        e->alive = true;
}

static void apply(const struct message *m)
{
    for (int i = 0; i < heddle_nodes(); i++)
        if (i != heddle_self() && m->state[i].generation)
            hear_of(&me.endpoint[i], m->state[i]);
}

static void send_wanted(int from, const struct message *ack)
{
    struct message m;
    bool some = false;
    memset(&m, 0, sizeof m);
    m.kind = ACK2;
    for (int i = 0; i < heddle_nodes(); i++)
        if (ack->digest[i].generation) {
            m.state[i] = me.endpoint[i].heard;
            some = true;
        }
    if (some)
        heddle_send(from, &m, sizeof m);
}

static void message(int from, const void *data, size_t size)
{
    struct message m;
    memcpy(&m, data, size);
    if (m.kind == SYN)
        answer(from, &m);
    else
        apply(&m);
    if (m.kind == ACK)
        send_wanted(from, &m);
}

static void timer(int number)
{
    (void)number;
    tick();
}

static void form_ring(int nodes)
{
    for (int i = 0; i < nodes; i++) {
        me.endpoint[i].heard = (struct digest){1, 1};
        me.endpoint[i].alive = true;
        if (i != heddle_self())
            watch(&me.endpoint[i]);
    }
    heddle_set_timer(TICK);
}

static void boot(int self, int nodes)
{
    int generation = 0;
    heddle_read("generation", &generation, sizeof generation);
    generation++;
    heddle_write("generation", &generation, sizeof generation);
    heddle_sync();
    if (generation == 1) {
        form_ring(nodes);
        return;
    }
    me.endpoint[self].heard.generation = generation;
    me.endpoint[self].alive = true;
    tick();
}

static void report(void *state)
{
    me.self = heddle_self();
    memcpy(state, &me, sizeof me);
}

// Nobody is taken to be up who is down. As long as the seed is up everybody knows of everybody.
static const char *quiet(const struct heddle_view *view)
{
    for (int i = 0; i < view->nodes; i++)
        for (int k = 0; k < view->nodes && view->up[i]; k++) {
            bool alive = ((const struct state *)view->state[i])->endpoint[k].alive;
            if (alive && !view->up[k])
                return "a node that is down counts as up";
            if (!alive && view->up[k] && view->up[SEED])
                return "a node that is up counts as down";
        }
    return NULL;
}

static void show_digests(const char *what, const struct digest *digests, char *text, size_t room)
{
    size_t used = strlen(text);
    bool some = false;
    for (int i = 0; i < NODES; i++)
        if (digests[i].generation && used < room) {
            used += (size_t)snprintf(text + used, room - used, "%s%d:%d.%d", some ? " " : what, i,
                                     digests[i].generation, digests[i].version);
            some = true;
        }
}

static void show_message(const void *data, size_t size, char *text, size_t room)
{
    static const char *const names[] = {"syn", "ack", "ack2"};
    struct message m;
    memcpy(&m, data, size);
    snprintf(text, room, "%s", names[m.kind]);
    show_digests(m.kind == SYN ? " knows " : " wants ", m.digest, text, room);
    show_digests(" has ", m.state, text, room);
}

static void show_state(const void *state, char *text, size_t room)
{
    const struct state *s = state;
    size_t used = (size_t)snprintf(text, room, "up:");
    for (int i = 0; i < NODES && used < room; i++)
        if (s->endpoint[i].alive)
            used += (size_t)snprintf(text + used, room - used, " %d", i);
}

// The rules.

// Whether news of an endpoint change nothing, now and after a tick: old news, of one that will not be convicted by then.
static bool is_old(const struct endpoint *e, struct digest news)
{
    return !is_newer(news, e->heard) && (news.generation < e->heard.generation || (e->alive && e->silent < SILENCE));
}

// A SYN only makes the node answer, each its own sender. Old news are discarded.
static unsigned message_rule(const void *state, int from, const void *data, size_t size)
{
    const struct state *s = state;
    struct message m;
    bool wants = false, old = true;
    (void)from;
    memcpy(&m, data, size);
    if (m.kind == SYN)
        return HEDDLE_CONSTANT;
    for (int i = 0; i < NODES; i++) {
        wants |= m.digest[i].generation != 0;
        old &= !m.state[i].generation || is_old(&s->endpoint[i], m.state[i]);
    }
    return old && !wants ? HEDDLE_DISCARD : HEDDLE_MODIFY;
}

// What a node has of the one that is lost or comes back decides whether, and how soon, it notices. The seed is the one whom
// all ask.
static size_t peer_rule(const void *state, int peer, const void *peer_state, void *abstract)
{
    const struct state *s = state;
    const struct endpoint *e = &s->endpoint[peer];
    int others = 0;
    (void)peer_state;
    for (int i = 0; i < NODES; i++)
        others += s->endpoint[i].alive;
    int matters[] = {s->self == SEED, peer == SEED, e->heard.generation, e->alive, e->watched, e->silent, others};
    memcpy(abstract, matters, sizeof matters);
    return sizeof matters;
}

// Whether it has company. (Whom it knows by the end depends on how many ticks there were.)
static size_t outcome(const void *state, void *abstract)
{
    const struct state *s = state;
    int alive = 0;
    for (int i = 0; i < NODES; i++)
        alive += s->endpoint[i].alive;
    *(bool *)abstract = alive > 1;
    return sizeof(bool);
}

static const struct heddle_rules rules = {
    .message = message_rule, .recovery = peer_rule, .reboot = peer_rule, .outcome = outcome};

const struct heddle_protocol heddle_protocol = {
    .name = "gossip",
    .boot = boot,
    .message = message,
    .timer = timer,
    .state_size = sizeof(struct state),
    .report = report,
    .quiet = quiet,
    .show_message = show_message,
    .show_state = show_state,
    .rules = &rules,
};
