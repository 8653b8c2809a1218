// Reads and writes in the way of Cassandra, with read repair and hinted handoff. Every node is a replica of one row of
// columns; node 0 coordinates. A write counts when a quorum has it. A replica that is down, or goes down before it says
// that it has the write, gets it later: the coordinator keeps a hint on its disk and hands it over when the replica is
// back. A read gets the first columns from here and digests of the same from the others; if a quorum agrees that is the
// answer. If not, it gets the columns themselves from all, takes the newest of each, and sends every replica what it
// lacks. A merge may leave too few columns, since a replica does not send what it has behind the first ones: then the
// coordinator asks for more.
//
// The client updates the row twice, and reads one column of it.
//
//   heddle cluster --crashes 1 --reboots 1 cassandra_reads.c
//
//   -DCASSANDRA3395  Cassandra's bug of this number: a merge of columns from several replicas is not cut to as many as the
//                    client wants. The columns behind may be ones that a replica does not know to be deleted.
//
// Left out: repair of what neither a hint nor a read brings, because the coordinator crashes before it has made its hint.
// Cassandra leaves that to its operators (nodetool repair), so here nobody is blamed for it.
#include <heddle/node.h>
#include <stdio.h>
#include <string.h>

#include "cassandra_row.h"

enum { COORDINATOR = 0, NODES = 9, WANTED = 1 };
enum { RPC, HANDOFF }; // timers
enum { UPDATE, READ }; // requests

enum kind { WRITE, WRITTEN, READ_DIGEST, DIGEST, READ_DATA, DATA, BACK };

struct message {
    enum kind kind;
    int id; // of a write: the update, 0 if it needs no answer; of a read: which
    int count;
    unsigned digest;
    struct row row;
};

struct state {
    int self;
    struct row row;
    // of the coordinator
    bool is_alive[NODES];
    bool is_written[UPDATES + 1][NODES], is_sent[UPDATES + 1], is_hinted[UPDATES + 1][NODES];
    int acknowledged;         // the newest update that the client was told of
    unsigned open, abandoned; // updates that somebody may never get: if the coordinator crashes now; because it has
    struct read {
        int id, count; // count: asked for
        bool is_open, is_merging, is_asked[NODES], is_answered[NODES], differs;
        int floor; // what was acknowledged when it began
    } read;
    bool has_result;
    struct row result; // what the client got
};

static struct state me;
static struct row answers[NODES];

static bool is_quorum(int count)
{
    return count > heddle_nodes() / 2;
}

static int count_of(const bool *set)
{
    int count = 0;
    for (int i = 0; i < NODES; i++)
        count += set[i];
    return count;
}

static void store(const struct row *row)
{
    merge(&me.row, row);
    heddle_write("row", &me.row, sizeof me.row);
    heddle_sync();
}

static void tell(int to, enum kind kind, int id, int count, const struct row *row)
{
    struct message m;
    memset(&m, 0, sizeof m);
    m.kind = kind;
    m.id = id;
    m.count = count;
    if (row && kind == DIGEST)
        m.digest = digest(row);
    else if (row)
        m.row = *row;
    heddle_send(to, &m, sizeof m);
}

// Writes and hints.

static void send_update(int to, int number)
{
    struct row row = update(number);
    tell(to, WRITE, number, 0, &row);
}

static void keep_hints(void)
{
    heddle_write("hints", me.is_hinted, sizeof me.is_hinted);
    heddle_sync();
}

// Notes for whoever starts after a crash which updates have neither been confirmed nor hinted.
static void keep_open(void)
{
    unsigned open = me.abandoned;
    for (int i = 1; i <= UPDATES; i++)
        for (int to = 0; to < heddle_nodes(); to++)
            if (me.is_sent[i] && !me.is_written[i][to] && !me.is_hinted[i][to])
                open |= 1u << i;
    if (open == me.open)
        return;
    me.open = open;
    heddle_write("open", &open, sizeof open);
    heddle_sync();
}

