#include "cluster/symmetry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "base/mem.h"
#include "cluster/abstraction.h"
#include "cluster/words.h"
#include "target/nodes/connections.h"
#include "target/nodes/world.h"

enum { HISTORY = 1 << 20, SENT = 64 };

typedef size_t (*rule_fn)(const void *state, int peer, const void *peer_state, void *abstract);

struct tried {
    uint64_t key;           // what the rule abstracts; 0: none
    struct actor_set sleep; // whose steps were not tried right afterwards, since they were before
    uint64_t effect;        // what came of it, with an audit
    char *told;             // in words, with an audit
};

void symmetry_open(struct symmetry *s, bool audit)
{
    *s = (struct symmetry){.history = mem_reserve(HISTORY * sizeof(struct tried)), .audit = audit};
}

void symmetry_close(struct symmetry *s)
{
    for (size_t i = 0; s->audit && i < HISTORY; i++)
        free(s->history[i].told);
    mem_release(s->history, HISTORY * sizeof *s->history);
}

static uint64_t abstract_of(rule_fn rule, int node, int peer)
{
    uint8_t abstract[ABSTRACT] = {0};
    size_t size = rule(world.report[node], peer, world.report[peer], abstract);
    return abstraction_hash(abstract, size);
}

// Whether it is settled that the node crashes, or comes back, later on.
static bool has_fault_ahead(int node)
{
    const struct queue *q = &world.queue[world.fault_channel + (uint32_t)node];
    return q->count && q->stage == STAGE_EVENT;
}

// Which requests are still to come: a bit each.
static uint32_t requests_ahead(void)
{
    uint32_t ahead = 0;
    for (uint32_t channel = world.request_channel; channel < world.fault_channel; channel++)
        ahead |= (uint32_t)(world.queue[channel].count > 0) << (channel - world.request_channel);
    return ahead;
}

// What recovery depends on: the abstractions of all nodes that are up, sorted, since who is who often does not matter;
// which of them the peer would reach; which are still to crash or to come back, since another crash may hide what this one
// leads to; and how much more may go wrong or be asked for.
static uint64_t abstraction(rule_fn rule, int peer, unsigned kind)
{
    uint64_t each[MAX_NODES] = {0};
    size_t n = 0;
    for (int i = 0; i < world.options.nodes; i++) {
        bool up = node_local(i)->up, ahead = has_fault_ahead(i);
        if (i != peer && (up || ahead))
            each[n++] = (up ? abstract_of(rule, i, peer) : 0) * 8 + (connection_reaches(peer, i) ? 4u : 0u) +
                        (up ? 2u : 0u) + ahead;
    }
    uint64_t left =
        XXH3_64bits_withSeed(world.counts.left, sizeof world.counts.left, (uint64_t)requests_ahead() << 8 | kind);
    return abstraction_sum(each, n, left) | 1;
}

// What entries from this one on hold, whoever they are for.
static uint64_t hash_sent(uint32_t from)
{
    uint64_t each[SENT] = {0};
    size_t n = 0;
    for (uint32_t i = from; i <= world.counts.entries && n < SENT; i++)
        if (world.entry[i].kind == ENTRY_MESSAGE)
            each[n++] = XXH3_64bits(world.data + world.entry[i].offset, world.entry[i].size);
    return abstraction_sum(each, n, n);
}

// What a node does about a loss.
static void lose(int node, int peer)
{
    world_try_entry(link_channel(peer, node), &(struct entry){.kind = ENTRY_DOWN, .from = (uint8_t)peer});
}

// What a node does about what the peer said when it started: the entries from `first` on.
static void hear(int node, int peer, uint32_t first)
{
    uint32_t channel = link_channel(peer, node), index = world.queue[channel].first;
    for (uint32_t left = world.queue[channel].count; left; left--, index = world.entry[index].next)
        if (index >= first && world.failure == FAILURE_NONE)
            world_try_entry(channel, &world.entry[index]);
}

static void tell_sent(struct buffer *w, int node, uint32_t from)
{
    bool some = false;
    for (uint32_t i = from; i <= world.counts.entries; i++) {
        if (world.entry[i].kind != ENTRY_MESSAGE)
            continue;
        char message[128];
        words_of_message(&world.entry[i], message, sizeof message);
        if (!some)
            buffer_add(w, "%snode %d sends", w->length ? ", " : "", node);
        buffer_add(w, " '%s'", message);
        some = true;
    }
}

