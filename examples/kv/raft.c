// Bugs that were in this file while it was written, and that heddle showed (docs/kv.md); each is back with its flag:
//
// -DSTALE_READS:    a new leader answers readings before it knows how far its log is committed
// -DLATE_SNAPSHOT:  a snapshot takes the place of the whole log, though it comes late
// -DNO_STEP_BACK:   a follower whose log is as long as the leader's, but different, is asked the same again and again
// -DHASTY_CHANGE:   a new leader changes the members before it has committed an entry of its own
// -DFULL_LOG:       commands may fill the log, so that a new leader has no room for its own entry
#include "raft.h"

#include <stdio.h>
#include <string.h>

enum { ENTRIES_MOST = 4 }; // of a message

#ifndef SNAPSHOT_AFTER
#define SNAPSHOT_AFTER (LOG_MOST / 2) // entries
#endif

#ifdef FULL_LOG
enum { COMMANDS_MOST = LOG_MOST };
#else
enum { COMMANDS_MOST = LOG_MOST / 2 }; // the rest is for what leaders have to append
#endif

enum message_kind { ASK_VOTE, VOTE, APPEND, APPENDED, SNAPSHOT };

struct message {
    enum message_kind kind;
    int term;
    int index, index_term; // of the candidate's last entry; of the one before what is appended; up to where they agree
    int yes, commit, round;
    int entries;
    union {
        struct entry entry[ENTRIES_MOST];
        struct snapshot snapshot;
    };
};

static int majority(const struct raft *r)
{
    return __builtin_popcount(r->members) / 2 + 1;
}

static bool is_member(const struct raft *r, int server)
{
    return r->members & 1u << server;
}

static int last_index(const struct raft *r)
{
    return r->kept.snapshot.index + r->kept.length;
}

// Of an index that is in the log.
static struct entry *entry_at(struct raft *r, int index)
{
    return &r->kept.log[index - r->kept.snapshot.index - 1];
}

// -1 of what is not known any more, or not yet.
static int term_at(const struct raft *r, int index)
{
    if (index == r->kept.snapshot.index)
        return r->kept.snapshot.term;
    return index < r->kept.snapshot.index || index > last_index(r) ? -1 : entry_at((struct raft *)r, index)->term;
}

// The members by the log up to an index, and where they were changed last, or 0.
static unsigned members_at(const struct raft *r, int index, int *changed)
{
    unsigned members = r->kept.snapshot.members;
    *changed = 0;
    for (int i = 0; i < index - r->kept.snapshot.index; i++)
        if (r->kept.log[i].kind == MEMBERS) {
            members = r->kept.log[i].members;
            *changed = r->kept.snapshot.index + 1 + i;
        }
    return members;
}

static void find_members(struct raft *r)
{
    r->members = members_at(r, last_index(r), &r->changed);
}

static void keep(struct raft *r)
{
    find_members(r);
    host_keep(&r->kept);
}

static void send_to(const struct raft *r, int to, struct message *m)
{
    m->term = r->kept.term;
    size_t tail = m->kind == SNAPSHOT ? sizeof m->snapshot : (size_t)m->entries * sizeof *m->entry;
    host_send(to, m, offsetof(struct message, entry) + tail);
}

// Elections.

static void follow(struct raft *r, int term)
{
    if (term > r->kept.term) {
        r->kept.term = term;
        r->kept.vote = 0;
        r->leader = -1;
        keep(r);
    }
    if (r->role == LEADER) {
        r->readings = 0; // the clients ask somebody else
        host_set_timer(TIMER_ELECTION);
    }
    r->role = FOLLOWER;
}

// There is a leader, or may soon be: the others' turn to stand is later.
static void wait_for_leader(struct raft *r)
{
    r->heard = true;
    host_set_timer(TIMER_ELECTION);
}

static void send_snapshot(struct raft *r, int to)
{
    struct message m = {.kind = SNAPSHOT, .round = r->round};
    m.snapshot = r->kept.snapshot;
    send_to(r, to, &m);
}