// To those who are up, after a while, so that not everybody falls upon a node that has just come back.
static void hand_over(void)
{
    for (int i = 1; i <= UPDATES; i++)
        for (int to = 0; to < heddle_nodes(); to++)
            if (me.is_alive[to] && me.is_hinted[i][to])
                send_update(to, i);
}

static void written(int number, int replica)
{
    me.is_written[number][replica] = true;
    if (me.is_hinted[number][replica]) {
        me.is_hinted[number][replica] = false;
        keep_hints();
    }
    keep_open();
    if (is_quorum(count_of(me.is_written[number])) && number > me.acknowledged)
        me.acknowledged = number;
}

// What the replica has not confirmed.
static void hint(int replica)
{
    for (int i = 1; i <= UPDATES; i++)
        if (me.is_sent[i] && !me.is_written[i][replica] && !me.is_hinted[i][replica]) {
            me.is_hinted[i][replica] = true;
            keep_hints();
            heddle_say("hint for node %d: update %d", replica, i);
        }
    keep_open();
}

static void begin_write(int number)
{
    struct row row = update(number);
    store(&row);
    me.is_sent[number] = true;
    written(number, heddle_self());
    for (int i = 0; i < heddle_nodes(); i++) {
        if (i == heddle_self())
            continue;
        if (me.is_alive[i])
            send_update(i, number);
        else
            hint(i);
    }
    heddle_set_timer(RPC);
}

// Reads.

static void ask(enum kind kind)
{
    struct read *r = &me.read;
    memset(r->is_answered, 0, sizeof r->is_answered);
    memset(answers, 0, sizeof answers);
    memcpy(r->is_asked, me.is_alive, sizeof r->is_asked);
    r->id++;
    r->is_merging = kind == READ_DATA;
    r->differs = false;
    r->is_answered[heddle_self()] = true;
    answers[heddle_self()] = slice(&me.row, r->count);
    for (int i = 0; i < heddle_nodes(); i++)
        if (i != heddle_self() && me.is_alive[i])
            tell(i, kind, r->id, r->count, NULL);
    heddle_set_timer(RPC);
}

static void begin_read(int count)
{
    me.read.is_open = true;
    me.read.count = count;
    ask(READ_DIGEST);
}

static void answer_client(struct row row)
{
#ifndef CASSANDRA3395
    row = slice(&row, WANTED);
#endif
    me.read.is_open = false;
    me.has_result = true;
    me.result = row;
}

// Sends each replica that answered what it lacks.
static void repair(const struct row *resolved)
{
    for (int i = 0; i < heddle_nodes(); i++) {
        struct row lacks = {0};
        bool some = false;
        for (int k = 0; k < COLUMNS && me.read.is_answered[i]; k++)
            if (wins(resolved->column[k], answers[i].column[k])) {
                lacks.column[k] = resolved->column[k];
                some = true;
            }
        if (some && i == heddle_self())
            store(&lacks);
        else if (some)
            tell(i, WRITE, 0, 0, &lacks);
    }
}

static void resolve(void)
{
    struct read *r = &me.read;
    struct row resolved = {0};
    int most = 0;
    for (int i = 0; i < heddle_nodes(); i++) {
        merge(&resolved, &answers[i]);
        most = count_live(&answers[i]) > most ? count_live(&answers[i]) : most;
    }
    repair(&resolved);
    int live = count_live(&resolved);
    if (most >= r->count && live < r->count) // too short: somebody has more
        begin_read(r->count + r->count - live);
    else
        answer_client(resolved);
}

static bool is_everybody_here(const struct read *r)
{
    return !memcmp(r->is_asked, r->is_answered, sizeof r->is_asked);
}

// Looks whether there are enough answers.
static void go_on(void)
{
    struct read *r = &me.read;
    bool enough = is_quorum(count_of(r->is_answered));
    if (!r->is_open)
        return;
    if (is_everybody_here(r) && !enough) {
        r->is_open = false; // unavailable
    } else if (r->is_merging && is_everybody_here(r)) {
        resolve();
    } else if (!r->is_merging && enough && r->differs) {
        heddle_say("the digests differ");
        ask(READ_DATA);
    } else if (!r->is_merging && enough) {
        answer_client(answers[heddle_self()]);
    }
}

