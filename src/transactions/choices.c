#include "transactions/choices.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "history/linearize.h"
#include "transactions/time_order.h"

enum { NONE = UINT32_MAX, MOST_CHOICES = 1 << 18, LOOK_AT_CLOCK = 64, ATTEMPTS = 30, MOST_TRIED = 20000 };

#define MOST_VISITS 100000000u // of edges

// Gathering

static bool has_readers(const struct versions *v, uint32_t version)
{
    return v->all[version].next != NO_VERSION || v->all[version].reads;
}

// One after the other is all that matters to two versions that nobody saw, and that any order gives; with snapshots their
// writers must not overlap either. What times say is in the graph already.
static bool needs_choice(const struct choices *c, uint32_t first, uint32_t second)
{
    const struct versions *v = c->d->versions;
    if (c->d->level->order >= TIME_ORDER && v->from->model == MODEL_REGISTERS) {
        struct chain_times a = chain_times(v, first), b = chain_times(v, second);
        if (chain_is_before(&a, &b) || chain_is_before(&b, &a))
            return false;
    }
    return c->d->split || has_readers(v, first) || has_readers(v, second);
}

static void gather_key(struct choices *c, const uint32_t *heads, uint32_t count)
{
    for (uint32_t i = 0; i < count && !c->too_many; i++)
        for (uint32_t j = i + 1; j < count && !c->too_many; j++) {
            if (!needs_choice(c, heads[i], heads[j]))
                continue;
            c->all = alloc_reserve(c->all, c->count + (size_t)1, &c->room, sizeof *c->all);
            c->all[c->count++] = (struct order_choice){heads[i], heads[j], -1};
            c->too_many = c->count == MOST_CHOICES;
        }
}

// Chains that do not begin with what a key holds at first.
static void gather(struct choices *c)
{
    const struct versions *v = c->d->versions;
    uint32_t keys = v->from->key_count;
    uint32_t *start = alloc_ended(keys + (size_t)1, sizeof *start), *heads = alloc_ended(v->count, sizeof *heads);
    uint32_t *end = alloc_ended(keys, sizeof *end);
    for (uint32_t n = keys; n < v->count; n++)
        start[v->all[n].key + 1] += v->all[n].previous == NO_VERSION;
    for (uint32_t key = 0; key < keys; key++) {
        start[key + 1] += start[key];
        end[key] = start[key];
    }
    for (uint32_t n = keys; n < v->count; n++)
        if (v->all[n].previous == NO_VERSION)
            heads[end[v->all[n].key]++] = n;
    for (uint32_t key = 0; key < keys; key++)
        gather_key(c, heads + start[key], end[key] - start[key]);
    free(start);
    free(heads);
    free(end);
}

// Making choices

struct adding {
    struct choices *c;
    uint32_t choice;
    bool only_ask;
    bool fits;
    struct dependency_edge refused; // the edge that does not fit
};

static void add_edge(void *context, const struct dependency_edge *edge)
{
    struct adding *a = context;
    struct dependency_edge own = *edge;
    if (!a->fits)
        return;
    own.choice = a->choice + 1;
    a->fits = a->only_ask ? !moving_order_leads(&a->c->order, own.to, own.from) : moving_order_add(&a->c->order, &own);
    if (!a->fits)
        a->refused = own;
}

static struct adding go_over_edges(struct choices *c, uint32_t choice, int way, bool only_ask)
{
    const struct order_choice *o = &c->all[choice];
    struct adding adding = {.c = c, .choice = choice, .only_ask = only_ask, .fits = true};
    uint32_t before = way ? o->second : o->first, after = way ? o->first : o->second;
    dependencies_of_order(c->d, last_of_chain(c->d->versions, before), after, add_edge, &adding);
    return adding;
}

// The circle that the refused edge would have closed.
static void keep_circle(struct choices *c, const struct adding *adding, struct cycle *cycle)
{
    if (!c->walk)
        c->walk = alloc_ended(c->order.nodes + (size_t)1, sizeof *c->walk);
    c->walk[0] = adding->refused;
    uint32_t count = 1 + moving_order_way(&c->order, adding->refused.to, adding->refused.from, c->walk + 1);
    cycle_from_edges(cycle, c->d, c->walk, count);
}