static void send_entries(struct raft *r, int to)
{
    struct message m = {.kind = APPEND, .index = r->next[to] - 1, .commit = r->commit, .round = r->round};
    if (m.index < r->kept.snapshot.index) {
        send_snapshot(r, to);
        return;
    }
    m.index_term = term_at(r, m.index);
    for (int i = r->next[to]; i <= last_index(r) && m.entries < ENTRIES_MOST; i++)
        m.entry[m.entries++] = *entry_at(r, i);
    send_to(r, to, &m);
}

static void send_all(struct raft *r)
{
    for (int to = 0; to < SERVERS_MOST; to++)
        if (to != r->self && is_member(r, to))
            send_entries(r, to);
}

static bool append(struct raft *r, struct entry e)
{
    if (r->kept.length == LOG_MOST)
        return false;
    e.term = r->kept.term;
    r->kept.log[r->kept.length++] = e;
    keep(r);
    return true;
}

static void advance(struct raft *r);

static void lead(struct raft *r)
{
    r->role = LEADER;
    r->leader = r->self;
    for (int i = 0; i < SERVERS_MOST; i++) {
        r->next[i] = last_index(r) + 1;
        r->match[i] = r->answered[i] = 0;
    }
    r->round = 1;
    append(r, (struct entry){.kind = NOTHING}); // what older terms left is committed with it
    r->own = last_index(r);
    host_set_timer(TIMER_HEARTBEAT);
    advance(r);
    send_all(r);
}

static void stand(struct raft *r)
{
    r->role = CANDIDATE;
    r->leader = -1;
    r->kept.term++;
    r->kept.vote = r->self + 1;
    keep(r);
    r->votes = 1u << r->self;
    host_set_timer(TIMER_ELECTION);
    struct message m = {.kind = ASK_VOTE, .index = last_index(r), .index_term = term_at(r, last_index(r))};
    for (int to = 0; to < SERVERS_MOST; to++)
        if (to != r->self && is_member(r, to))
            send_to(r, to, &m);
    if (majority(r) == 1)
        lead(r);
}

static void vote(struct raft *r, int from, const struct message *m)
{
    int last = term_at(r, last_index(r));
    bool newer = m->index_term > last || (m->index_term == last && m->index >= last_index(r));
    struct message answer = {.kind = VOTE};
    answer.yes = m->term == r->kept.term && newer && (!r->kept.vote || r->kept.vote == from + 1);
    if (answer.yes) {
        r->kept.vote = from + 1;
        keep(r);
        wait_for_leader(r);
    }
    send_to(r, from, &answer);
}

static void count_vote(struct raft *r, int from, const struct message *m)
{
    if (r->role != CANDIDATE || m->term != r->kept.term || !m->yes)
        return;
    r->votes |= 1u << from;
    if (__builtin_popcount(r->votes & r->members) >= majority(r))
        lead(r);
}

// The log.

// Puts a snapshot in the place of the log up to its entry. What comes behind that stays, if the log has the entry.
static void replace_log(struct raft *r, const struct snapshot *s)
{
    int left = term_at(r, s->index) == s->term ? last_index(r) - s->index : 0;
#ifdef LATE_SNAPSHOT
    left = s->index == r->applied ? left : 0;
#endif
    memmove(r->kept.log, &r->kept.log[r->kept.length - left], (size_t)left * sizeof *r->kept.log);
    memset(&r->kept.log[left], 0, (size_t)(LOG_MOST - left) * sizeof *r->kept.log);
    r->kept.length = left;
    r->kept.snapshot = *s;
    keep(r);
}

static void take_snapshot(struct raft *r)
{
    struct snapshot s;
    int changed;
    memset(&s, 0, sizeof s);
    s.index = r->applied;
    s.term = term_at(r, r->applied);
    s.members = members_at(r, r->applied, &changed); // not those of a change that is still open
    s.store = r->store;
    replace_log(r, &s);
}

static void apply(struct raft *r)
{
    while (r->applied < r->commit) {
        const struct entry *e = entry_at(r, ++r->applied);
        if (e->kind != COMMAND)
            continue;
        long result = store_apply(&r->store, &e->command);
        if (r->role == LEADER)
            host_answer(&e->command, result);
    }
    if (r->applied - r->kept.snapshot.index >= SNAPSHOT_AFTER)
        take_snapshot(r);
}

