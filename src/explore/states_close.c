#include "explore/far_states.h"

// ---- a search that others take part in ----

void states_add_tally(struct state_tally *sum, const struct state_tally *more)
{
    sum->executions += more->executions;
    sum->events += more->events;
    sum->known = (uint16_t)(sum->known + more->known);
    sum->blocked = (uint16_t)(sum->blocked + more->blocked);
    sum->finished = (uint16_t)(sum->finished + more->finished);
}

// Where what the states at this level and below counted belongs that are not kept.
struct state_tally *states_tally_above(struct states *st, uint32_t at)
{
    return at > st->options.root ? &st->levels[at - 1].tally : &st->before;
}

// An execution has ended after so many events: how.
void states_count_end(struct states *st, uint32_t events)
{
    uint64_t blocked = *st->options.blocked, finished = *st->options.finished, known = st->s.account.known;
    states_add_tally(states_tally_above(st, events), &(struct state_tally){.known = known > st->known,
                                                                           .blocked = blocked > st->blocked,
                                                                           .finished = finished > st->finished});
    st->blocked = blocked;
    st->finished = finished;
    st->known = known;
}

static void close_newest(struct states *st, const struct state_entry *as)
{
    struct open_state *open = &st->open[--st->open_count];
    if (!st->options.closed) {
        struct state_entry *state = state_table_find(&st->table, open->key);
        state->mark = as->mark;
        state->future = as->future;
        return;
    }
    struct state_entry closed = {.key = open->key, .mark = as->mark, .future = as->future};
    state_table_remove(&st->table, open->key);
    open->tally.elsewhere = far_states_are_kept_elsewhere(st, open->key);
    if (!closed_states_add(st->options.closed, &closed, st->age, st->futures, &open->tally))
        return;
    if (!far_states_are_shared(st) || !open->tally.elsewhere)
        st->s.account.stood_for += open->stands_for;
    if (far_states_are_shared(st))
        far_states_tell(st, &closed, open);
}

// Everything that can follow is known, of this state and of all that it can come back to.
static void close_component(struct states *st, const struct level *level)
{
    while (st->open_count > level->order)
        close_newest(
            st, &(struct state_entry){.mark = level->ends ? STATE_CLOSED : STATE_ENDLESS, .future = level->future});
    st->show.wanted = !level->ends && !level->leads_on && st->shown < MOST_SHOWN;
    st->shown += st->show.wanted;
    st->s.account.endless += !level->ends;
    st->left = (struct left){.ends = level->ends, .leads_on = !level->ends, .future = level->future};
}

static void keep_counts(struct states *st, const struct level *level)
{
    st->open[level->order].tally = level->tally;
    st->open[level->order].stands_for = level->stands_for;
}

// Another worker has closed the state in the meantime. Whatever can be done from the open states that were come to from there can be
// done from there as well, so somebody has seen it; and they can come back to it, so that they have an end below them if it has.
bool states_was_closed_elsewhere(struct states *st, struct level *level)
{
    struct state_entry elsewhere;
    if (!st->options.closed || level->passed ||
        !closed_states_find(st->options.closed, level->key, st->age, st->futures, &elsewhere))
        return false;
    keep_counts(st, level);
    while (st->open_count > level->order)
        close_newest(st, &elsewhere);
    st->left = (struct left){.ends = elsewhere.mark == STATE_CLOSED,
                             .leads_on = elsewhere.mark == STATE_ENDLESS,
                             .future = elsewhere.future};
    return true;
}

void states_leave(struct states *st, const struct level *level)
{
    if (!level->passed)
        keep_counts(st, level);
    if (level->passed && level->low == UINT32_MAX) {
        st->left = (struct left){.ends = level->ends, .leads_on = level->leads_on, .future = level->future};
        return;
    }
    if (level->low < level->order)
        st->left = (struct left){
            .open = true, .low = level->low, .ends = level->ends, .leads_on = level->leads_on, .future = level->future};
    else
        close_component(st, level);
}
