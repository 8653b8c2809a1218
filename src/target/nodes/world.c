#include "target/nodes/world.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "target/nodes/agreement.h"
#include "target/nodes/connections.h"
#include "target/nodes/draws.h"
#include "target/nodes/looking.h"
#include "target/nodes/memory.h"
#include "target/nodes/node_events.h"
#include "target/nodes/observer.h"
#include "target/nodes/relevant.h"

struct world world;

const char *const fault_names[FAULTS] = {"crashes",  "reboots",    "drops",       "duplicates",
                                         "timeouts", "partitions", "disk-faults", "heals"};
const char *const order_names[ORDER_OF_PROTOCOL] = {"fifo", "any", "connection"};
const char *const failure_names[] = {"none",      "invariant", "liveness", "history", "agreement", "crash",
                                     "assertion", "hang",      "misuse",   "memory",  "room"};

enum { UNDO_OF_EVENT = 1 << 24, ENTRY_LIMIT = 1 << 20 };

// Room for going back: of nodes with large heaps even one event takes much.
static size_t undo_bytes(void)
{
    return ((size_t)1 << 29) + 4 * world.options.heap;
}

static void keep(const void *what, size_t size)
{
    undo_save(&world.undo, what, size);
}

bool order_by_name(const char *name, enum order *order)
{
    for (int i = 0; i < ORDER_OF_PROTOCOL; i++) {
        if (strcmp(name, order_names[i]) != 0)
            continue;
        *order = (enum order)i;
        return true;
    }
    return false;
}

void world_fail(enum failure_kind kind, int node, const char *format, ...)
{
    if (world.failure != FAILURE_NONE)
        return;
    va_list list;
    va_start(list, format);
    vsnprintf(world.failure_text, sizeof world.failure_text, format, list);
    va_end(list);
    world.failure = kind;
    world.failure_node = node;
    world.failure_place = 0;
    world.failure_sort = 0;
}

uint32_t link_channel(int from, int to)
{
    return (uint32_t)(from * world.options.nodes + to);
}

struct entry *channel_head(uint32_t channel)
{
    const struct queue *q = &world.queue[channel];
    return q->count ? &world.entry[q->first] : NULL;
}

// The fault that is chosen or not at this stage of an entry; FAULTS if there is nothing to choose. Only budgets that were
// given at all count: looking at what is left of them would make the steps of one channel depend on those of others.
// What a node sends to itself does not go over the network, which loses and doubles messages.
static enum fault choice_at(const struct entry *e, unsigned stage, int receiver)
{
    const uint32_t *budget = world.options.budget;
    if (stage == STAGE_EVENT)
        return FAULTS;
    switch (e->kind) {
    case ENTRY_MESSAGE:
        if (e->from == receiver)
            return FAULTS;
        if (stage == STAGE_FIRST && budget[FAULT_DROP])
            return FAULT_DROP;
        return budget[FAULT_DUPLICATE] ? FAULT_DUPLICATE : FAULTS;
    case ENTRY_TIMER:
        return FAULT_TIMEOUT;
    case ENTRY_CRASH:
        return FAULT_CRASH;
    case ENTRY_REBOOT:
        return FAULT_REBOOT;
    case ENTRY_ISOLATE:
        return FAULT_PARTITION;
    case ENTRY_HEAL:
        return FAULT_HEAL;
    default:
        return FAULTS;
    }
}

enum fault channel_choice(uint32_t channel)
{
    return choice_at(channel_head(channel), world.queue[channel].stage, world.channel[channel].node);
}

bool channel_chooses(uint32_t channel)
{
    return channel_choice(channel) != FAULTS;
}

uint32_t channel_outcomes(uint32_t channel)
{
    const struct entry *e = channel_head(channel);
    if (channel_chooses(channel))
        return world.counts.left[channel_choice(channel)] ? 2 : 1;
    const struct node_local *local = node_local(world.channel[channel].node);
    if (e->kind != ENTRY_CRASH)
        return draws_are_tried() ? draws_outcomes(channel) : 1;
    return !local->written ? 1 : world.counts.left[FAULT_DISK] ? 3 : 2;
}

// Until all nodes have started, the next one starts and nothing else happens.
static bool waits_for_start(uint32_t channel)
{
    const struct channel *c = &world.channel[channel];
    return world.counts.started < world.options.nodes && !(c->kind == CHANNEL_START && c->node == world.counts.started);
}

void channel_park(uint32_t channel)
{
    const struct entry *e = channel_head(channel);
    if (!e || world.trial || connection_waits(channel) || waits_for_start(channel))
        return;
    bool chooses = channel_chooses(channel);
    struct op op = {.kind = chooses ? OP_CHOOSE : OP_NODE_EVENT,
                    .alternatives = 1, // until somebody asks: a node may be in the middle of an event
                    .object = chooses ? 0 : world.channel[channel].node + 1u};
    uint32_t actor = world.channel[channel].actor;
    clock_id connected = connection_clock(channel);
    if (e->clock)
        exec_learn(&world.exec, actor, e->clock);
    if (connected)
        exec_learn(&world.exec, actor, connected);
    exec_park(&world.exec, actor, op);
}

