// Raft (Ongaro and Ousterhout, USENIX ATC 2014): leaders are elected in terms, the leader appends what clients ask for to its
// log and brings the logs of the others into line; an entry that a majority has is committed and must stay.
//
// Written for this tree from the paper, without snapshots and changes of membership. Everything that has to outlive a crash is
// on disk before anybody is answered. The observer remembers who led in which term and what was ever committed.
//
// -DFIGURE8:    an entry of an older term counts as committed as soon as a majority has it (the paper's Figure 8): a leader
//               that lacks it can still be elected.
// -DFORGETFUL:  the vote is not written before it is given: after a crash the node votes again in the same term.
// -DANY_LOG:    votes are given without comparing logs: a leader may lack what is committed.
// -DSMALL_QUORUM: an entry counts as committed as soon as the leader has it.
//
// -DQTREE:      the quorum tree (docs/qtree.md) watches in place of the observer. A round is an entry: its term and its index.
#include <heddle/node.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 9, LOG = 4, TERMS = 16 };

enum role { FOLLOWER, CANDIDATE, LEADER };

struct entry {
    int term, value;
};

struct state {
    int role, term, vote, length, committed; // vote: a node plus 1
    struct entry log[LOG + 1];               // from 1 on
};

enum kind { ASK_VOTE, GIVE_VOTE, APPEND, APPENDED };

struct message {
    int kind, term;
    int index, log_term; // of the candidate's last entry, or of the one before what is appended
    struct entry entry;  // term 0: none
    int committed, yes;
};

static struct state me;
static unsigned votes;    // a bit for each node
static int next[MOST];    // of a leader: the entry to send to each
static int matched[MOST]; // and how far their logs are known to be as its own

// The entry of a log as a round of the quorum tree.
__attribute__((unused)) static struct heddle_round round_of(int index)
{
    return (struct heddle_round){(unsigned long)me.log[index].term, (unsigned long)index};
}

static bool is_majority(int count)
{
    return 2 * count > heddle_nodes();
}

static void keep(void)
{
    heddle_write("state", &me, sizeof me);
    heddle_sync();
}

static void follow(int term)
{
    if (term > me.term) {
        me.term = term;
        me.vote = 0;
    }
    me.role = FOLLOWER;
    heddle_set_timer(0);
}

static void send(int to, struct message m)
{
    m.term = me.term;
    heddle_send(to, &m, sizeof m);
}

static void send_entry(int to)
{
    int before = next[to] - 1;
    struct message m = {.kind = APPEND, .index = before, .log_term = me.log[before].term, .committed = me.committed};
    if (next[to] <= me.length)
        m.entry = me.log[next[to]];
    send(to, m);
}

static void stand(void)
{
    me.role = CANDIDATE;
    me.term++;
    me.vote = heddle_self() + 1;
    votes = 1u << heddle_self();
    keep();
    heddle_set_timer(0);
    for (int to = 0; to < heddle_nodes(); to++)
        if (to != heddle_self())
            send(to, (struct message){.kind = ASK_VOTE, .index = me.length, .log_term = me.log[me.length].term});
}

static void lead(void)
{
    me.role = LEADER;
    heddle_clear_timer(0);
    heddle_reached("a leader was elected");
    for (int to = 0; to < heddle_nodes(); to++) {
        next[to] = me.length + 1;
        matched[to] = 0;
        if (to != heddle_self())
            send_entry(to);
    }
}

static void vote(int from, const struct message *m)
{
    bool newer =
        m->log_term > me.log[me.length].term || (m->log_term == me.log[me.length].term && m->index >= me.length);
#ifdef ANY_LOG
    newer = true;
#endif
    bool yes = m->term == me.term && newer && (!me.vote || me.vote == from + 1);
    if (yes) {
        me.vote = from + 1;
#ifndef FORGETFUL
        keep();
#endif
        heddle_set_timer(0);
    }
    send(from, (struct message){.kind = GIVE_VOTE, .yes = yes});
}