static int agreed(const struct raft *r, const int *of, int own)
{
    int reached[SERVERS_MOST], n = 0;
    for (int i = 0; i < SERVERS_MOST; i++) {
        if (!is_member(r, i))
            continue;
        int value = i == r->self ? own : of[i], at = n++;
        for (; at && reached[at - 1] < value; at--)
            reached[at] = reached[at - 1];
        reached[at] = value;
    }
    return reached[majority(r) - 1];
}

// A reading may be answered when a majority has answered a heartbeat that was sent after it came, and everything is applied
// that was committed then.
static void answer_readings(struct raft *r)
{
    int round = agreed(r, r->answered, r->round), left = 0;
    for (int i = 0; i < r->readings; i++) {
        struct reading *q = &r->reading[i];
        if (q->round <= round && q->index <= r->applied)
            host_answer(&q->command, store_get(&r->store, q->command.key));
        else
            r->reading[left++] = *q;
    }
    r->readings = left;
}

// What a majority has is committed, if it is of this term; older entries are with it.
static void advance(struct raft *r)
{
    int index = agreed(r, r->match, last_index(r));
    if (index > r->commit && term_at(r, index) == r->kept.term)
        r->commit = index;
    apply(r);
    answer_readings(r);
    if (r->role == LEADER && !is_member(r, r->self) && r->changed <= r->commit)
        follow(r, r->kept.term); // it has led the others to do without it
}

// Says up to where the log agrees with the leader's; there may not be room for everything.
static int take_entries(struct raft *r, const struct message *m)
{
    int index = m->index;
    for (int i = 0; i < m->entries && index - r->kept.snapshot.index < LOG_MOST; i++) {
        if (term_at(r, ++index) == m->entry[i].term)
            continue;
        *entry_at(r, index) = m->entry[i];
        r->kept.length = index - r->kept.snapshot.index;
    }
    keep(r);
    if (m->commit > r->commit)
        r->commit = m->commit < index ? m->commit : index;
    apply(r);
    return index;
}

static void hear(struct raft *r, int leader)
{
    follow(r, r->kept.term);
    r->leader = leader;
    wait_for_leader(r);
}

static void append_from(struct raft *r, int from, const struct message *m)
{
    struct message answer = {.kind = APPENDED, .index = last_index(r), .round = m->round};
    if (m->term == r->kept.term) {
        hear(r, from);
        answer.yes = term_at(r, m->index) == m->index_term;
    }
    if (answer.yes)
        answer.index = take_entries(r, m);
    send_to(r, from, &answer);
}

static void install(struct raft *r, int from, const struct message *m)
{
    struct message answer = {.kind = APPENDED, .index = m->snapshot.index, .round = m->round};
    if (m->term == r->kept.term) {
        hear(r, from);
        answer.yes = true;
        bool wanted = m->snapshot.index > r->commit;
#ifdef LATE_SNAPSHOT
        wanted = m->snapshot.index > r->kept.snapshot.index;
#endif
        if (wanted) {
            replace_log(r, &m->snapshot);
            r->store = m->snapshot.store;
            r->commit = r->applied = m->snapshot.index;
        }
    }
    send_to(r, from, &answer);
}

static void note_appended(struct raft *r, int from, const struct message *m)
{
    if (r->role != LEADER || m->term != r->kept.term)
        return;
    if (m->round > r->answered[from])
        r->answered[from] = m->round;
    if (m->yes && m->index > r->match[from])
        r->match[from] = m->index;
    int back = m->index + 1 < r->next[from] ? m->index + 1 : r->next[from] - 1;
#ifdef NO_STEP_BACK
    back = m->index < r->next[from] ? m->index + 1 : r->next[from] - 1;
#endif
    r->next[from] = m->yes || back <= r->match[from] ? r->match[from] + 1 : back;
    advance(r);
    if (r->role == LEADER && r->next[from] <= last_index(r))
        send_entries(r, from);
}

// From outside.

void raft_start(struct raft *r, int self, unsigned members)
{
    memset(r, 0, sizeof *r);
    if (!host_kept(&r->kept))
        r->kept.snapshot.members = members;
    find_members(r);
    r->store = r->kept.snapshot.store;
    r->commit = r->applied = r->kept.snapshot.index;
    r->self = self;
    r->leader = -1;
    host_set_timer(TIMER_ELECTION);
}