static uint32_t add_channel(enum channel_kind kind, int node, int number, uint32_t actor)
{
    uint32_t channel = world.channels++;
    world.channel[channel] =
        (struct channel){.kind = kind, .node = (uint8_t)node, .number = (uint8_t)number, .actor = actor};
    world.channel_of[actor] = (uint16_t)channel;
    return channel;
}

// With messages in any order each is a channel of its own, known by how many its sender had sent there before.
static uint32_t single_channel(uint32_t link)
{
    uint32_t actor = exec_create(&world.exec, world.channel[link].actor);
    if (actor == MAX_ACTORS) {
        world_fail(FAILURE_ROOM, world.self, "executions had more messages than heddle tells apart with --order any");
        return link;
    }
    if (world.channel_of[actor])
        return world.channel_of[actor];
    return add_channel(CHANNEL_LINK, world.channel[link].node, world.channel[link].number, actor);
}

uint32_t world_copy_data(uint32_t offset, uint32_t size)
{
    uint32_t copy = world.counts.data;
    require(copy + size < DATA_BYTES);
    memcpy(world.data + copy, world.data + offset, size);
    world.counts.data += (size + 15) & ~15u;
    return copy;
}

void channel_put(uint32_t channel, struct entry entry, const void *data, size_t size)
{
    struct world_counts *counts = &world.counts;
    if (world.options.order == ORDER_ANY && world.channel[channel].kind == CHANNEL_LINK && !world.trial)
        channel = single_channel(channel);
    if (counts->entries + 1 >= ENTRY_LIMIT || counts->data + size >= DATA_BYTES) {
        world_fail(FAILURE_ROOM, world.self, "executions had more messages than heddle can hold; see --max-events");
        return;
    }
    uint32_t index = ++counts->entries;
    entry.number = index;
    entry.offset = counts->data;
    entry.size = (uint32_t)size;
    entry.clock = world.trial || !world.exec.count ? 0 : world.exec.actors[world.acting].clock;
    if (size)
        memcpy(world.data + counts->data, data, size);
    counts->data += (uint32_t)(size + 15) & ~15u;
    world.entry[index] = entry;
    struct queue *q = &world.queue[channel];
    keep(q, sizeof *q);
    if (q->count++)
        world.entry[q->last].next = index;
    else
        q->first = index;
    q->last = index;
    uint32_t actor = world.channel[channel].actor;
    if (q->count == 1 && (world.trial || actor != world.acting))
        channel_park(channel);
}

// The first entry is through.
static void take_first(uint32_t channel)
{
    struct queue *q = &world.queue[channel];
    q->stage = STAGE_FIRST;
    if (--q->count)
        q->first = world.entry[q->first].next;
}

static void choose(uint32_t channel, uint32_t alternative)
{
    struct queue *q = &world.queue[channel];
    enum fault fault = channel_choice(channel);
    bool is_message = fault == FAULT_DROP || fault == FAULT_DUPLICATE;
    if (alternative && fault != FAULT_HEAL)
        world.counts.left[fault]--;
    if (is_message ? fault == FAULT_DROP && alternative : !alternative) {
        take_first(channel);
        return;
    }
    q->again = fault == FAULT_DUPLICATE && alternative;
    q->stage = fault == FAULT_DROP ? STAGE_SECOND : STAGE_EVENT;
}

void world_keep_node(int node)
{
    keep(world.block[node], node_local(node)->used);
    keep(world.disk[node], node_local(node)->disk_used);
    keep(world.disk[node] + DISK_ROOM, node_local(node)->synced_used);
    keep(world.report[node], world.library.protocol->state_size);
}

bool world_has_room(int node)
{
    if (world.undo.top + UNDO_OF_EVENT + world.options.heap < world.undo.limit)
        return true;
    world_fail(FAILURE_ROOM, node,
               "an execution is too long to go back: %u events of nodes with so much memory; see --max-events",
               world.exec.count);
    world.counts.over = true;
    return false;
}

void world_check(int node)
{
    observer_look(node);
    const char *wrong = world.failure == FAILURE_NONE ? looking_ask(world.library.protocol->check) : NULL;
    if (wrong)
        world_fail(FAILURE_CHECK, node, "%s", wrong);
    world.counts.over |= world.failure != FAILURE_NONE;
}

