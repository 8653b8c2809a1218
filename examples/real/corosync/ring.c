// corosync's Totem (exec/totemsrp.c: total order multicast with memberships) under `heddle cluster`: it is a part of every node,
// unchanged. Clients give messages to nodes; every member of a ring delivers them in one order (claims.c).
//
// -DMESSAGES=N:  so many messages, each to another node in turn (2)
// -DUNSYNCED:    the number of the last ring is written as corosync's own main program does, which does not sync it
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "totemsrp.h"

#include "node.h"

#ifndef MESSAGES
#define MESSAGES 2
#endif

static void *ring;
static struct totem_config config;
static totempg_stats_t statistics;
static struct node_state told;
static bool must_acknowledge; // a configuration that the application has to agree to

extern int main_iface_change_fn(void *context, const struct totem_ip_address *address, unsigned number);

static void tell(struct record record)
{
    if (told.count < RECORDS_MOST)
        told.record[told.count++] = record;
}

static void delivered(unsigned node, const void *message, unsigned size, int swapped)
{
    unsigned char value;
    (void)node;
    (void)size;
    (void)swapped;
    memcpy(&value, message, sizeof value);
    tell((struct record){.kind = DELIVERED, .value = value});
    heddle_reached("a message was delivered");
}

static void configured(enum totem_configuration_type type, const unsigned *members, size_t member_count,
                       const unsigned *left, size_t left_count, const unsigned *joined, size_t joined_count,
                       const struct memb_ring_id *id)
{
    struct record record = {.kind = type == TOTEM_CONFIGURATION_REGULAR ? REGULAR : TRANSITIONAL,
                            .rep = (unsigned char)id->rep,
                            .seq = (unsigned)id->seq};
    (void)left;
    (void)left_count;
    (void)joined;
    (void)joined_count;
    for (size_t i = 0; i < member_count; i++)
        record.members |= (unsigned char)(1u << (members[i] - 1));
    tell(record);
    must_acknowledge |= record.kind == REGULAR;
    if (record.kind == REGULAR && member_count == (size_t)heddle_nodes())
        heddle_reached("all nodes form a ring");
    if (record.kind == TRANSITIONAL && member_count && left_count)
        heddle_reached("a node left a ring");
}

static void acknowledgement_is_awaited(int yes)
{
    (void)yes;
}

__attribute__((format(printf, 6, 7))) static void print_log(int level, int subsystem, const char *function,
                                                            const char *file, int line, const char *format, ...)
{
    (void)level;
    (void)subsystem;
    (void)function;
    (void)file;
    (void)line;
#ifdef VERBOSE
    char text[200];
    va_list rest;
    va_start(rest, format);
    vsnprintf(text, sizeof text, format, rest);
    va_end(rest);
    heddle_say("%s", text);
#else
    (void)format;
#endif
}

static void load_ring(struct memb_ring_id *id, unsigned node)
{
    unsigned long long seq = 0;
    heddle_read("ring", &seq, sizeof seq);
    id->rep = node;
    id->seq = seq;
}

static void store_ring(const struct memb_ring_id *id, unsigned node)
{
    unsigned long long seq = id->seq;
    (void)node;
    heddle_write("ring", &seq, sizeof seq);
#ifndef UNSYNCED
    heddle_sync();
#endif
}

static void configure(int self)
{
    config = (struct totem_config){.node_id = (unsigned)self + 1,
                                   .token_timeout = TOKEN_LOSS,
                                   .token_retransmit_timeout = RETRANSMIT,
                                   .token_hold_timeout = HOLD,
                                   .token_retransmits_before_loss_const = 4,
                                   .join_timeout = JOIN,
                                   .consensus_timeout = CONSENSUS,
                                   .merge_timeout = MERGE,
                                   .fail_to_recv_const = 2500,
                                   .seqno_unchanged_const =
                                       6, // an idle ring holds its token soon, but not before it is formed
                                   .net_mtu = 60000,
                                   .window_size = 50,
                                   .max_messages = 17,
                                   .miss_count_const = 1, // a message that is missing is asked for at once
                                   .totem_memb_ring_id_create_or_load = load_ring,
                                   .totem_memb_ring_id_store = store_ring};
    config.totem_logging_configuration.log_printf = print_log;
    config.interfaces = calloc(INTERFACE_MAX, sizeof *config.interfaces);
    config.interfaces[0].configured = 1;
    config.interfaces[0].boundto.nodeid = (unsigned)self + 1;
}

// At the end of every event.
static void finish(void)
{
    if (must_acknowledge)
        totemsrp_trans_ack(ring);
    must_acknowledge = false;
    timers_settle();
}

static void boot(int self, int nodes)
{
    (void)nodes;
    heddle_read("asked", &told.asked, sizeof told.asked);
    configure(self);
    totemsrp_initialize(NULL, &ring, &config, &statistics, delivered, configured, acknowledgement_is_awaited);
    main_iface_change_fn(ring, &config.interfaces[0].boundto, 0);
    finish();
}

static void message(int from, const void *data, size_t size)
{
    network_deliver(from, data, size);
    finish();
}

static void timer(int kind)
{
    timers_ran_out(kind);
    finish();
}

static void request(int number)
{
    unsigned char value = (unsigned char)number;
    struct iovec part = {&value, sizeof value};
    if (!totemsrp_mcast(ring, &part, 1, 0)) {
        told.owed |= 1u << number;
        told.asked |= told.owed;
        heddle_write("asked", &told.asked, sizeof told.asked); // for the claims: Totem never sees it
        heddle_sync();
    }
    totemsrp_event_signal(ring, TOTEM_EVENT_NEW_MSG, 1);
    finish();
}

static void report(void *state)
{
    memcpy(state, &told, sizeof told);
}

// A client waits until its node is in a ring with others.
static bool may_request(const void *state, int number)
{
    const struct node_state *s = state;
    (void)number;
    for (unsigned i = 0; i < s->count; i++)
        if (s->record[i].kind == REGULAR && s->record[i].members & (s->record[i].members - 1))
            return true;
    return false;
}

// Totem counts what it sends and receives, and never asks.
static void forget(void *state)
{
    (void)state;
    if (statistics.srp)
        memset(statistics.srp, 0, sizeof *statistics.srp);
}

static void show_state(const void *state, char *text, size_t room)
{
    const struct node_state *s = state;
    size_t used = 0;
    text[0] = 0;
    for (unsigned i = 0; i < s->count && used < room; i++) {
        const struct record *r = &s->record[i];
        int written = r->kind == DELIVERED
                          ? snprintf(text + used, room - used, " %u", r->value)
                          : snprintf(text + used, room - used, " %s%u.%u:%x", r->kind == REGULAR ? "ring " : "from ",
                                     r->rep, r->seq, r->members);
        used += (size_t)written;
    }
}

static const struct heddle_request requests[] = {{0, 0}, {1, 1}, {2, 2}, {0, 3}, {1, 4}, {2, 5}};
static const char *const goals[] = {"all nodes form a ring", "a message was delivered", NULL};

const struct heddle_protocol heddle_protocol = {.name = "totem",
                                                .network = HEDDLE_IN_ORDER,
                                                .boot = boot,
                                                .message = message,
                                                .timer = timer,
                                                .request = request,
                                                .requests = requests,
                                                .request_count = MESSAGES,
                                                .may_request = may_request,
                                                .state_size = sizeof(struct node_state),
                                                .report = report,
                                                .check = claims_hold,
#ifdef LIVENESS
                                                .quiet = claims_hold_in_the_end,
#endif
                                                .show_message = network_show,
                                                .show_state = show_state,
                                                .forget = forget,
                                                .goals = goals};
