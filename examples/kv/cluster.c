// The store under `heddle cluster`: some servers, and one more node at which the clients are. What the clients call and get
// has to be linearizable; `claims.h` says what else must hold.
//
//     heddle cluster --nodes 4 --timeouts 2 cluster.c raft.c store.c
//
// -DSERVERS=N:          other than three; --nodes is one more
// -DMEMBERS_AT_FIRST=N: only so many of them
// -DFEW_CALLS, -DNO_CALLS: clients call only once, or not at all, which leaves more time for everything else
// -DCHANGES:            leaders are asked to add servers to the members and to take them away
// -DSAFETY_ONLY:        clients may wait for ever, as they do if they are cut off
// -DSNAPSHOT_AFTER=N:   a snapshot every N entries
#include <heddle/node.h>
#include <stdio.h>
#include <string.h>

#include "claims.h"
#include "raft.h"

#ifndef SERVERS
#define SERVERS 3
#endif
#ifndef MEMBERS_AT_FIRST
#define MEMBERS_AT_FIRST SERVERS
#endif
enum { CLIENTS_AT = SERVERS, CLIENTS = 2, CALLS = 3, TIMER_CLIENTS = 2, CHANGE = 100 };

// The servers.

static struct raft raft;

void host_send(int to, const void *data, size_t size)
{
    heddle_send(to, data, size);
}

void host_keep(const struct kept *kept)
{
    heddle_write("kept", kept, sizeof *kept);
    heddle_sync();
}

bool host_kept(struct kept *kept)
{
    return heddle_read("kept", kept, sizeof *kept) >= 0;
}

void host_set_timer(enum timer timer)
{
    heddle_set_timer((int)timer);
}

struct answer {
    int client, number;
    long result;
};

void host_answer(const struct command *command, long result)
{
    heddle_send(CLIENTS_AT, &(struct answer){command->client, command->number, result}, sizeof(struct answer));
}

// The clients: each does its calls one after the other, and asks all servers, of which one leads.

static const struct command script[CLIENTS][CALLS] = {
    {{.call = PUT, .key = 7, .value = 1}, {.call = REMOVE, .key = 7}, {.call = PUT, .key = 7, .value = 3}},
    {{.call = GET, .key = 7}, {.call = PUT, .key = 7, .value = 2}, {.call = GET, .key = 7}},
};

static struct {
    int calls; // begun
    bool waits;
} clients[CLIENTS];

static struct command current(int client)
{
    struct command c = script[client][clients[client].calls - 1];
    c.client = client;
    c.number = clients[client].calls;
    return c;
}

static void ask_servers(int client)
{
    struct command c = current(client);
    for (int to = 0; to < SERVERS; to++)
        heddle_send(to, &c, sizeof c);
}

static void begin_call(int client)
{
    static const char *const names[] = {"put", "get", "remove"};
    clients[client].calls++;
    clients[client].waits = true;
    struct command c = current(client);
    heddle_invoke(client, names[c.call], c.key, c.value);
    ask_servers(client);
    heddle_set_timer(TIMER_CLIENTS);
}

static void end_call(const struct answer *a)
{
    if (!clients[a->client].waits || clients[a->client].calls != a->number)
        return; // an answer to what was asked twice
    clients[a->client].waits = false;
    heddle_return(a->client, current(a->client).call == PUT ? 0 : a->result);
    heddle_reached("a client got an answer");
}

static void ask_again(void)
{
    bool waits = false;
    for (int i = 0; i < CLIENTS; i++)
        if (clients[i].waits) {
            ask_servers(i);
            waits = true;
        }
    if (waits)
        heddle_set_timer(TIMER_CLIENTS);
}

// Events.

static void boot(int self, int nodes)
{
    (void)nodes;
    if (self != CLIENTS_AT)
        raft_start(&raft, self, self < MEMBERS_AT_FIRST ? (1u << MEMBERS_AT_FIRST) - 1 : 0);
}

static void message(int from, const void *data, size_t size)
{
    if (heddle_self() == CLIENTS_AT)
        end_call(data);
    else if (from == CLIENTS_AT)
        raft_command(&raft, data);
    else
        raft_message(&raft, from, data, size);
    if (raft.role == LEADER)
        heddle_reached("a leader was elected");
}

static void timer(int number)
{
    if (number == TIMER_CLIENTS)
        ask_again();
    else
        raft_timer(&raft, (enum timer)number);
}

// What a client calls next; or which server the leader is to add to the members or to take away.
static void request(int number)
{
    if (number < CHANGE)
        begin_call(number);
    else if (raft_change(&raft, raft.members ^ 1u << (number - CHANGE)))
        heddle_reached("members changed");
}

static bool may_request(const void *state, int number)
{
    const struct server_state *s = state;
    return number < CHANGE ? !(s->waiting & 1u << number) : s->role == LEADER;
}

static void report(void *state)
{
    struct server_state *s = state;
    if (heddle_self() == CLIENTS_AT) {
        for (int i = 0; i < CLIENTS; i++) {
            s->waiting |= (unsigned)clients[i].waits << i;
            s->done += !clients[i].waits * clients[i].calls;
        }
        return;
    }
    claims_report(s, &raft);
}

// Where members change, a majority of the servers may not be one of the members.
__attribute__((unused)) static const char *quiet(const struct heddle_view *v)
{
    const struct server_state *s = v->state[CLIENTS_AT];
    int up = 0;
    for (int i = 0; i < SERVERS; i++)
        up += v->up[i];
#ifdef CHANGES
    bool enough = up == SERVERS;
#else
    bool enough = 2 * up > SERVERS;
#endif
    return enough && s->waiting ? "a client gets no answer" : NULL;
}

static void show_message(const void *data, size_t size, char *text, size_t room)
{
    const struct command *c = data;
    const struct answer *a = data;
    if (size == sizeof *c)
        snprintf(text, room, "client %d, call %d: %s %d %ld", c->client, c->number,
                 c->call == PUT   ? "put"
                 : c->call == GET ? "get"
                                  : "remove",
                 c->key, c->value);
    else if (size == sizeof *a)
        snprintf(text, room, "to client %d, call %d: %ld", a->client, a->number, a->result);
    else
        raft_show_message(data, size, text, room);
}

static const struct heddle_request requests[] = {
#ifndef NO_CALLS
    {CLIENTS_AT, 0},
#ifndef FEW_CALLS
    {CLIENTS_AT, 1},           {CLIENTS_AT, 0},           {CLIENTS_AT, 1}, {CLIENTS_AT, 0}, {CLIENTS_AT, 1},
#endif
#endif
#ifdef CHANGES
    {0, CHANGE + 1},           {1, CHANGE + 0},
#if MEMBERS_AT_FIRST < SERVERS
    {0, CHANGE + SERVERS - 1}, {2, CHANGE + SERVERS - 1},
#endif
#endif
};
static const char *const goals[] = {"a leader was elected", "a client got an answer", NULL};

const struct heddle_protocol heddle_protocol = {.name = "kv",
                                                .boot = boot,
                                                .message = message,
                                                .timer = timer,
                                                .request = request,
                                                .requests = requests,
                                                .request_count = sizeof requests / sizeof *requests,
                                                .may_request = may_request,
                                                .state_size = sizeof(struct server_state),
                                                .report = report,
                                                .observer_size = sizeof(struct seen),
                                                .observe = claims_observe,
#ifndef SAFETY_ONLY
                                                .quiet = quiet,
#endif
                                                .goals = goals,
                                                .model = "map",
                                                .never_crash = 1u << CLIENTS_AT,
                                                .show_message = show_message,
                                                .show_state = claims_show};