static void happen(uint32_t channel, uint32_t alternative)
{
    const struct channel *c = &world.channel[channel];
    struct queue *q = &world.queue[channel];
    struct entry e = *channel_head(channel);
    if (!world_has_room(c->node))
        return;
    draws_begin(channel, alternative);
    world_keep_node(c->node);
    if (q->again)
        q->again = false;
    else
        take_first(channel);
    node_event(channel, &e, alternative);
    draws_end(c->node);
    if (c->kind == CHANNEL_START && ++world.counts.started < world.options.nodes)
        world.counts.over |= world.failure != FAILURE_NONE;
    else
        world_check(c->kind == CHANNEL_START ? -1 : c->node);
}

static void step(uint32_t channel, uint32_t alternative, bool chooses)
{
    keep(&world.counts, sizeof world.counts);
    keep(&world.queue[channel], sizeof world.queue[channel]);
    if (world.observer && chooses)
        world.observer->event(world.observer->context, &world.channel[channel], channel_head(channel), alternative,
                              true);
    if (chooses)
        choose(channel, alternative);
    else
        happen(channel, alternative);
}

// A node has started: what waited for that can happen, and happens after it.
static void park_after_start(uint32_t actor)
{
    for (uint32_t channel = 0; channel < world.channels; channel++) {
        if (!channel_head(channel) || waits_for_start(channel))
            continue;
        exec_learn(&world.exec, world.channel[channel].actor, world.exec.actors[actor].clock);
        channel_park(channel);
    }
}

void world_step(uint32_t channel, uint32_t alternative)
{
    bool chooses = channel_chooses(channel);
    uint32_t actor = world.channel[channel].actor;
    world.acting = actor;
    exec_append(&world.exec, actor, chooses ? EFFECT_NONE : EFFECT_WRITE, alternative);
    step(channel, alternative, chooses);
    world.acting = 0;
    if (world.channel[channel].kind == CHANNEL_START)
        park_after_start(actor);
    else
        channel_park(channel);
}

void world_try(uint32_t channel, uint32_t alternative)
{
    bool trial = world.trial;
    world.trial = true;
    step(channel, alternative, channel_chooses(channel));
    world.trial = trial;
}

void world_try_entry(uint32_t channel, const struct entry *entry)
{
    bool trial = world.trial;
    struct entry copy = *entry;
    world.trial = true;
    keep(&world.counts, sizeof world.counts);
    world_keep_node(world.channel[channel].node);
    node_event(channel, &copy, 0);
    world.trial = trial;
}

void world_back(size_t mark)
{
    undo_to(&world.undo, mark);
    world.loaded = -1;
    world.failure = FAILURE_NONE;
}

int heddle_in_flight(int to)
{
    uint32_t count = 0;
    for (uint32_t channel = 0; channel < world.channels; channel++)
        if (world.channel[channel].kind == CHANNEL_LINK && world.channel[channel].node == to)
            count += world.queue[channel].count;
    return (int)count;
}

static void add_links(enum channel_kind kind, int nodes)
{
    for (int from = 0; from < nodes; from++)
        for (int to = 0; to < nodes; to++)
            add_channel(kind, to, from, exec_create(&world.exec, 0));
}

static void add_fixed(enum channel_kind kind, int node, int number, enum entry_kind first)
{
    uint32_t channel = add_channel(kind, node, number, exec_create(&world.exec, 0));
    if (kind == CHANNEL_TIMER || (kind == CHANNEL_FAULT && world.library.protocol->never_crash >> node & 1))
        return;
    channel_put(channel, (struct entry){.kind = (uint8_t)first, .from = (uint8_t)number}, NULL, 0);
}

static const char *settle_on_order(void)
{
    const struct heddle_protocol *p = world.library.protocol;
    const uint32_t *budget = world.options.budget;
    if (world.options.order == ORDER_OF_PROTOCOL)
        world.options.order = p->network == HEDDLE_CONNECTIONS ? ORDER_CONNECTION
                              : p->network == HEDDLE_DATAGRAMS ? ORDER_ANY
                                                               : ORDER_FIFO;
    if (world.options.order == ORDER_CONNECTION &&
        (budget[FAULT_DROP] || budget[FAULT_DUPLICATE] || budget[FAULT_PARTITION]))
        return "its messages go over connections, which lose them by crashes only; for --drops, --duplicates and "
               "--partitions give --order fifo or any";
    return NULL;
}

