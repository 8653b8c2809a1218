// Debian's libraft under `heddle cluster`: the library is a part of every node, unchanged, and talks to heddle through
// struct raft_io (io.c). Clients ask for commands, changes of members and transfers of leadership; claims.c says what must hold.
//
// -DVOTERS=N:     of the nodes, the first N are the members at the beginning (all, if not given)
// -DPRE_VOTE:     candidates ask first whether they would be elected
// -DSNAPSHOTS=N:  a snapshot is taken every N entries, and -DTRAILING=N entries in front of it are kept (one)
// -DMEMBERS:      clients ask for changes of members, too
// -DTRANSFERS:    and for transfers of leadership
// -DLIVENESS:     a timer takes a node only half of the way to an election, so that fair executions come to rest; all voters
//                 have to catch up
// -DSLOW_SENDS:   a message counts as sent in an event of its own
#include "node.h"

#include <stdio.h>
#include <string.h>

#include "bytes.h"
#include "disk.h"
#include "io.h"

#ifndef TRAILING
#define TRAILING 1
#endif

enum { COMMAND = 0, ADD = 100, PROMOTE = 200, DEMOTE = 300, REMOVE = 400, TRANSFER = 500, BARRIER = 600, KINDS = 100 };
enum { TIME_TO_ACT, TIME_TO_DOUBT, TIMERS }; // an election (of a leader: a heartbeat); whether a leader is still heard

static struct raft raft;
static struct fsm_state applied;
static unsigned answered;
static bool changing;
static int broken; // the library's reason not to start
static bool is_set[TIMERS];

// The state machine: the commands, one after the other.

static int fsm_apply(struct raft_fsm *fsm, const struct raft_buffer *command, void **result)
{
    (void)fsm;
    if (applied.count < VALUES_MOST)
        memcpy(&applied.value[applied.count++], command->base, sizeof(unsigned));
    *result = NULL;
    return 0;
}

static int fsm_snapshot(struct raft_fsm *fsm, struct raft_buffer *bufs[], unsigned *n)
{
    (void)fsm;
    *n = 1;
    *bufs = raft_malloc(sizeof **bufs);
    (*bufs)[0] = (struct raft_buffer){raft_malloc(sizeof applied), sizeof applied};
    memcpy((*bufs)[0].base, &applied, sizeof applied);
    heddle_reached("a snapshot was taken");
    return 0;
}

static int fsm_restore(struct raft_fsm *fsm, struct raft_buffer *buf)
{
    (void)fsm;
    memcpy(&applied, buf->base, sizeof applied);
    raft_free(buf->base);
    heddle_reached("a snapshot was restored");
    return 0;
}

static struct raft_fsm fsm = {.version = 1, .apply = fsm_apply, .snapshot = fsm_snapshot, .restore = fsm_restore};

// Clients.

static void command_done(struct raft_apply *req, int status, void *result)
{
    (void)result;
    if (!status)
        answered |= 1u << (unsigned)(size_t)req->data;
    if (!status)
        heddle_reached("a command was answered");
    raft_free(req);
}

static void barrier_done(struct raft_barrier *req, int status)
{
    (void)status;
    raft_free(req);
}

static void change_done(struct raft_change *req, int status)
{
    changing = false;
    if (!status)
        heddle_reached("members were changed");
    raft_free(req);
}

static void transfer_done(struct raft_transfer *req)
{
    heddle_reached("a transfer has ended");
    raft_free(req);
}

static int ask_command(unsigned value)
{
    struct raft_apply *req = raft_calloc(1, sizeof *req);
    struct raft_buffer buf = {raft_malloc(sizeof value), sizeof value};
    memcpy(buf.base, &value, sizeof value);
    req->data = (void *)(size_t)value;
    int status = raft_apply(&raft, req, &buf, 1, command_done);
    if (status) {
        raft_free(buf.base);
        raft_free(req);
    }
    return status;
}

