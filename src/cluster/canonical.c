#include "cluster/canonical.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "target/nodes/renaming.h"

void canonical_open(struct canonical *c, const struct state_keeping *keeping)
{
    *c = (struct canonical){.alike = keeping->alike, .is_exact = keeping->exact};
    c->renaming = mem_reserve(MOST_RENAMINGS * sizeof *c->renaming);
    c->renamings = renaming_all(c->renaming);
    if (keeping->exact)
        exact_states_open(&c->exact, keeping->memory / 4);
}

void canonical_close(struct canonical *c)
{
    mem_release(c->renaming, MOST_RENAMINGS * sizeof *c->renaming);
    renaming_forget();
    if (c->is_exact)
        exact_states_close(&c->exact);
}

// A message that is in flight, where messages come in any order.
struct in_flight {
    uint32_t link, actor;
    uint64_t hash;
    bool awake;
};

// Of two that are the same, the one that sleeps comes first.
static int compare(const void *one, const void *other)
{
    const struct in_flight *a = one, *b = other;
    if (a->link != b->link)
        return a->link < b->link ? -1 : 1;
    return a->hash != b->hash ? (a->hash < b->hash ? -1 : 1) : a->awake - b->awake;
}

// All of them, sorted; how many there are.
static uint32_t sort_network(const struct actor_set *sleep, struct in_flight *message)
{
    uint32_t count = 0;
    for (uint32_t channel = 0; channel < world.channels; channel++) {
        const struct channel *c = &world.channel[channel];
        if (channel_is_bag(channel) && world.queue[channel].count)
            message[count++] = (struct in_flight){link_channel(c->number, c->node), c->actor, queue_hash(channel),
                                                  !set_has(sleep, c->actor)};
    }
    qsort(message, count, sizeof *message, compare);
    return count;
}

// The number that stands for the n-th message. There are no more messages in flight than actors for them, and all others have lower
// numbers.
static uint16_t place_of_message(uint32_t n)
{
    return (uint16_t)(MAX_ACTORS - 1 - n);
}

// Which places in a sorted network sleep.
static struct actor_set spell(const struct actor_set *sleep)
{
    struct in_flight message[MAX_CHANNELS];
    struct actor_set spelled = *sleep;
    if (world.options.order != ORDER_ANY || set_is_empty(sleep))
        return spelled;
    uint32_t count = sort_network(sleep, message);
    for (uint32_t i = 0; i < count; i++)
        set_drop(&spelled, message[i].actor);
    for (uint32_t i = 0; i < count; i++)
        if (!message[i].awake)
            set_put(&spelled, place_of_message(i));
    return spelled;
}

void canonical_places(const struct canonical *c, const struct actor_set *sleep, uint16_t place[MAX_ACTORS])
{
    struct in_flight message[MAX_CHANNELS];
    for (uint32_t actor = 0; actor < MAX_ACTORS; actor++)
        place[actor] = (uint16_t)actor;
    for (uint32_t channel = 0; c->best && channel < world.channels; channel++)
        place[world.channel[channel].actor] = (uint16_t)world.channel[renaming_channel(c->best, channel)].actor;
    uint32_t count = world.options.order == ORDER_ANY ? sort_network(sleep, message) : 0;
    for (uint32_t i = 0; i < count; i++)
        place[message[i].actor] = place_of_message(i);
}

static struct actor_set rename_set(const int *to, const struct actor_set *set)
{
    struct actor_set renamed = {{0}};
    for (uint32_t channel = 0; channel < world.channels; channel++)
        if (set_has(set, world.channel[channel].actor))
            set_put(&renamed, world.channel[renaming_channel(to, channel)].actor);
    return renamed;
}

// Its exact number is known only where everything is renamed.
static bool number_renamed(struct canonical *c, const int *to, uint64_t *number)
{
    if (!renaming_applies(to))
        return false;
    size_t mark = undo_mark(&world.undo);
    bool fine = renaming_do(to);
    if (fine)
        *number = exact_states_number(&c->exact);
    world_back(mark);
    return fine;
}

bool canonical_renamed(struct canonical *c, uint32_t which, const struct actor_set *sleep, uint64_t *number,
                       struct actor_set *spelled)
{
    const int *to = c->renaming[which];
    if (c->is_exact ? !number_renamed(c, to, number) : !renaming_hash(to, which, number))
        return false;
    *spelled = rename_set(to, sleep);
    return true;
}

bool canonical_state(struct canonical *c, const struct actor_set *sleep, uint64_t *number, struct actor_set *spelled)
{
    bool is_hashed = c->alike || !c->is_exact;
    uint64_t least = is_hashed ? world_hash() : 0, hash = 0;
    uint32_t best = 0;
    c->best = NULL;
    for (uint32_t i = 0; c->alike && i < c->renamings; i++) {
        if (!renaming_hash(c->renaming[i], i, &hash) || hash >= least)
            continue;
        least = hash;
        best = i;
        c->best = c->renaming[i];
    }
    if (c->best && c->is_exact && canonical_renamed(c, best, sleep, number, spelled))
        return true;
    if (c->is_exact)
        c->best = NULL; // it is spelled as it is
    *number = c->is_exact ? exact_states_number(&c->exact) : least;
    *spelled = c->best ? rename_set(c->best, sleep) : spell(sleep);
    return c->best;
}