static bool make(struct choices *c, uint32_t choice, int way)
{
    uint32_t before = c->order.count;
    if (!go_over_edges(c, choice, way, false).fits) {
        moving_order_cut(&c->order, before);
        return false;
    }
    c->all[choice].made = (int8_t)way;
    return true;
}

// The way that the order goes already.
static int likely_way(const struct choices *c, uint32_t choice)
{
    const struct versions *v = c->d->versions;
    uint32_t first = v->all[c->all[choice].first].writer, second = v->all[c->all[choice].second].writer;
    return c->order.position[node_of_end(c->d, first)] > c->order.position[node_of_end(c->d, second)];
}

static bool ran_out(struct choices *c, const struct choices_limits *limits)
{
    if (c->order.visits > MOST_VISITS)
        c->reason = "steps";
    else if (limits->most_tried && c->tried > limits->most_tried)
        c->reason = "places";
    else if (lin_late(limits->deadline))
        c->reason = "time";
    return c->reason;
}

// Makes all that are open, in the given order, as they are likely. The place in the order of the one that did not fit, or
// NONE if all did.
static uint32_t make_all_as_likely(struct choices *c, const struct choices_limits *limits, const uint32_t *turn,
                                   uint32_t *trail)
{
    uint32_t before = c->order.count, i = 0, length = 0;
    for (; i < c->count; i++) {
        if (c->all[turn[i]].made >= 0)
            continue;
        int way = likely_way(c, turn[i]);
        if ((i % LOOK_AT_CLOCK == 0 && ran_out(c, limits)) || (!make(c, turn[i], way) && !make(c, turn[i], !way)))
            break;
        trail[length++] = turn[i];
    }
    if (i == c->count)
        return NONE;
    moving_order_cut(&c->order, before);
    while (length)
        c->all[trail[--length]].made = -1;
    return i;
}

// As they are likely; whatever did not fit goes first the next time.
static bool make_all_in_turn(struct choices *c, const struct choices_limits *limits, uint32_t attempts)
{
    uint32_t *turn = alloc_ended(c->count, sizeof *turn), *trail = alloc_ended(c->count, sizeof *trail);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < c->count; i++)
        turn[i] = i;
    for (; attempts && !c->reason; attempts--) {
        wrong = make_all_as_likely(c, limits, turn, trail);
        if (wrong == NONE)
            break;
        uint32_t first = turn[wrong];
        memmove(turn + 1, turn, wrong * sizeof *turn);
        turn[0] = first;
    }
    free(turn);
    free(trail);
    return !c->count || wrong == NONE;
}

// Forcing

enum forcing { FORCED, OPEN, IMPOSSIBLE };

static enum forcing force_one(struct choices *c, uint32_t choice, bool keep_reasons)
{
    struct adding ways[2];
    for (int way = 0; way < 2; way++) {
        ways[way] = go_over_edges(c, choice, way, true);
        if (!ways[way].fits && keep_reasons)
            keep_circle(c, &ways[way], &c->either_way[way]);
    }
    if (ways[0].fits && ways[1].fits)
        return OPEN;
    if (!ways[0].fits && !ways[1].fits)
        return IMPOSSIBLE;
    int refused = ways[0].fits, left = !refused;
    if (keep_reasons) {
        c->forced = alloc_reserve(c->forced, c->forced_count + (size_t)1, &c->forced_room, sizeof *c->forced);
        c->forced[c->forced_count++] = (struct forced_choice){choice, c->either_way[refused]};
        c->either_way[refused] = (struct cycle){0};
    }
    if (make(c, choice, left))
        return FORCED;
    // Two edges of one choice in a circle: a single one of them would have closed it too.
    return IMPOSSIBLE;
}

