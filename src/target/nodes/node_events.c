#include "target/nodes/node_events.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "target/nodes/access.h"
#include "target/nodes/connections.h"
#include "target/nodes/draws.h"
#include "target/nodes/memory.h"
#include "target/nodes/relevant.h"

struct occasion {
    const struct channel *channel;
    const struct entry *entry;
};

// Behind a report there is room that stays zero.
static void ask_report(void)
{
    const struct heddle_protocol *p = world.library.protocol;
    uint8_t *report = world.report[world.self];
    uint64_t behind;
    if (!p->report)
        return;
    memset(report, 0, p->state_size);
    p->report(report);
    memcpy(&behind, report + p->state_size, sizeof behind);
    if (behind)
        world_fail(FAILURE_USE, world.self, "`report` writes more than state_size, which is %zu bytes", p->state_size);
}

static void call_back(void *context)
{
    const struct heddle_protocol *p = world.library.protocol;
    const struct occasion *o = context;
    switch (o->entry->kind) {
    case ENTRY_MESSAGE:
        access_message(world.data + o->entry->offset, o->entry->size);
        p->message(o->entry->from, world.data + o->entry->offset, o->entry->size);
        break;
    case ENTRY_DOWN:
        p->down(o->entry->from);
        break;
    case ENTRY_TIMER:
        p->timer(o->channel->number);
        break;
    case ENTRY_REQUEST:
        p->request(p->requests[o->channel->number].number);
        break;
    default:
        p->boot(world.self, world.options.nodes);
        break;
    }
    access_message(NULL, 0);
    ask_report();
}

// Most searches never ask for them.
void node_forget_hashes(int node)
{
    struct node_local *local = node_local(node);
    local->hash = local->relevant = local->exact = 0;
}

uint64_t node_hash(int node)
{
    struct node_local *local = node_local(node);
    if (local->hash)
        return local->hash;
    size_t from = offsetof(struct node_local, up);
    uint64_t hash = XXH3_64bits(world.block[node] + from, local->used - from);
    hash = XXH3_64bits_withSeed(world.report[node], world.library.protocol->state_size, hash);
    if (local->disk_used)
        hash = XXH3_64bits_withSeed(world.disk[node], local->disk_used, hash);
    if (local->synced_used)
        hash = XXH3_64bits_withSeed(world.disk[node] + DISK_ROOM, local->synced_used, hash);
    local->hash = hash ^ local->written;
    return local->hash;
}

// A node may write to the message that it got, which is its own copy. Who gets the same one again, since it came twice or since the
// search went back, gets it as it was sent.
static void run(const struct channel *channel, const struct entry *entry, int node)
{
    uint8_t sent[MAX_MESSAGE], *message = world.data + entry->offset;
    size_t size = entry->kind == ENTRY_MESSAGE ? entry->size : 0;
    memcpy(sent, message, size);
    memory_run(node, call_back, &(struct occasion){channel, entry});
    if (memcmp(sent, message, size) != 0)
        memcpy(message, sent, size);
}

void node_boot(int node)
{
    struct entry boot = {.kind = ENTRY_REBOOT};
    memory_fresh(node);
    node_local(node)->up = true;
    if (world.library.asks_chance && world.options.draws < 2)
        draws_seed(node);
    run(NULL, &boot, node);
    node_forget_hashes(node);
}

// What the disk holds after a crash: what was synced; or everything; or everything but the end of the last write.
static void leave_disk(int node, uint32_t alternative)
{
    struct node_local *local = node_local(node);
    uint8_t *disk = world.disk[node];
    if (alternative == CRASH_LOSES) {
        memcpy(disk, disk + DISK_ROOM, local->synced_used);
        local->disk_used = local->synced_used;
    }
    if (alternative == CRASH_TEARS && local->written) {
        uint32_t start = local->written - 1, size;
        memcpy(&size, disk + start, sizeof size);
        memset(disk + start + 2 * sizeof size + size / 2, 0, size - size / 2);
        world.counts.left[FAULT_DISK]--;
    }
    memcpy(disk + DISK_ROOM, disk, local->disk_used);
    local->synced_used = local->disk_used;
    local->written = 0;
}

static void crash(int node, uint32_t alternative)
{
    struct node_local *local = node_local(node);
    relevant_crash(node);
    local->up = false;
    memset(local->set, 0, sizeof local->set);
    leave_disk(node, alternative);
    memory_fresh(node);
    connection_end_all(node);
    bool tells = world.library.protocol->down || world.options.order == ORDER_CONNECTION;
    for (int peer = 0; peer < world.options.nodes && tells; peer++)
        if (peer != node)
            channel_put(connection_break_channel(node, peer),
                        (struct entry){.kind = ENTRY_DOWN, .from = (uint8_t)node, .cut_off = local->isolated}, NULL, 0);
}

static void follow_up(uint32_t channel, enum entry_kind kind)
{
    channel_put(channel, (struct entry){.kind = (uint8_t)kind, .from = world.channel[channel].node}, NULL, 0);
}