static void hear_answer(int from, const struct message *m)
{
    struct read *r = &me.read;
    if (!r->is_open || m->id != r->id || !r->is_asked[from])
        return;
    r->is_answered[from] = true;
    if (m->kind == DATA)
        answers[from] = m->row;
    else
        r->differs |= m->digest != digest(&answers[heddle_self()]);
    go_on();
}

static void message(int from, const void *data, size_t size)
{
    struct message m;
    struct row part;
    memcpy(&m, data, size);
    switch (m.kind) {
    case WRITE:
        store(&m.row);
        if (m.id)
            tell(from, WRITTEN, m.id, 0, NULL);
        break;
    case READ_DIGEST:
    case READ_DATA:
        part = slice(&me.row, m.count);
        tell(from, m.kind == READ_DATA ? DATA : DIGEST, m.id, 0, &part);
        break;
    case WRITTEN:
        written(m.id, from);
        break;
    case BACK:
        me.is_alive[from] = true;
        heddle_set_timer(HANDOFF);
        break;
    default:
        hear_answer(from, &m);
    }
}

static void down(int peer)
{
    me.is_alive[peer] = false;
    hint(peer);
    if (!me.read.is_answered[peer])
        me.read.is_asked[peer] = false;
    go_on();
}

static void timer(int number)
{
    if (number == HANDOFF) {
        hand_over();
        return;
    }
    me.read.is_open = false; // who has not answered does not
    for (int i = 0; i < heddle_nodes(); i++)
        hint(i);
    heddle_set_timer(HANDOFF);
}

static void request(int what)
{
    if (!is_quorum(count_of(me.is_alive))) // the client is told so
        return;
    if (what == UPDATE) {
        heddle_say("update %d", newest(&me.row) + 1);
        begin_write(newest(&me.row) + 1);
        return;
    }
    heddle_say("read");
    me.read.floor = me.acknowledged;
    begin_read(WANTED);
}

// A node that was there before says that it is back.
static void boot(int self, int nodes)
{
    me.self = self;
    for (int i = 0; i < nodes; i++)
        me.is_alive[i] = true;
    heddle_read("hints", me.is_hinted, sizeof me.is_hinted);
    if (heddle_read("open", &me.open, sizeof me.open) >= 0)
        me.abandoned = me.open;
    if (heddle_read("row", &me.row, sizeof me.row) < 0) {
        store(&me.row);
        return;
    }
    for (int i = 0; i < nodes; i++)
        if (i != self)
            tell(i, BACK, 0, 0, NULL);
    heddle_set_timer(HANDOFF);
}

static void report(void *state)
{
    memcpy(state, &me, sizeof me);
}

// Of what the client got: it is of the newest update that it knew of when it asked, or of a newer one.
static const char *check(const struct heddle_view *view)
{
    const struct state *s = view->state[COORDINATOR];
    if (!s->has_result)
        return NULL;
    for (int i = 0; i < COLUMNS; i++)
        if (is_live(s->result.column[i]) && s->result.column[i].time < s->read.floor)
            return "a read has returned a value that an acknowledged update had replaced";
    return s->read.floor && !count_live(&s->result) ? "a read has missed an acknowledged update" : NULL;
}

static const char *quiet(const struct heddle_view *view)
{
    const struct state *first = view->state[COORDINATOR];
    for (int i = 0; i < view->nodes && !first->abandoned; i++)
        if (view->up[COORDINATOR] && view->up[i] &&
            memcmp(&first->row, &((const struct state *)view->state[i])->row, sizeof first->row))
            return "the replicas do not agree";
    return NULL;
}

