// Zab, ZooKeeper's atomic broadcast (Junqueira, Reed and Serafini, DSN 2011), with three nodes: a leader of an epoch brings the
// histories of the others into line and then proposes one entry after the other.
//
//     heddle cluster --timeouts 2 zab.c
//
// Written for this tree. A node that hears of no leader asks the others to enter a higher epoch; whoever does follows no older one any
// more, and sends its history. With a quorum the node takes over the newest of these histories, and sends it to all. When a
// quorum has it, the node leads: everything in it counts as decided, and new entries are decided when a quorum has them.
// Everything is on disk before anybody is answered.
//
// A round of the quorum tree is an entry: its epoch and its number there. Its parent is the entry before it.
//
// -DBUG=1:  a node leads an epoch that nobody else has entered.
// -DBUG=2:  an entry counts as decided as soon as the leader has it.
// -DBUG=3:  a leader keeps to its own history.
// -DBUG=4:  a node that has entered a new epoch still takes entries of the old one.
//
// What does not matter any more is no part of a state; with -DWHOLE everything counts.
//
// -DLIVENESS:  somebody has to lead in the end. That does not hold (--timeouts 3): a node that asks in vain does not ask again.
#include <heddle/node.h>
#include <stdio.h>
#include <string.h>

#ifndef BUG
#define BUG 0
#endif

enum { LOG = 3, EPOCHS = 8, QUORUM = 2, ENTER_QUORUM = BUG == 1 ? 1 : QUORUM, KEEP_QUORUM = BUG == 2 ? 1 : QUORUM };

struct entry {
    int epoch, number, value;
};

struct history {
    int epoch; // in which it was brought into line
    int length;
    struct entry entries[LOG + 1]; // from 1 on
};

enum kind { ENTER, ENTERED, LEADS, LED, PROPOSE, KEPT };

struct message {
    enum kind kind;
    int epoch, index;
    struct entry entry;
    struct history history;
};

enum role { FOLLOWS, ASKS, BRINGS, LEADS_NOW };

struct state {
    enum role role;
};

static struct {
    int entered; // the highest epoch
    struct history history;
} kept; // on disk

static enum role role;
static unsigned entered, led, have[LOG + 1]; // of a leader: a bit for each node
static struct history newest;

static void keep(void)
{
    heddle_write("kept", &kept, sizeof kept);
    heddle_sync();
}

static struct heddle_round round_of(int index)
{
    const struct entry *e = &kept.history.entries[index];
    return (struct heddle_round){(unsigned long)e->epoch, (unsigned long)e->number};
}

static bool is_quorum(unsigned set, int quorum)
{
    return __builtin_popcount(set) >= quorum;
}

static unsigned bit(int node)
{
    return 1u << node;
}

static void tell_others(const struct message *m)
{
    heddle_broadcast(m, sizeof *m);
}

static void answer(int to, enum kind kind, int index)
{
    struct message m = {.kind = kind, .epoch = kept.entered, .index = index};
    if (kind == ENTERED)
        m.history = kept.history;
    heddle_send(to, &m, sizeof m);
}

static bool is_newer(const struct history *a, const struct history *b)
{
    const struct entry *x = &a->entries[a->length], *y = &b->entries[b->length];
    if (a->epoch != b->epoch)
        return a->epoch > b->epoch;
    return x->epoch != y->epoch ? x->epoch > y->epoch : x->number > y->number;
}

static void count_led(int from)
{
    led |= bit(from);
    if (role != BRINGS || !is_quorum(led, QUORUM))
        return;
    role = LEADS_NOW;
    heddle_reached("a node leads");
}

// Everybody gets the newest history.
static void count_entered(int from, const struct history *history)
{
    if (role != ASKS)
        return;
    entered |= bit(from);
    if (is_newer(history, &newest) && BUG != 3)
        newest = *history;
    if (!is_quorum(entered, ENTER_QUORUM))
        return;
    role = BRINGS;
    kept.history = newest;
    kept.history.epoch = kept.entered;
    keep();
    tell_others(&(struct message){.kind = LEADS, .epoch = kept.entered, .history = kept.history});
    count_led(heddle_self());
}

static void timer(int number)
{
    (void)number;
    if (kept.entered + 1 >= EPOCHS || role != FOLLOWS)
        return;
    kept.entered++;
    keep();
    role = ASKS;
    entered = led = 0;
    newest = kept.history;
    tell_others(&(struct message){.kind = ENTER, .epoch = kept.entered});
    count_entered(heddle_self(), &kept.history);
}

static void enter(int from, const struct message *m)
{
    if (m->epoch <= kept.entered)
        return;
    kept.entered = m->epoch;
    keep();
    role = FOLLOWS;
    heddle_set_timer(0);
    answer(from, ENTERED, 0);
}