// Whether sender and receiver were on the same side of the network, each when it was its turn: what happens at a node must
// not depend on what happens at others at the same time.
static bool is_reached(const struct node_local *local, const struct channel *c, const struct entry *e)
{
    return e->from == c->node || e->cut_off == local->isolated;
}

bool node_takes(const struct channel *c, const struct entry *e)
{
    const struct node_local *local = node_local(c->node);
    switch (e->kind) {
    case ENTRY_MESSAGE:
        return local->up && is_reached(local, c, e) && connection_holds(c->node, e);
    case ENTRY_DOWN:
        return local->up && is_reached(local, c, e) && world.library.protocol->down;
    case ENTRY_TIMER:
        return local->set[c->number] && local->generation[c->number] == e->generation;
    case ENTRY_REQUEST:
        return local->up;
    default:
        return true;
    }
}

static void carry_out(uint32_t channel, const struct entry *e, uint32_t alternative)
{
    const struct channel *c = &world.channel[channel];
    struct node_local *local = node_local(c->node);
    switch (e->kind) {
    case ENTRY_CRASH:
        crash(c->node, alternative);
        if (world.options.budget[FAULT_REBOOT])
            follow_up(channel, ENTRY_REBOOT);
        break;
    case ENTRY_START:
        node_boot(c->node);
        break;
    case ENTRY_REBOOT:
        node_boot(c->node);
        follow_up(channel, ENTRY_CRASH);
        break;
    case ENTRY_ISOLATE:
        local->isolated = true;
        follow_up(channel, ENTRY_HEAL);
        break;
    case ENTRY_HEAL:
        local->isolated = false;
        follow_up(channel, ENTRY_ISOLATE);
        break;
    case ENTRY_TIMER:
        local->set[c->number] = false;
        local->seconds += world.library.asks_time;
        run(c, e, c->node);
        break;
    default:
        run(c, e, c->node);
        break;
    }
}

void node_event(uint32_t channel, const struct entry *entry, uint32_t alternative)
{
    const struct channel *c = &world.channel[channel];
    bool is_taken = node_takes(c, entry);
    world.happened += !world.trial;
    if (world.observer)
        world.observer->event(world.observer->context, c, entry, alternative, !is_taken);
    if (entry->kind == ENTRY_DOWN)
        connection_end(c->node, entry->from);
    if (!is_taken)
        return;
    carry_out(channel, entry, alternative);
    if (world.failure == FAILURE_NONE)
        node_forget_hashes(c->node);
}

static void rename_memory(void *context)
{
    const struct heddle_protocol *p = world.library.protocol;
    if (p->renaming->memory)
        p->renaming->memory(context);
    ask_report();
}

void node_rename(int node, const int *to)
{
    int copy[MAX_NODES];
    memcpy(copy, to, sizeof copy);
    world_keep_node(node);
    connection_rename(node, to);
    if (node_local(node)->up) {
        memory_run(node, rename_memory, copy);
    } else if (world.library.protocol->renaming->state) {
        world.library.protocol->renaming->state(world.report[node], copy);
        relevant_rename_forgotten(node, copy);
    }
    node_forget_hashes(node);
}

void node_expire(int node, int timer)
{
    struct channel channel = {.kind = CHANNEL_TIMER, .node = (uint8_t)node, .number = (uint8_t)timer};
    struct entry entry = {.kind = ENTRY_TIMER, .generation = node_local(node)->generation[timer]};
    world_keep_node(node);
    if (world.observer)
        world.observer->event(world.observer->context, &channel, &entry, 0, false);
    node_local(node)->set[timer] = false;
    node_local(node)->seconds += world.library.asks_time;
    run(&channel, &entry, node);
    node_forget_hashes(node);
}

// The calls of a protocol.

static bool in_callback(const char *call)
{
    if (world.self < 0 && !world.inside)
        fprintf(stderr, "heddle cluster: %s is for callbacks of a node\n", call);
    return world.self >= 0;
}

void heddle_send(int to, const void *data, size_t size)
{
    if (!in_callback("heddle_send"))
        return;
    if (to < 0 || to >= world.options.nodes || size > MAX_MESSAGE) {
        world_fail(FAILURE_USE, world.self,
                   "heddle_send to node %d of %zu bytes: there are %d nodes, and at most %d bytes", to, size,
                   world.options.nodes, MAX_MESSAGE);
        return;
    }
    if (size && !data) {
        world_fail(FAILURE_USE, world.self, "heddle_send of %zu bytes that are nowhere: data is null", size);
        return;
    }
    access_look(data, size, "read", __builtin_return_address(0));
    struct entry entry = {
        .kind = ENTRY_MESSAGE, .from = (uint8_t)world.self, .cut_off = node_local(world.self)->isolated};
    connection_send(&entry, world.self, to);
    channel_put(link_channel(world.self, to), entry, data, size);
}

void heddle_broadcast(const void *data, size_t size)
{
    for (int to = 0; to < world.options.nodes; to++)
        if (to != world.self)
            heddle_send(to, data, size);
}

static bool is_timer(int timer)
{
    if (timer >= 0 && timer < HEDDLE_TIMERS && world.library.protocol->timer)
        return true;
    world_fail(FAILURE_USE, world.self, "there is no timer %d: they are 0 to %d, and the protocol must have `timer`",
               timer, HEDDLE_TIMERS - 1);
    return false;
}

