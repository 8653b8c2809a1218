#include "target/nodes/connections.h"

#include <string.h>

static bool is_used(void)
{
    return world.options.order == ORDER_CONNECTION;
}

uint32_t connection_break_channel(int from, int to)
{
    return is_used() ? world.break_channel + link_channel(from, to) : link_channel(from, to);
}

void connection_send(struct entry *entry, int from, int to)
{
    entry->life = node_local(from)->life;
    entry->to_life = node_local(from)->peer_life[to];
}

// What a node sent to itself was in its own memory, whatever the network is like.
static bool is_own_and_late(int node, const struct entry *e)
{
    return e->from == node && e->life != node_local(node)->life;
}

bool connection_holds(int node, const struct entry *e)
{
    const struct node_local *local = node_local(node);
    if (is_own_and_late(node, e))
        return false;
    return !is_used() || (e->to_life == local->life && e->life >= local->peer_life[e->from]);
}

bool connection_reaches(int from, int to)
{
    return !is_used() || node_local(from)->peer_life[to] == node_local(to)->life;
}

bool connection_waits(uint32_t channel)
{
    const struct entry *e = channel_head(channel);
    return is_used() && e && e->kind == ENTRY_MESSAGE &&
           e->life > node_local(world.channel[channel].node)->peer_life[e->from];
}

// The events of the channel that tells of breaks are one for each life.
clock_id connection_clock(uint32_t channel)
{
    const struct entry *e = channel_head(channel);
    int node = world.channel[channel].node;
    if (!is_used() || e->kind != ENTRY_MESSAGE || !e->life || e->from == node)
        return 0;
    uint32_t event = world.exec.actors[world.channel[connection_break_channel(e->from, node)].actor].last;
    while (world.exec.events[event].index > e->life)
        event = world.exec.events[event].old_last;
    return world.exec.events[event].clock;
}

void connection_end_all(int node)
{
    struct node_local *local = node_local(node);
    local->life++;
    local->peer_life[node]++;
}

void connection_end(int node, int peer)
{
    uint32_t link = link_channel(peer, node);
    bool waited = connection_waits(link);
    node_local(node)->peer_life[peer]++;
    if (waited && !connection_waits(link))
        channel_park(link);
}

uint64_t connection_age(int node, const struct entry *e)
{
    const struct node_local *local = node_local(node);
    if (e->kind != ENTRY_MESSAGE)
        return 0;
    if (!is_used())
        return is_own_and_late(node, e);
    uint16_t here = (uint16_t)(local->life - e->to_life), there = (uint16_t)(local->peer_life[e->from] - e->life);
    return (uint64_t)here << 16 | there;
}

// Whether the next event of the channel sends something to the peer, with some outcome.
static bool sends_to(uint32_t channel, int peer)
{
    uint32_t link = link_channel(world.channel[channel].node, peer), before = world.queue[link].count;
    uint32_t outcomes = channel_outcomes(channel);
    bool yes = false;
    for (uint32_t outcome = 0; outcome < outcomes && !yes; outcome++) {
        size_t mark = undo_mark(&world.undo);
        world_try(channel, outcome);
        yes = world.queue[link].count > before;
        world_back(mark);
    }
    return yes;
}

bool connection_orders(uint32_t one, uint32_t other)
{
    const struct entry *a = channel_head(one), *b = channel_head(other);
    if (!is_used() || (a->kind != ENTRY_DOWN && b->kind != ENTRY_DOWN))
        return false;
    return (a->kind == ENTRY_DOWN && (b->from == a->from || sends_to(other, a->from))) ||
           (b->kind == ENTRY_DOWN && (a->from == b->from || sends_to(one, b->from)));
}

void connection_rename(int node, const int *to)
{
    struct node_local *local = node_local(node);
    uint16_t renamed[MAX_NODES] = {0};
    for (int peer = 0; peer < world.options.nodes; peer++)
        renamed[to[peer]] = local->peer_life[peer];
    memcpy(local->peer_life, renamed, sizeof renamed);
}