static void follow(int from, const struct message *m)
{
    if (m->epoch < kept.entered)
        return;
    kept.entered = m->epoch;
    kept.history = m->history;
    keep();
    role = FOLLOWS;
    heddle_set_timer(0);
    answer(from, LED, 0);
}

static void count_kept(int from, int index)
{
    bool before = is_quorum(have[index], KEEP_QUORUM);
    have[index] |= bit(from);
    if (before || !is_quorum(have[index], KEEP_QUORUM))
        return;
    heddle_qtree_commit(0, round_of(index));
    heddle_reached("an entry is decided");
}

static void request(int value)
{
    struct history *h = &kept.history;
    if (role != LEADS_NOW || h->length == LOG)
        return;
    bool first = h->entries[h->length].epoch != kept.entered;
    struct entry e = {kept.entered, first ? 1 : h->entries[h->length].number + 1, value};
    h->entries[++h->length] = e;
    keep();
    have[h->length] = 0;
    heddle_qtree_add(0, round_of(h->length), value, round_of(h->length - 1));
    tell_others(&(struct message){.kind = PROPOSE, .epoch = kept.entered, .index = h->length, .entry = e});
    count_kept(heddle_self(), h->length);
}

static void take(int from, const struct message *m)
{
    struct history *h = &kept.history;
    bool is_of_epoch = m->epoch == h->epoch && (m->epoch == kept.entered || BUG == 4);
    if (!is_of_epoch || m->index != h->length + 1)
        return;
    h->entries[++h->length] = m->entry;
    keep();
    struct message reply = {.kind = KEPT, .epoch = m->epoch, .index = m->index};
    heddle_send(from, &reply, sizeof reply);
}

static void boot(int self, int nodes)
{
    (void)self;
    (void)nodes;
    heddle_read("kept", &kept, sizeof kept);
    heddle_set_timer(0);
}

static void message(int from, const void *data, size_t size)
{
    struct message m;
    memcpy(&m, data, size);
    bool is_of_leader = m.epoch == kept.entered;
    switch (m.kind) {
    case ENTER:
        enter(from, &m);
        break;
    case ENTERED:
        if (is_of_leader)
            count_entered(from, &m.history);
        break;
    case LEADS:
        follow(from, &m);
        break;
    case LED:
        if (is_of_leader)
            count_led(from);
        break;
    case PROPOSE:
        take(from, &m);
        break;
    case KEPT:
        if (is_of_leader && role == LEADS_NOW)
            count_kept(from, m.index);
        break;
    }
}

static bool may_request(const void *state, int number)
{
    (void)number;
    return ((const struct state *)state)->role == LEADS_NOW;
}

static void report(void *state)
{
    ((struct state *)state)->role = role;
}

#ifndef WHOLE
// What a node has counted before it took its present role, and who they were once they are a quorum.
static void forget(void *state)
{
    (void)state;
    if (role != ASKS) {
        memset(&newest, 0, sizeof newest);
        entered = 0;
    }
    if (role != BRINGS)
        led = 0;
    for (int i = 0; i <= LOG; i++)
        have[i] = role != LEADS_NOW ? 0 : is_quorum(have[i], KEEP_QUORUM) ? (1u << KEEP_QUORUM) - 1 : have[i];
}
#endif

#ifdef LIVENESS
static const char *quiet(const struct heddle_view *v)
{
    for (int i = 0; i < v->nodes; i++)
        if (((const struct state *)v->state[i])->role == LEADS_NOW)
            return NULL;
    return "nobody leads";
}
#endif

static void show(const void *data, size_t size, char *text, size_t room)
{
    static const char *const names[] = {"enter", "entered", "leads", "led by you", "propose", "kept"};
    const struct message *m = data;
    (void)size;
    int used = snprintf(text, room, "%s, epoch %d", names[m->kind], m->epoch);
    if (m->kind == PROPOSE)
        snprintf(text + used, room - (size_t)used, ": %d at %d", m->entry.value, m->index);
    if (m->kind == ENTERED || m->kind == LEADS)
        for (int i = 1; i <= m->history.length; i++)
            used += snprintf(text + used, room - (size_t)used, "%s%d", i > 1 ? " " : ": ", m->history.entries[i].value);
}

static const struct heddle_request requests[] = {{0, 1}, {1, 2}, {2, 3}};
static const char *const goals[] = {"a node leads", "an entry is decided", NULL};

const struct heddle_protocol heddle_protocol = {
    .name = "zab",
    .boot = boot,
    .message = message,
    .timer = timer,
    .request = request,
    .requests = requests,
    .request_count = 3,
    .may_request = may_request,
    .state_size = sizeof(struct state),
    .report = report,
#ifdef LIVENESS
    .quiet = quiet,
#endif
    .show_message = show,
    .goals = goals,
    .qtree = HEDDLE_ANY_VALUES,
#ifndef WHOLE
    .forget = forget,
#endif
};