static void count_vote(int from, const struct message *m)
{
    if (me.role != CANDIDATE || m->term != me.term || !m->yes)
        return;
    votes |= 1u << from;
    if (is_majority(__builtin_popcount(votes)))
        lead();
}

static void append(int from, const struct message *m)
{
    bool yes = m->term == me.term && m->index <= me.length && me.log[m->index].term == m->log_term;
    int last = m->index;
    if (m->term == me.term)
        follow(m->term);
    if (yes && m->entry.term && m->index < LOG) {
        last = m->index + 1;
        if (me.length < last || me.log[last].term != m->entry.term) {
            memset(&me.log[last], 0, (size_t)(LOG + 1 - last) * sizeof *me.log);
            me.log[last] = m->entry;
            me.length = last;
        }
    }
    if (yes && m->committed > me.committed)
        me.committed = m->committed < last ? m->committed : last;
    keep();
    send(from, (struct message){.kind = APPENDED, .index = last, .yes = yes});
}

// What was decided by counting: the entry and those of the same term before it. The older ones follow from it.
static void tell_committed(int index)
{
    (void)index;
#ifdef QTREE
    for (int i = me.committed + 1; i <= index; i++)
        if (me.log[i].term == me.log[index].term)
            heddle_qtree_commit(0, round_of(i));
#endif
}

static void commit(void)
{
    for (int index = me.length; index > me.committed; index--) {
        int count = 1;
        for (int node = 0; node < heddle_nodes(); node++)
            count += node != heddle_self() && matched[node] >= index;
#ifdef SMALL_QUORUM
        count = heddle_nodes();
#endif
        if (!is_majority(count))
            continue;
#ifndef FIGURE8
        if (me.log[index].term != me.term)
            return;
#endif
        tell_committed(index);
        me.committed = index;
        heddle_reached("an entry was committed");
        keep();
    }
}

static void note_appended(int from, const struct message *m)
{
    if (me.role != LEADER || m->term != me.term)
        return;
    if (!m->yes) {
        if (next[from] > 1)
            next[from]--;
        send_entry(from);
        return;
    }
    if (m->index > matched[from])
        matched[from] = m->index;
    next[from] = matched[from] + 1;
    int before = me.committed;
    commit();
    if (next[from] <= me.length)
        send_entry(from);
    for (int to = 0; to < heddle_nodes() && me.committed > before; to++)
        if (to != heddle_self() && matched[to] >= me.committed)
            send_entry(to);
}

static void boot(int self, int nodes)
{
    (void)self;
    (void)nodes;
    heddle_read("state", &me, sizeof me);
    me.role = FOLLOWER;
    me.committed = 0;
    heddle_set_timer(0);
}

static void message(int from, const void *data, size_t size)
{
    struct message m;
    memcpy(&m, data, size);
    if (m.term > me.term)
        follow(m.term);
    switch ((enum kind)m.kind) {
    case ASK_VOTE:
        vote(from, &m);
        break;
    case GIVE_VOTE:
        count_vote(from, &m);
        break;
    case APPEND:
        append(from, &m);
        break;
    case APPENDED:
        note_appended(from, &m);
        break;
    }
}

static void timer(int number)
{
    (void)number;
    if (me.term < TERMS - 1)
        stand();
}

static void request(int value)
{
    if (me.role != LEADER || me.length == LOG)
        return;
    me.log[++me.length] = (struct entry){me.term, value};
#ifdef QTREE
    heddle_qtree_add(0, round_of(me.length), value, round_of(me.length - 1));
#endif
#ifdef SMALL_QUORUM
    commit();
#endif
    keep();
    for (int to = 0; to < heddle_nodes(); to++)
        if (to != heddle_self() && next[to] == me.length)
            send_entry(to);
}

