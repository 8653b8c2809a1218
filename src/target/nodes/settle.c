// What comes after an execution: everything is delivered and every timer runs out, fairly, until `quiet` is content.
#include "target/nodes/connections.h"
#include "target/nodes/draws.h"
#include "target/nodes/looking.h"
#include "target/nodes/node_events.h"
#include "target/nodes/world.h"

// Rounds of deliveries after which timers run out though there still is something in flight; and how many times more events
// than `patience` settling may take.
enum { SHORT_OF_TIME = 32, SETTLED_MUCH = 100 };

// Whether the first entry of the channel is one that is delivered while settling, and can be now.
static bool is_deliverable(uint32_t channel)
{
    const struct entry *e = channel_head(channel);
    return e && (e->kind == ENTRY_MESSAGE || e->kind == ENTRY_DOWN || e->kind == ENTRY_REQUEST) &&
           !connection_waits(channel) && !request_waits(channel);
}

// Delivers one entry of each channel in turn; false if there was none. Says whether there are more where one was put before
// entry number `limit`.
static bool deliver_round(uint32_t *events, uint32_t limit, bool *older)
{
    bool some = false;
    *older = false;
    for (uint32_t channel = 0; channel < world.channels && world.failure == FAILURE_NONE; channel++) {
        if (!is_deliverable(channel))
            continue;
        while (channel_chooses(channel))
            world_try(channel, 0);
        world_try(channel, 0);
        *older |= world.queue[channel].count && world.queue[channel].first < limit;
        ++*events;
        some = true;
    }
    return some;
}

// Lets timers run out: `all` that are set, or the next one, each in its turn. False if none is set.
static bool expire(bool all, int *turn, uint32_t *events)
{
    int timers = world.options.nodes * HEDDLE_TIMERS;
    bool some = false;
    for (int i = 0; i < timers && world.failure == FAILURE_NONE && (all || !some); i++) {
        int node = *turn / HEDDLE_TIMERS, timer = *turn % HEDDLE_TIMERS;
        *turn = (*turn + 1) % timers;
        if (!node_local(node)->set[timer] || !world_has_room(node))
            continue;
        undo_save(&world.undo, &world.counts, sizeof world.counts);
        node_expire(node, timer);
        world_check(node);
        ++*events;
        some = true;
    }
    return some;
}

// How far settling has come. A protocol cannot come to rest before it has worked off what an unfair execution left in flight,
// and what comes of that: so what is in flight at one time is delivered as one *generation*, and counts as no more events than
// there are links, however much it is.
struct settling {
    uint32_t patience, counted; // events that may count, and that have
    uint32_t events;            // all of them
    uint32_t begun, first;      // of the generation: events before it, the first entry that belongs to the next
};

static void count_generation(struct settling *s)
{
    uint32_t links = (uint32_t)(world.options.nodes * world.options.nodes), events = s->events - s->begun;
    s->counted += events < links ? events : links;
    s->begun = s->events;
    s->first = world.counts.entries + 1;
}

// Whether it is over, contented or not; if it takes so long that nothing can be said, that is a failure of heddle's.
static bool is_out_of_patience(const struct settling *s)
{
    if (s->counted >= s->patience)
        return true;
    if (s->events / SETTLED_MUCH < s->patience)
        return false;
    world_fail(FAILURE_ROOM, -1,
               "messages were more and more after the end of an execution: `quiet` was not asked after %u", s->events);
    return true;
}

// From here on nodes draw from seeds, which those that draw nothing else do not have: who is who is not to be told by them.
static void sow(void)
{
    for (int i = 0; i < world.options.nodes && draws_are_tried(); i++) {
        if (node_local(i)->random)
            continue;
        undo_save(&world.undo, &node_local(i)->random, sizeof node_local(i)->random);
        draws_seed(i);
    }
}

// What `quiet` says in the end, or null.
static const char *settle(struct settling *s, bool all_timers)
{
    const char *wrong = NULL;
    int turn = 0;
    sow();
    for (uint32_t round = 1;; round++) {
        bool older, delivered = deliver_round(&s->events, s->first, &older);
        if (!older)
            count_generation(s);
        bool goes_on = delivered && !is_out_of_patience(s) && world.failure == FAILURE_NONE;
        if (goes_on && round % SHORT_OF_TIME)
            continue;
        wrong = world.failure == FAILURE_NONE && !goes_on ? looking_ask(world.library.protocol->quiet) : NULL;
        if (!goes_on && (!wrong || is_out_of_patience(s)))
            return wrong;
        if (!expire(all_timers, &turn, &s->events) && !goes_on)
            return wrong;
    }
}

// Some protocols never come to rest if all timers run out at once, since all nodes then stand for election again and again.
// Others never do if timers run out one by one, since each disturbs what the last one has begun. Only a protocol that comes to
// rest in neither way is reported.
void world_settle(uint32_t patience)
{
    struct settling settling = {.patience = patience, .first = world.counts.entries + 1}, again = settling;
    world.settled = 0;
    if (world.counts.started < world.options.nodes) // nodes that have not begun have nothing to end
        return;
    if (world.judge && world.failure == FAILURE_NONE)
        world.judge();
    if (!world.library.protocol->quiet || world.failure != FAILURE_NONE)
        return;
    size_t mark = undo_mark(&world.undo);
    world.trial = world.settling = true;
    const char *wrong = settle(&settling, true);
    if (wrong) {
        world_back(mark);
        if (world.observer && world.observer->again)
            world.observer->again(world.observer->context);
        wrong = settle(&again, false);
    }
    world.trial = world.settling = false;
    world.settled = again.events ? again.events : settling.events;
    if (wrong)
        world_fail(FAILURE_QUIET, -1,
                   "%s, also after %u more events with every message delivered and every timer run out", wrong,
                   again.events);
}