void raft_message(struct raft *r, int from, const void *data, size_t size)
{
    struct message m;
    memset(&m, 0, sizeof m);
    memcpy(&m, data, size);
    if (m.term > r->kept.term)
        follow(r, m.term);
    switch (m.kind) {
    case ASK_VOTE:
        vote(r, from, &m);
        break;
    case VOTE:
        count_vote(r, from, &m);
        break;
    case APPEND:
        append_from(r, from, &m);
        break;
    case APPENDED:
        note_appended(r, from, &m);
        break;
    case SNAPSHOT:
        install(r, from, &m);
        break;
    }
}

void raft_timer(struct raft *r, enum timer timer)
{
    if (timer == TIMER_HEARTBEAT && r->role == LEADER) {
        r->round++;
        send_all(r);
        host_set_timer(TIMER_HEARTBEAT);
    } else if (timer == TIMER_ELECTION && r->role != LEADER) {
        if (r->heard || !is_member(r, r->self))
            host_set_timer(TIMER_ELECTION);
        else
            stand(r);
        r->heard = false;
    }
}

// Before it has committed an entry of its own term, a leader does not know how far its log is committed.
static void read_later(struct raft *r, const struct command *c)
{
    int i = 0;
    while (i < r->readings && r->reading[i].command.client != c->client)
        i++;
    if (i == r->readings)
        r->readings++;
    int known = r->commit > r->own ? r->commit : r->own;
#ifdef STALE_READS
    known = r->commit;
#endif
    r->reading[i] = (struct reading){*c, ++r->round, known};
    send_all(r);
}

static bool is_in_log(const struct raft *r, const struct command *c)
{
    for (int i = 0; i < r->kept.length; i++)
        if (r->kept.log[i].kind == COMMAND && r->kept.log[i].command.client == c->client &&
            r->kept.log[i].command.number == c->number)
            return true;
    return false;
}

// What was done already is answered again; what is on its way will be.
static void write_later(struct raft *r, const struct command *c)
{
    if (store_has_done(&r->store, c))
        host_answer(c, store_result(&r->store, c));
    else if (!is_in_log(r, c) && r->kept.length < COMMANDS_MOST &&
             append(r, (struct entry){.kind = COMMAND, .command = *c}))
        send_all(r);
}

void raft_command(struct raft *r, const struct command *c)
{
    if (r->role != LEADER || !store_accepts(&r->store, c))
        return;
    if (c->call == GET)
        read_later(r, c);
    else
        write_later(r, c);
    advance(r);
}

bool raft_change(struct raft *r, unsigned members)
{
    int waits_for = r->changed > r->own ? r->changed : r->own; // a change of an older term may still come to nothing
#ifdef HASTY_CHANGE
    waits_for = r->changed;
#endif
    if (r->role != LEADER || __builtin_popcount(r->members ^ members) != 1 || waits_for > r->commit)
        return false;
    bool begun = append(r, (struct entry){.kind = MEMBERS, .members = members});
    send_all(r);
    advance(r);
    return begun;
}

void raft_show_message(const void *data, size_t size, char *text, size_t room)
{
    struct message m;
    memset(&m, 0, sizeof m);
    memcpy(&m, data, size < sizeof m ? size : sizeof m);
    switch (m.kind) {
    case ASK_VOTE:
        snprintf(text, room, "term %d: asks for votes, has %d of term %d", m.term, m.index, m.index_term);
        break;
    case VOTE:
        snprintf(text, room, "term %d: %s", m.term, m.yes ? "yes" : "no");
        break;
    case APPEND:
        snprintf(text, room, "term %d: %d entr%s behind %d of term %d, commit %d, round %d", m.term, m.entries,
                 m.entries == 1 ? "y" : "ies", m.index, m.index_term, m.commit, m.round);
        break;
    case APPENDED:
        snprintf(text, room, "term %d: %s %d, round %d", m.term, m.yes ? "agrees up to" : "refuses, has", m.index,
                 m.round);
        break;
    case SNAPSHOT:
        snprintf(text, room, "term %d: snapshot at %d of term %d, round %d", m.term, m.snapshot.index, m.snapshot.term,
                 m.round);
        break;
    }
}