// What the others do about the crash or the reboot, also in words.
static uint64_t effect_of(rule_fn rule, uint32_t channel, struct buffer *did)
{
    int peer = world.channel[channel].node;
    bool is_reboot = channel_head(channel)->kind == ENTRY_REBOOT;
    size_t start = undo_mark(&world.undo), n = 0;
    uint32_t first = world.counts.entries + 1;
    uint64_t each[MAX_NODES] = {0};
    if (is_reboot)
        world_try(channel, 0);
    for (int i = 0; i < world.options.nodes && world.failure == FAILURE_NONE; i++) {
        if (i == peer || !node_local(i)->up)
            continue;
        size_t mark = undo_mark(&world.undo);
        uint32_t sent = world.counts.entries + 1;
        if (is_reboot)
            hear(i, peer, first);
        else
            lose(i, peer);
        each[n++] = hash_sent(sent) * 31 + abstract_of(rule, i, peer);
        tell_sent(did, i, sent);
        world_back(mark);
    }
    uint64_t effect = world.failure == FAILURE_NONE ? abstraction_sum(each, n, n) : 0; // a failure is found by itself
    world_back(start);
    if (!did->length)
        buffer_add(did, "nobody sends anything");
    return effect;
}

// Who is in which state, and what they do.
static void tell(uint32_t channel, const struct buffer *did, struct buffer *w)
{
    int peer = world.channel[channel].node;
    buffer_add(w, "%s of node %d with", channel_head(channel)->kind == ENTRY_CRASH ? "the crash" : "the reboot", peer);
    for (int i = 0; i < world.options.nodes; i++) {
        char state[160];
        words_of_state(i, state, sizeof state);
        if (i != peer && node_local(i)->up)
            buffer_add(w, " %d %s,", i, *state ? state : "up");
    }
    buffer_add(w, " where %s", buffer_text(did));
}

static void remember(struct symmetry *s, struct tried *place, uint64_t key, const struct actor_set *sleep, rule_fn rule,
                     uint32_t channel)
{
    struct buffer did = {0}, told = {0};
    *place = (struct tried){.key = key, .sleep = *sleep};
    if (!s->audit)
        return;
    place->effect = effect_of(rule, channel, &did);
    tell(channel, &did, &told);
    place->told = told.text; // which has some
    buffer_free(&did);
}

static void look_into(const struct tried *before, rule_fn rule, uint32_t channel, char *suspect, size_t room)
{
    struct buffer did = {0}, told = {0};
    uint64_t effect = effect_of(rule, channel, &did);
    if (effect && before->effect && effect != before->effect && !*suspect) {
        tell(channel, &did, &told);
        snprintf(suspect, room, "the rules call %s,\n  a repetition of %s", buffer_text(&told), before->told);
    }
    buffer_free(&did);
    buffer_free(&told);
}

// Those of the sleeping ones that the crash, or the reboot, of a node does not wake.
static struct actor_set still_asleep(const struct actor_set *sleep, int node)
{
    struct actor_set left = *sleep;
    for (uint32_t channel = 0; channel < world.channels; channel++)
        if (world.channel[channel].node == node)
            set_drop(&left, world.channel[channel].actor);
    return left;
}

bool symmetry_repeats(struct symmetry *s, uint32_t channel, const struct actor_set *sleep, char *suspect, size_t room)
{
    const struct heddle_rules *r = world.library.protocol->rules;
    const struct entry *e = channel_head(channel);
    rule_fn rule = !r ? NULL : e->kind == ENTRY_CRASH ? r->recovery : r->reboot;
    if (!rule)
        return false;
    int node = world.channel[channel].node;
    struct actor_set asleep = still_asleep(sleep, node);
    uint64_t key = abstraction(rule, node, e->kind);
    uint64_t at = key & (HISTORY - 1), tried = 0;
    for (; s->history[at].key && tried < HISTORY; at = (at + 1) & (HISTORY - 1), tried++) {
        if (s->history[at].key != key)
            continue;
        if (!set_is_subset(&s->history[at].sleep, &asleep)) {
            if (set_is_subset(&asleep, &s->history[at].sleep)) // what slept both times was never tried so (visited.h)
                s->history[at].sleep = asleep;
            return false;
        }
        if (s->audit)
            look_into(&s->history[at], rule, channel, suspect, room);
        return true;
    }
    if (tried < HISTORY)
        remember(s, &s->history[at], key, &asleep, rule, channel);
    return false;
}