// Makes every choice that has one way left, until there is none. `trail` gets them. False: one has none left.
static bool force_all(struct choices *c, const struct choices_limits *limits, uint32_t *trail, uint32_t *length,
                      bool keep_reasons)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < c->count; i++) {
            if (c->all[i].made >= 0)
                continue;
            if (i % LOOK_AT_CLOCK == 0 && ran_out(c, limits))
                return true;
            enum forcing forcing = force_one(c, i, keep_reasons);
            if (forcing == IMPOSSIBLE) {
                c->impossible = i;
                return false;
            }
            if (forcing == FORCED)
                trail[(*length)++] = i;
            changed |= forcing == FORCED;
        }
    }
    return true;
}

// Trying

struct trial {
    uint32_t choice, edges, trail; // what there was before it
    int way;
    bool second; // the other way led nowhere
};

static uint32_t first_open(const struct choices *c)
{
    uint32_t i = 0;
    while (i < c->count && c->all[i].made >= 0)
        i++;
    return i;
}

static void take_back(struct choices *c, const struct trial *t, const uint32_t *trail, uint32_t *length)
{
    while (*length > t->trail)
        c->all[trail[--*length]].made = -1;
    c->all[t->choice].made = -1;
    moving_order_cut(&c->order, t->edges);
}

// The newest trial that has a way left goes that way. False: there is none.
static bool go_back(struct choices *c, struct trial *trials, uint32_t *depth, const uint32_t *trail, uint32_t *length)
{
    while (*depth) {
        struct trial *t = &trials[*depth - 1];
        c->tried++;
        take_back(c, t, trail, length);
        if (!t->second) {
            t->second = true;
            t->way = !t->way;
            if (make(c, t->choice, t->way))
                return true;
            c->tried++;
        }
        --*depth;
    }
    return false;
}

static enum choices_answer try_all(struct choices *c, const struct choices_limits *limits, uint32_t *trail,
                                   uint32_t *length)
{
    struct trial *trials = alloc_ended(c->count, sizeof *trials);
    uint32_t depth = 0;
    enum choices_answer answer = CHOICES_UNKNOWN;
    for (;;) {
        bool fits = force_all(c, limits, trail, length, false);
        if (ran_out(c, limits))
            break;
        uint32_t next = fits ? first_open(c) : NONE;
        if (next == c->count) {
            answer = CHOICES_MADE;
            break;
        }
        if (next != NONE) {
            trials[depth] = (struct trial){next, c->order.count, *length, likely_way(c, next), false};
            if (make(c, next, trials[depth++].way))
                continue;
        }
        if (!go_back(c, trials, &depth, trail, length)) {
            answer = CHOICES_NONE;
            break;
        }
    }
    free(trials);
    return answer;
}

static enum choices_answer make_choices(struct choices *c, const struct choices_limits *limits)
{
    uint32_t *trail = alloc_ended(c->count, sizeof *trail), length = 0;
    enum choices_answer answer = CHOICES_UNKNOWN;
    if (make_all_in_turn(c, limits, 1))
        answer = CHOICES_MADE; // NOLINT(bugprone-branch-clone): what takes long comes last
    else if (!c->reason && !force_all(c, limits, trail, &length, true))
        answer = CHOICES_NONE;
    else if (!c->reason && make_all_in_turn(c, limits, ATTEMPTS))
        answer = CHOICES_MADE;
    else if (!c->reason && c->count > MOST_TRIED)
        c->reason = "choices";
    else if (!c->reason) {
        answer = try_all(c, limits, trail, &length);
        c->impossible = NONE;
    }
    free(trail);
    return answer;
}

enum choices_answer choices_make(struct choices *c, const struct dependencies *d, const int64_t *deadline,
                                 const struct choices_limits *limits)
{
    *c = (struct choices){.d = d, .impossible = NONE};
    moving_order_begin(&c->order, d, deadline);
    if (d->level->isolation != READ_COMMITTED)
        gather(c);
    return make_choices(c, limits);
}

void choices_free(struct choices *c)
{
    for (uint32_t i = 0; i < c->forced_count; i++)
        cycle_free(&c->forced[i].other);
    cycle_free(&c->either_way[0]);
    cycle_free(&c->either_way[1]);
    moving_order_end(&c->order);
    free(c->forced);
    free(c->walk);
    free(c->all);
    *c = (struct choices){0};
}