static bool may_request(const void *state, int number)
{
    (void)number;
    return ((const struct state *)state)->role == LEADER;
}

static void report(void *state)
{
    *(struct state *)state = me;
}

struct seen {
    int leader[TERMS]; // a node plus 1
    int length;
    struct entry committed[LOG + 1];
    int in_term[LOG + 1]; // in which that was
};

static bool is_same(struct entry a, struct entry b)
{
    return a.term == b.term && a.value == b.value;
}

__attribute__((unused)) static const char *observe(const struct heddle_view *v, int node, void *memory)
{
    struct seen *seen = memory;
    if (node < 0 || !v->up[node])
        return NULL;
    const struct state *s = v->state[node];
    for (int i = 1; i <= s->committed; i++) {
        if (i <= seen->length && !is_same(seen->committed[i], s->log[i]))
            return "two different entries were committed in one place";
        if (i <= seen->length)
            continue;
        seen->committed[i] = s->log[i];
        seen->in_term[i] = s->term;
        seen->length = i;
    }
    if (s->role != LEADER)
        return NULL;
    if (seen->leader[s->term] && seen->leader[s->term] != node + 1)
        return "two nodes have led in one term";
    for (int i = 1; i <= seen->length && seen->leader[s->term] != node + 1; i++)
        if (seen->in_term[i] < s->term && (i > s->length || !is_same(seen->committed[i], s->log[i])))
            return "a leader lacks an entry that was committed";
    seen->leader[s->term] = node + 1;
    return NULL;
}

static const char *quiet(const struct heddle_view *v)
{
    int up = 0;
    for (int i = 0; i < v->nodes; i++) {
        up += v->up[i];
        if (v->up[i] && ((const struct state *)v->state[i])->role == LEADER)
            return NULL;
    }
    return 2 * up > v->nodes ? "nobody leads" : NULL;
}

static void show_message(const void *data, size_t size, char *text, size_t room)
{
    static const char *const names[] = {"asks for votes", "votes", "append", "appended"};
    struct message m;
    memcpy(&m, data, size);
    int used = snprintf(text, room, "%s in term %d", names[m.kind], m.term);
    if (m.kind == APPEND && m.entry.term)
        snprintf(text + used, room - (size_t)used, ": entry %d = %d of term %d", m.index + 1, m.entry.value,
                 m.entry.term);
    else if (m.kind == GIVE_VOTE || m.kind == APPENDED)
        snprintf(text + used, room - (size_t)used, ": %s", m.yes ? "yes" : "no");
}

static void show_state(const void *state, char *text, size_t room)
{
    static const char *const roles[] = {"follows", "stands", "leads"};
    const struct state *s = state;
    int used = snprintf(text, room, "%s in term %d", roles[s->role], s->term);
    for (int i = 1; i <= s->length; i++)
        used += snprintf(text + used, room - (size_t)used, "%s%d.%d%s", i == 1 ? ", log " : " ", s->log[i].term,
                         s->log[i].value, i <= s->committed ? "!" : "");
}

static const struct heddle_request requests[] = {{0, 1}, {1, 2}, {2, 3}};
static const char *const goals[] = {"a leader was elected", "an entry was committed", NULL};

const struct heddle_protocol heddle_protocol = {.name = "raft",
                                                .network = HEDDLE_DATAGRAMS,
                                                .boot = boot,
                                                .message = message,
                                                .timer = timer,
                                                .request = request,
                                                .requests = requests,
                                                .request_count = 3,
                                                .may_request = may_request,
                                                .state_size = sizeof(struct state),
                                                .report = report,
#ifdef QTREE
                                                .qtree = HEDDLE_ANY_VALUES | HEDDLE_WITNESSES,
#else
                                                .observer_size = sizeof(struct seen),
                                                .observe = observe,
#endif
                                                .quiet = quiet,
                                                .goals = goals,
                                                .show_message = show_message,
                                                .show_state = show_state};