static int ask_change(int kind, raft_id id)
{
    struct raft_change *req = raft_calloc(1, sizeof *req);
    int status = kind == ADD       ? raft_add(&raft, req, id, io_address(id), change_done)
                 : kind == PROMOTE ? raft_assign(&raft, req, id, RAFT_VOTER, change_done)
                 : kind == DEMOTE  ? raft_assign(&raft, req, id, RAFT_STANDBY, change_done)
                                   : raft_remove(&raft, req, id, change_done);
    changing |= !status;
    if (status)
        raft_free(req);
    return status;
}

static int ask_transfer(raft_id id)
{
    struct raft_transfer *req = raft_calloc(1, sizeof *req);
    int status = raft_transfer(&raft, req, id, transfer_done);
    if (status)
        raft_free(req);
    return status;
}

static int ask_barrier(void)
{
    struct raft_barrier *req = raft_calloc(1, sizeof *req);
    int status = raft_barrier(&raft, req, barrier_done);
    if (status)
        raft_free(req);
    return status;
}

static int ask(int number)
{
    switch (number / KINDS * KINDS) {
    case COMMAND:
        return ask_command((unsigned)number);
    case TRANSFER:
        return ask_transfer((raft_id)(number % KINDS));
    case BARRIER:
        return ask_barrier();
    default:
        return ask_change(number / KINDS * KINDS, (raft_id)(number % KINDS));
    }
}

// Events.

static void set_timer(int timer, bool wanted)
{
    if (wanted && !is_set[timer])
        heddle_set_timer(timer);
    else if (!wanted && is_set[timer])
        heddle_clear_timer(timer);
    is_set[timer] = wanted;
}

// cowsql's library leaves it to its back end to say when clients are called back.
#ifdef RAFT_VERSION_NUMBER
void LegacyFireCompletedRequests(struct raft *r);
#else
#define LegacyFireCompletedRequests(r) (void)(r)
#endif

static void end_of_event(void)
{
    LegacyFireCompletedRequests(&raft);
    io_settle();
    set_timer(TIME_TO_ACT, true);
    set_timer(TIME_TO_DOUBT, raft.state == RAFT_LEADER);
    if (raft.state == RAFT_LEADER)
        heddle_reached("a leader was elected");
}

static void bootstrap(int voters)
{
    struct raft_configuration members;
    raft_configuration_init(&members);
    for (int i = 1; i <= voters; i++)
        raft_configuration_add(&members, (raft_id)i, io_address((raft_id)i), RAFT_VOTER);
    broken = raft_bootstrap(&raft, &members);
    raft_configuration_close(&members);
}

static void boot(int self, int nodes)
{
#ifdef VOTERS
    nodes = VOTERS;
#endif
    broken = raft_init(&raft, &io, &fsm, (raft_id)self + 1, io_address((raft_id)self + 1));
#ifdef PRE_VOTE
    raft_set_pre_vote(&raft, true);
#endif
#ifdef SNAPSHOTS
    raft_set_snapshot_threshold(&raft, SNAPSHOTS);
    raft_set_snapshot_trailing(&raft, TRAILING);
#endif
    if (self < nodes && disk_is_new())
        bootstrap(nodes);
    if (!broken)
        broken = raft_start(&raft);
    end_of_event();
}

static void message(int from, const void *data, size_t size)
{
    io_message(from, data, size);
    end_of_event();
}

static void timer(int number)
{
    is_set[number] = false;
    raft_time whole = 2 * raft.election_timeout; // the longest that the library draws
#ifdef LIVENESS
    whole = whole * 3 / 10; // who hears a heartbeat in between does not stand
#endif
    io_pass(raft.state != RAFT_LEADER || number == TIME_TO_DOUBT ? whole : raft.heartbeat_timeout);
    end_of_event();
}

static void request(int number)
{
    int status = ask(number);
    if (status)
        heddle_say("refused: %s", raft_strerror(status));
    end_of_event();
}