static void show_message(const void *data, size_t size, char *text, size_t room)
{
    static const char *const names[] = {"write", "written", "read digest", "digest", "read", "data", "back"};
    struct message m;
    memcpy(&m, data, size);
    if (m.kind == DIGEST)
        snprintf(text, room, "digest %04x", m.digest & 0xffff);
    else
        snprintf(text, room, "%s", names[m.kind]);
    show_row(&m.row, text, room);
}

static void show_state(const void *state, char *text, size_t room)
{
    const struct state *s = state;
    snprintf(text, room, "has");
    show_row(&s->row, text, room);
    size_t used = strlen(text);
    if (s->has_result && used < room) {
        snprintf(text + used, room - used, "; the client read");
        show_row(&s->result, text, room);
    }
}

// The rules.

// Confirmations of writes are counted. Answers to a read that is over, or has gone on, are discarded.
static unsigned message_rule(const void *state, int from, const void *data, size_t size)
{
    const struct state *s = state;
    struct message m;
    (void)from;
    memcpy(&m, data, size);
    if (m.kind == WRITTEN)
        return HEDDLE_INCREMENT;
    if (m.kind == DIGEST || m.kind == DATA)
        return m.id < s->read.id ? HEDDLE_DISCARD : HEDDLE_MODIFY;
    return HEDDLE_MODIFY;
}

// The loss of a replica makes hints and may decide a read; others than the coordinator only note it.
static unsigned down_rule(const void *state, int peer, const void *peer_state)
{
    const struct state *s = state;
    (void)peer;
    (void)peer_state;
    return s->self == COORDINATOR ? HEDDLE_GLOBAL : HEDDLE_LOCAL;
}

// What the replica that is lost, or comes back, lacks; the read that it is part of; and how much is on its way.
static size_t peer_rule(const void *state, int peer, const void *peer_state, void *abstract)
{
    const struct state *s = state, *p = peer_state, *coordinator = peer == COORDINATOR ? p : s;
    int replica = peer == COORDINATOR ? s->self : peer;
    struct {
        int id, floor, coordinator, in_flight[2];
        bool is_open, is_merging, is_answered, has_result;
        bool is_sent[UPDATES + 1], is_written[UPDATES + 1], is_hinted[UPDATES + 1];
        unsigned here, there, result;
    } matters;
    memset(&matters, 0, sizeof matters);
    matters.coordinator = peer == COORDINATOR ? 1 : s->self == COORDINATOR ? 2 : 0;
    matters.in_flight[0] = heddle_in_flight(s->self);
    matters.in_flight[1] = heddle_in_flight(peer);
    matters.id = coordinator->read.id;
    matters.floor = coordinator->acknowledged;
    matters.is_open = coordinator->read.is_open;
    matters.is_merging = coordinator->read.is_merging;
    matters.is_answered = coordinator->read.is_answered[replica];
    matters.has_result = coordinator->has_result;
    memcpy(matters.is_sent, coordinator->is_sent, sizeof matters.is_sent);
    for (int i = 1; i <= UPDATES; i++) {
        matters.is_written[i] = coordinator->is_written[i][replica];
        matters.is_hinted[i] = coordinator->is_hinted[i][replica];
    }
    matters.here = digest(&s->row);
    matters.there = digest(&p->row);
    matters.result = digest(&coordinator->result);
    memcpy(abstract, &matters, sizeof matters);
    return sizeof matters;
}

// What the replica has, and what the client got.
static size_t outcome(const void *state, void *abstract)
{
    const struct state *s = state;
    unsigned seen[] = {digest(&s->row), s->has_result, digest(&s->result)};
    memcpy(abstract, seen, sizeof seen);
    return sizeof seen;
}

static const struct heddle_rules rules = {
    .message = message_rule, .down = down_rule, .recovery = peer_rule, .reboot = peer_rule, .outcome = outcome};

static const struct heddle_request requests[] = {{COORDINATOR, UPDATE}, {COORDINATOR, UPDATE}, {COORDINATOR, READ}};

const struct heddle_protocol heddle_protocol = {
    .name = "reads and writes",
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