static const char *make_channels(void)
{
    const struct heddle_protocol *p = world.library.protocol;
    int nodes = world.options.nodes;
    if (p->request_count > MAX_REQUESTS)
        return "it has more than 32 requests";
    add_links(CHANNEL_LINK, nodes);
    world.timer_channel = world.channels;
    for (int i = 0; i < nodes && world.options.budget[FAULT_TIMEOUT]; i++)
        for (int timer = 0; timer < HEDDLE_TIMERS; timer++)
            add_fixed(CHANNEL_TIMER, i, timer, ENTRY_TIMER);
    world.request_channel = world.channels;
    for (int i = 0; i < p->request_count; i++) {
        if (p->requests[i].node < 0 || p->requests[i].node >= nodes)
            return "it has a request for a node that is not there; see --nodes";
        add_fixed(CHANNEL_REQUEST, p->requests[i].node, i, ENTRY_REQUEST);
    }
    world.fault_channel = world.channels;
    for (int i = 0; i < nodes && world.options.budget[FAULT_CRASH]; i++)
        add_fixed(CHANNEL_FAULT, i, i, ENTRY_CRASH);
    world.net_channel = world.channels;
    for (int i = 0; i < nodes && world.options.budget[FAULT_PARTITION]; i++)
        add_fixed(CHANNEL_NET, i, i, ENTRY_ISOLATE);
    world.break_channel = world.channels;
    if (world.options.order == ORDER_CONNECTION && world.options.budget[FAULT_CRASH])
        add_links(CHANNEL_BREAK, nodes);
    world.start_channel = world.channels;
    for (int i = 0; i < nodes && draws_are_tried(); i++)
        add_fixed(CHANNEL_START, i, i, ENTRY_START);
    return NULL;
}

static const char *ask_may_request(const struct heddle_view *view, void *context)
{
    const struct channel *c = context;
    const struct heddle_protocol *p = world.library.protocol;
    return p->may_request(view->state[c->node], p->requests[c->number].number) ? NULL : "it may not";
}

bool request_waits(uint32_t channel)
{
    const struct heddle_protocol *p = world.library.protocol;
    struct channel *c = &world.channel[channel];
    if (c->kind != CHANNEL_REQUEST || !p->may_request)
        return false;
    return !node_local(c->node)->up || looking_ask_with(ask_may_request, c);
}

static bool world_ready(struct target *target, uint32_t actor)
{
    (void)target;
    uint32_t channel = world.channel_of[actor];
    if (world.counts.over || request_waits(channel))
        return false;
    world.exec.actors[actor].pending.alternatives = (uint16_t)channel_outcomes(channel);
    return true;
}

static void target_step(struct target *target, uint32_t actor, uint32_t alternative)
{
    world_ready(target, actor); // what was said of its outcomes may have been in a state that was taken back
    world.marks[world.exec.count] = undo_mark(&world.undo);
    world_step(world.channel_of[actor], alternative);
}

static void target_restart(struct target *target, uint32_t events)
{
    (void)target;
    if (events < world.exec.count) {
        world_back(world.marks[events]);
        exec_cut(&world.exec, events);
    }
}

// Boots all nodes, unless each has an event for that.
static void start_nodes(void)
{
    bool by_events = draws_are_tried();
    for (int i = 0; i < world.options.nodes; i++) {
        if (by_events)
            memory_fresh(i);
        else
            node_boot(i);
    }
    if (!by_events)
        world_check(-1);
}

const char *world_open(const char *object, const struct world_options *options)
{
    memset(&world, 0, sizeof world);
    world.options = *options;
    if (!world.options.heap)
        world.options.heap = HEAP_USUAL;
    world.self = -1;
    const char *wrong = library_load(&world.library, object);
    if (wrong)
        return wrong;
    exec_init(&world.exec, options->max_events + 1, MAX_NODES + 2);
    undo_init(&world.undo, undo_bytes());
    world.marks = mem_reserve((options->max_events + 2) * sizeof *world.marks);
    world.entry = mem_reserve(ENTRY_LIMIT * sizeof *world.entry);
    world.data = mem_reserve(DATA_BYTES);
    world.target =
        (struct target){.exec = &world.exec, .ready = world_ready, .step = target_step, .restart = target_restart};
    world.options.budget[FAULT_HEAL] = 1;
    memcpy(world.counts.left, world.options.budget, sizeof world.counts.left);
    memory_open();
    draws_open();
    if (!draws_are_tried())
        world.counts.started = options->nodes;
    wrong = settle_on_order();
    if (!wrong)
        wrong = observer_open();
    if (!wrong)
        wrong = relevant_open();
    agreement_open();
    if (!wrong)
        wrong = make_channels();
    if (!wrong)
        start_nodes();
    if (wrong)
        world_close();
    return wrong;
}

void world_close(void)
{
    agreement_close();
    relevant_close();
    observer_close();
    draws_close();
    memory_close();
    exec_free(&world.exec);
    mem_release(world.undo.start, undo_bytes());
    mem_release(world.marks, (world.options.max_events + 2) * sizeof *world.marks);
    mem_release(world.entry, ENTRY_LIMIT * sizeof *world.entry);
    mem_release(world.data, DATA_BYTES);
    looking_close();
    library_unload(&world.library);
}
