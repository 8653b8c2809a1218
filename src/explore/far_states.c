#include "explore/far_states.h"

#include <string.h>

bool far_states_are_kept_elsewhere(const struct states *st, struct fingerprint key)
{
    const struct state_exchange *x = st->options.exchange;
    return x && exchange_keeper(x, key) != x->self;
}

// ---- saying ----

void far_states_ask(struct states *st, struct fingerprint key)
{
    struct state_exchange *x = st->options.exchange;
    if (!x->begun || !far_states_are_kept_elsewhere(st, key))
        return;
    // If there is no room nobody is asked, and the state is searched.
    exchange_put(&x->out,
                 &(struct exchange_record){EXCHANGE_ASK, exchange_keeper(x, key), {key.low, key.high, st->digest}});
}

_Static_assert(sizeof(struct state_tally) == 2 * sizeof(uint64_t), "a record has two words for it");

static void say_closed(struct states *st, uint32_t to, const struct state_entry *state, const struct state_tally *tally,
                       double stands_for)
{
    struct exchange_record record = {EXCHANGE_CLOSED, to, {state->key.low, state->key.high, st->digest, state->mark}};
    memcpy(&record.word[4], tally, sizeof *tally);
    memcpy(&record.word[6], &stands_for, sizeof stands_for);
    exchange_say(st->options.exchange, &record);
}

void far_states_tell(struct states *st, const struct state_entry *state, const struct open_state *open)
{
    const struct state_exchange *x = st->options.exchange;
    if (x->begun && far_states_are_kept_elsewhere(st, state->key))
        say_closed(st, exchange_keeper(x, state->key), state, &open->tally, open->stands_for);
}

// Actors get their numbers when they are first seen, which others have to know.
static void say_actors(struct states *st)
{
    const struct exec *exec = st->s.exec;
    for (; st->actors_told < exec->known; st->actors_told++)
        exchange_say(st->options.exchange,
                     &(struct exchange_record){EXCHANGE_ACTOR,
                                               0,
                                               {st->actors_told, exec->actors[st->actors_told].parent,
                                                exec->actors[st->actors_told].number}});
}

// ---- hearing ----

static struct fingerprint key_of(const struct exchange_record *record)
{
    return (struct fingerprint){record->word[0], record->word[1]};
}

// False if states never meant that here.
static bool find_age(const struct states *st, uint64_t digest, uint32_t *age)
{
    for (uint32_t i = st->age_count; i > 0 && i + FAR_AGES > st->age_count; i--) {
        *age = st->ages[(i - 1) % FAR_AGES].age;
        if (st->ages[(i - 1) % FAR_AGES].digest == digest)
            return true;
    }
    return false;
}

// What can follow is not known here: futures name actors and objects as whoever closed the state does.
static void hear_closed(struct states *st, const struct exchange_record *record, uint32_t age)
{
    struct state_entry state = {
        .key = key_of(record), .mark = (uint16_t)record->word[3], .future = st->futures ? FUTURE_ANY : FUTURE_EMPTY};
    struct state_tally tally;
    double stands_for;
    memcpy(&tally, &record->word[4], sizeof tally);
    memcpy(&stands_for, &record->word[6], sizeof stands_for);
    tally.elsewhere = far_states_are_kept_elsewhere(st, state.key);
    if (closed_states_add(st->options.closed, &state, age, NULL, &tally) && !tally.elsewhere && age == st->age)
        st->s.account.stood_for += stands_for;
}

static void answer(struct states *st, const struct exchange_record *record)
{
    static const struct state_tally nothing;
    struct state_entry found;
    if (closed_states_find(st->options.closed, key_of(record), st->age, st->futures, &found))
        say_closed(st, record->other, &found, &nothing, 0);
}

static void hear_over(struct states *st, const struct exchange_record *record, uint32_t age)
{
    struct state_exchange *x = st->options.exchange;
    struct state_tally before;
    memcpy(&before, &record->word[4], sizeof before);
    closed_states_finish(st->options.closed, age, x->self ? NULL : &before);
    x->over = 1;
}

static void hear(struct states *st, const struct exchange_record *record, uint32_t age)
{
    if (record->kind == EXCHANGE_CLOSED)
        hear_closed(st, record, age);
    else if (record->kind == EXCHANGE_ASK && age == st->age)
        answer(st, record);
    else if (record->kind == EXCHANGE_OVER)
        hear_over(st, record, age);
}

bool far_states_listen(struct states *st)
{
    struct state_exchange *x = st->options.exchange;
    const struct exchange_record *record;
    bool grown = false;
    say_actors(st);
    while (!x->over && (record = exchange_look(&x->in))) {
        uint32_t age;
        if (record->kind == EXCHANGE_GROWN)
            grown |= st->options.hear(st->options.state_context, record->word[0]);
        else if (find_age(st, record->word[2], &age))
            hear(st, record, age);
        else if (grown) // it will be known then
            return false;
        exchange_pass(&x->in);
    }
    return !grown;
}

void far_states_note_age(struct states *st)
{
    st->digest = st->options.digest(st->options.state_context);
    st->options.exchange->digest = st->digest;
    st->ages[st->age_count % FAR_AGES].digest = st->digest;
    st->ages[st->age_count % FAR_AGES].age = st->age;
    st->age_count++;
}

bool far_states_agree(struct states *st)
{
    struct state_exchange *x = st->options.exchange;
    struct exchange_record record = {EXCHANGE_FINISHED, 0, {0, 0, st->digest}};
    memcpy(&record.word[4], &st->before, sizeof st->before);
    exchange_say(x, &record);
    while (far_states_listen(st) && !x->over)
        if (!st->options.pause(st->options.state_context))
            return false;
    return x->over;
}