void heddle_set_timer(int timer)
{
    if (!in_callback("heddle_set_timer") || !is_timer(timer))
        return;
    struct node_local *local = node_local(world.self);
    local->set[timer] = true;
    local->generation[timer]++;
    if (!world.options.budget[FAULT_TIMEOUT])
        return;
    uint32_t channel = world.timer_channel + (uint32_t)(world.self * HEDDLE_TIMERS + timer);
    struct entry entry = {.kind = ENTRY_TIMER, .from = (uint8_t)world.self, .generation = local->generation[timer]};
    channel_put(channel, entry, NULL, 0);
}

void heddle_clear_timer(int timer)
{
    if (in_callback("heddle_clear_timer") && is_timer(timer))
        node_local(world.self)->set[timer] = false;
}

// Disks are blobs one after the other: size, length of the name, contents, name. They are in the order of their names, so
// that what was written first does not matter.
struct blob {
    uint32_t size, name;
};

static long find_blob(const char *name)
{
    const uint8_t *disk = world.disk[world.self];
    struct blob b;
    for (uint32_t at = 0; at < node_local(world.self)->disk_used; at += (uint32_t)sizeof b + b.size + b.name) {
        memcpy(&b, disk + at, sizeof b);
        if (b.name == strlen(name) && !memcmp(disk + at + sizeof b + b.size, name, b.name))
            return at;
    }
    return -1;
}

static void remove_blob(uint32_t at)
{
    struct node_local *local = node_local(world.self);
    uint8_t *disk = world.disk[world.self];
    struct blob b;
    memcpy(&b, disk + at, sizeof b);
    uint32_t bytes = (uint32_t)sizeof b + b.size + b.name;
    memmove(disk + at, disk + at + bytes, local->disk_used - at - bytes);
    local->disk_used -= bytes;
    memset(disk + local->disk_used, 0, bytes);
}

static bool is_before(const uint8_t *name, size_t length, const char *other)
{
    size_t other_length = strlen(other);
    int order = memcmp(name, other, length < other_length ? length : other_length);
    return order ? order < 0 : length < other_length;
}

// Where a new blob belongs.
static uint32_t place_of(const char *name)
{
    const uint8_t *disk = world.disk[world.self];
    uint32_t at = 0;
    for (struct blob b; at < node_local(world.self)->disk_used; at += (uint32_t)sizeof b + b.size + b.name) {
        memcpy(&b, disk + at, sizeof b);
        if (!is_before(disk + at + sizeof b + b.size, b.name, name))
            break;
    }
    return at;
}

void heddle_write(const char *name, const void *data, size_t size)
{
    if (!in_callback("heddle_write"))
        return;
    if (!name || (size && !data)) {
        world_fail(FAILURE_USE, world.self, "heddle_write without a name, or without what is to be written");
        return;
    }
    access_look(data, size, "read", __builtin_return_address(0));
    struct node_local *local = node_local(world.self);
    uint8_t *disk = world.disk[world.self];
    long old = find_blob(name);
    if (old >= 0)
        remove_blob((uint32_t)old);
    struct blob b = {(uint32_t)size, (uint32_t)strlen(name)};
    if (size > DISK_ROOM || local->disk_used + sizeof b + b.size + b.name > DISK_ROOM) {
        world_fail(FAILURE_ROOM, world.self, "nodes wrote more than the %d KiB of disk that heddle has for each",
                   DISK_ROOM >> 10);
        return;
    }
    uint32_t at = place_of(name), bytes = (uint32_t)sizeof b + b.size + b.name;
    uint8_t *to = disk + at;
    memmove(to + bytes, to, local->disk_used - at);
    memcpy(to, &b, sizeof b);
    if (size)
        memcpy(to + sizeof b, data, size);
    memcpy(to + sizeof b + size, name, b.name);
    local->written = at + 1;
    local->disk_used += bytes;
}

void heddle_sync(void)
{
    if (!in_callback("heddle_sync"))
        return;
    struct node_local *local = node_local(world.self);
    memcpy(world.disk[world.self] + DISK_ROOM, world.disk[world.self], local->disk_used);
    local->synced_used = local->disk_used;
    local->written = 0;
}

long heddle_read(const char *name, void *data, size_t room)
{
    if (!in_callback("heddle_read"))
        return -1;
    long at = find_blob(name);
    if (at < 0)
        return -1;
    struct blob b;
    memcpy(&b, world.disk[world.self] + at, sizeof b);
    size_t size = b.size < room ? b.size : room;
    access_look(data, size, "write", __builtin_return_address(0));
    if (size)
        memcpy(data, world.disk[world.self] + at + sizeof b, size);
    return b.size;
}

int heddle_self(void)
{
    return world.self;
}

int heddle_nodes(void)
{
    return world.options.nodes;
}

void heddle_say(const char *format, ...)
{
    char text[256];
    va_list list;
    if (world.self < 0 || !world.observer)
        return;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    world.observer->said(world.observer->context, world.self, text);
}