static bool may_request(const void *state, int number)
{
    const struct node_state *s = state;
    return s->state == RAFT_LEADER && !(number >= ADD && s->busy);
}

// What others may look at.

static void report_log(struct node_state *s)
{
    s->snapshot = io_log.snapshot;
    s->first = io_log.first;
    s->length = io_log.length;
    for (unsigned i = 0; i < s->length; i++)
        s->log[i] = (struct log_entry){io_log.entry[i].term, io_log.entry[i].type, io_log.entry[i].digest};
}

static void report(void *state)
{
    struct node_state *s = state;
    s->state = raft.state;
    s->term = (unsigned)raft.current_term;
    s->vote = (unsigned)raft.voted_for;
    s->commit = (unsigned)raft.commit_index;
    s->applied = (unsigned)raft.last_applied;
    s->stored = (unsigned)raft.last_stored;
    s->fsm = applied;
    s->answered = answered;
    s->busy = changing || raft.transfer;
    s->broken = broken;
    s->to_nobody = io_sends_to_nobody;
    for (unsigned i = 0; i < raft.configuration.n; i++)
        if (raft.configuration.servers[i].role == RAFT_VOTER)
            s->voters |= 1u << (raft.configuration.servers[i].id - 1);
    if (broken || raft.state == RAFT_UNAVAILABLE)
        snprintf(s->why, sizeof s->why, "%s%s%s", broken ? raft_strerror(broken) : "", broken ? ": " : "",
                 raft_errmsg(&raft));
    report_log(s);
}

static void show_state(const void *state, char *text, size_t room)
{
    static const char *const roles[] = {"has given up", "follows", "stands", "leads"};
    const struct node_state *s = state;
    int used = snprintf(text, room, "%s in term %u", roles[s->state], s->term);
    if (s->snapshot)
        used += snprintf(text + used, room - (size_t)used, ", snapshot %u", s->snapshot);
    used += snprintf(text + used, room - (size_t)used, ", log from %u:", s->first);
    for (unsigned i = 0; i < s->length && (size_t)used + 16 < room; i++)
        used += snprintf(text + used, room - (size_t)used, " %u%s%s", s->log[i].term,
                         s->log[i].type == RAFT_CHANGE ? "c" : "", s->first + i <= s->commit ? "!" : "");
}

#define AT_ALL(number)                                                                                                 \
    {0, number}, {1, number},                                                                                          \
    {                                                                                                                  \
        2, number                                                                                                      \
    }
static const struct heddle_request requests[] = {
    {0, 1},
    {1, 2},
    {2, 3},
    {0, 4},
    {1, 5},
#ifdef SNAPSHOTS
    {0, 6},
    {1, 7},
    {2, 8},
#endif
#ifdef TRANSFERS
    {0, TRANSFER + 2},
    {1, TRANSFER + 3},
    {2, TRANSFER + 1},
#endif
#ifdef MEMBERS
    {0, ADD + 4},
    {0, PROMOTE + 4},
    {1, ADD + 4},
    {1, PROMOTE + 4},
    {0, REMOVE + 3},
    {1, DEMOTE + 3},
    {2, REMOVE + 1},
#endif
};
static const char *const goals[] = {"a leader was elected", "a command was answered", NULL};

const struct heddle_protocol heddle_protocol = {.name = "libraft",
                                                .boot = boot,
                                                .message = message,
                                                .timer = timer,
                                                .request = request,
                                                .requests = requests,
                                                .request_count = sizeof requests / sizeof *requests,
                                                .may_request = may_request,
                                                .state_size = sizeof(struct node_state),
                                                .report = report,
                                                .observer_size = 4000,
                                                .observe = claims_observe,
                                                .check = claims_check,
#ifdef LIVENESS
                                                .quiet = claims_quiet,
#endif
                                                .goals = goals,
                                                .show_message = io_show,
                                                .show_state = show_state};
