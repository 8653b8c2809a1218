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

static uint64_t number_of_state(struct canonical *c)
{
    return c->is_exact ? exact_states_number(&c->exact) : world_hash();
}

// A message that is in flight, where messages come in any order.
struct in_flight {
    uint32_t link;
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

// Which places in a sorted network sleep. Places have the highest numbers of actors: there are no more messages in flight than actors
// for them, and all others have lower ones.
static struct actor_set spell(const struct actor_set *sleep)
{
    struct in_flight message[MAX_CHANNELS];
    struct actor_set spelled = *sleep;
    uint32_t count = 0, place = MAX_ACTORS;
    if (world.options.order != ORDER_ANY || set_is_empty(sleep))
        return spelled;
    for (uint32_t channel = 0; channel < world.channels; channel++) {
        const struct channel *c = &world.channel[channel];
        if (!channel_is_bag(channel) || !world.queue[channel].count)
            continue;
        message[count++] =
            (struct in_flight){link_channel(c->number, c->node), queue_hash(channel), !set_has(sleep, c->actor)};
        set_drop(&spelled, c->actor);
    }
    qsort(message, count, sizeof *message, compare);
    for (uint32_t i = 0; i < count; i++)
        if (--place, !message[i].awake)
            set_put(&spelled, place);
    return spelled;
}

static struct actor_set rename_set(const int *to, const struct actor_set *set)
{
    struct actor_set renamed = {{0}};
    for (uint32_t channel = 0; channel < world.channels; channel++)
        if (set_has(set, world.channel[channel].actor))
            set_put(&renamed, world.channel[renaming_channel(to, channel)].actor);
    return renamed;
}

bool canonical_renamed(struct canonical *c, const int *to, const struct actor_set *sleep, uint64_t *number,
                       struct actor_set *spelled)
{
    if (!renaming_applies(to))
        return false;
    *spelled = rename_set(to, sleep);
    size_t mark = undo_mark(&world.undo);
    bool fine = renaming_do(to);
    if (fine)
        *number = number_of_state(c);
    world_back(mark);
    return fine;
}

bool canonical_state(struct canonical *c, const struct actor_set *sleep, uint64_t *number, struct actor_set *spelled)
{
    uint64_t least = world_hash(), hash = 0;
    const int *best = NULL;
    for (uint32_t i = 0; c->alike && i < c->renamings; i++) {
        if (!renaming_hash(c->renaming[i], i, &hash) || hash >= least)
            continue;
        least = hash;
        best = c->renaming[i];
    }
    if (best && c->is_exact && canonical_renamed(c, best, sleep, number, spelled))
        return true;
    *number = c->is_exact ? exact_states_number(&c->exact) : least;
    *spelled = best && !c->is_exact ? rename_set(best, sleep) : spell(sleep);
    return best && !c->is_exact;
}
