#include "model/exec.h"

#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "base/shared_lock.h"

// Clocks and log entries an execution may make per event, on average; creating and joining make some without events.
enum { CLOCKS_PER_EVENT = 3, LANES_AT_FIRST = 4, LOG_PER_EVENT = 16 };

static uint64_t lanes_limit(uint32_t limit)
{
    uint64_t lanes = ((uint64_t)limit + 4096) * CLOCKS_PER_EVENT * MAX_ACTORS; // only what is used takes memory
    return lanes < UINT32_MAX ? lanes : UINT32_MAX;
}

static size_t log_limit(uint32_t limit)
{
    return ((size_t)limit + 4096) * LOG_PER_EVENT;
}

void exec_init(struct exec *x, uint32_t limit, uint32_t objects)
{
    memset(x, 0, sizeof *x);
    x->limit = limit;
    x->events = mem_reserve(((size_t)limit + 1) * sizeof *x->events);
    x->object_limit = objects;
    x->objects = mem_reserve((size_t)objects * sizeof *x->objects);
    x->log = mem_reserve(log_limit(limit) * sizeof *x->log);
    clock_pool_init(&x->clocks, LANES_AT_FIRST, (uint32_t)lanes_limit(limit));
    x->known = 1;
    x->live = 1;
    x->actors[0].state = ACTOR_WAITING;
    x->actors[0].last = NO_EVENT;
}

void exec_free(struct exec *x)
{
    mem_release(x->events, ((size_t)x->limit + 1) * sizeof *x->events);
    mem_release(x->objects, (size_t)x->object_limit * sizeof *x->objects);
    mem_release(x->log, log_limit(x->limit) * sizeof *x->log);
    clock_pool_free(&x->clocks);
}

// Changes a word so that exec_cut can change it back. A thread that is alone can go on for millions of locks without an
// event, and the log must not grow with them.
static IN_PLACE void set(struct exec *x, uint32_t *where, uint32_t value)
{
    if (*where == value)
        return;
    require_room(x->logged < log_limit(x->limit), "what threads do between two events of one execution");
    struct exec_log *entry = &x->log[x->logged++];
    entry->where = where;
    entry->old = *where;
    *where = value;
}

// The first event keeps how many there were in front of it; from then on cutting back finds the number there.
static IN_PLACE void set_live(struct exec *x, uint32_t live)
{
    if (x->count)
        x->live = live;
    else
        set(x, &x->live, live);
}

// Whether the newest event is the actor's and on this object, so that it has kept what the object passed on before.
static IN_PLACE bool has_kept_passed(const struct exec *x, uint32_t actor, uint32_t object)
{
    const struct event *newest = &x->events[x->count - 1];
    return exec_is_under_way(x, actor) && newest->object == object && newest->effect != EFFECT_NONE &&
           newest->effect != EFFECT_ALL;
}

static IN_PLACE void set_state(struct exec *x, uint32_t actor, enum actor_state state)
{
    struct actor *a = &x->actors[actor];
    if (exec_is_under_way(x, actor)) // its event knows that it was parked
        a->state = state;
    else
        set(x, &a->state, state);
    uint64_t bit = 1ull << (actor % 64);
    if (state == ACTOR_PARKED)
        x->parked[actor / 64] |= bit;
    else
        x->parked[actor / 64] &= ~bit;
}

// `actor` comes to know what `clock` knows.
static IN_PLACE void learn(struct exec *x, uint32_t actor, clock_id clock)
{
    struct actor *a = &x->actors[actor];
    const clock_id known = a->clock;
    uint32_t mark = x->count ? x->events[x->count - 1].clock_mark : 0;
    if (known && a->own == known && known >= mark) {
        clock_join(&x->clocks, known, clock);
    } else { // cutting back could not undo what another event had made
        set(x, &a->clock, clock_joined(&x->clocks, known, clock));
        a->own = a->clock;
    }
}

static RARE void learn_all(struct exec *x, uint32_t actor)
{
    for (uint32_t i = 0; i < x->unlearnt_count; i++)
        learn(x, actor, x->unlearnt[i]);
    x->unlearnt_count = 0;
}

// The clock of the running actor is about to be used, or others are about to run.
static IN_PLACE void need_clock(struct exec *x, uint32_t actor)
{
    if (unlikely(x->unlearnt_count))
        learn_all(x, actor);
}

void exec_learn(struct exec *x, uint32_t actor, clock_id clock)
{
    need_clock(x, actor);
    learn(x, actor, clock);
}

void exec_join(struct exec *x, uint32_t actor, uint32_t other)
{
    if (x->live == 1) // nobody else can have anything to do with it meanwhile
        x->unlearnt[x->unlearnt_count++] = x->actors[other].clock;
    else
        learn(x, actor, x->actors[other].clock);
}

static uint32_t find_actor(const struct exec *x, uint32_t parent, uint32_t number, uint32_t from)
{
    uint32_t id = from;
    while (id < x->known && (x->actors[id].parent != parent || x->actors[id].number != number))
        id++;
    return id;
}

static void add_actor(struct exec *x, uint32_t parent, uint32_t number)
{
    uint32_t id = x->known++;
    x->actors[id].parent = parent;
    x->actors[id].number = number;
}

// What others have come across meanwhile, then the new one unless it is among them: everybody has the same, and a part of it.
static uint32_t identify_for_all(struct exec *x, uint32_t parent, uint32_t number)
{
    struct identities *all = x->identities;
    uint32_t from = x->known;
    shared_lock(&all->lock);
    for (uint32_t id = from; id < all->count; id++)
        add_actor(x, all->actor[id].parent, all->actor[id].number);
    uint32_t id = find_actor(x, parent, number, from);
    if (id == x->known && id < MAX_ACTORS) {
        all->actor[id].parent = parent;
        all->actor[id].number = number;
        all->count = id + 1;
        add_actor(x, parent, number);
    }
    shared_unlock(&all->lock);
    return id;
}

uint32_t exec_identify(struct exec *x, uint32_t parent, uint32_t number)
{
    uint32_t id = find_actor(x, parent, number, 1);
    if (id < x->known)
        return id;
    if (x->identities)
        id = identify_for_all(x, parent, number);
    else if (x->known < MAX_ACTORS)
        add_actor(x, parent, number);
    clock_pool_widen(&x->clocks, x->known);
    return id;
}

static void begin(struct exec *x, uint32_t parent, struct actor *a)
{
    need_clock(x, parent);
    set(x, &a->state, ACTOR_WAITING);
    x->actors[parent].own = a->own = 0;
    set(x, &a->clock, x->actors[parent].clock);
    set_live(x, x->live + 1);
}

void exec_create_again(struct exec *x, uint32_t parent, uint32_t actor)
{
    begin(x, parent, &x->actors[actor]);
}

uint32_t exec_create(struct exec *x, uint32_t parent)
{
    uint32_t id = exec_identify(x, parent, x->actors[parent].children);
    if (id == MAX_ACTORS)
        return id;
    struct actor *a = &x->actors[id];
    begin(x, parent, a);
    set(x, &x->actors[parent].children, x->actors[parent].children + 1);
    a->last = NO_EVENT;
    a->events = 0;
    set(x, &a->children, 0);
    return id;
}

void exec_park_another(struct exec *x, uint32_t actor, struct op op)
{
    struct actor *a = &x->actors[actor];
    uint32_t words[2];
    memcpy(words, &op, sizeof words);
    need_clock(x, actor);
    set(x, (uint32_t *)&a->pending, words[0]);
    set(x, (uint32_t *)&a->pending + 1, words[1]);
    set_state(x, actor, ACTOR_PARKED);
}

void exec_leave(struct exec *x, uint32_t actor, enum actor_state state)
{
    if (state == ACTOR_ENDED)
        set_live(x, x->live - 1);
    else
        need_clock(x, actor);
    set_state(x, actor, state);
}

void exec_release(struct exec *x, uint32_t actor, uint32_t object)
{
    need_clock(x, actor);
    x->actors[actor].own = 0;
    if (has_kept_passed(x, actor, object))
        x->objects[object].released = x->actors[actor].clock;
    else
        set(x, &x->objects[object].released, x->actors[actor].clock);
}

void exec_release_shared(struct exec *x, uint32_t actor, uint32_t object)
{
    need_clock(x, actor);
    clock_id joined = clock_copy(&x->clocks, x->objects[object].shared);
    clock_join(&x->clocks, joined, x->actors[actor].clock);
    set(x, &x->objects[object].shared, joined);
}

void exec_hold(struct exec *x, uint32_t object, uint32_t event)
{
    set(x, &x->objects[object].holder, event + 1);
}

void exec_share(struct exec *x, uint32_t object, uint32_t event)
{
    set(x, &x->objects[object].taken, event + 1);
}

// Puts the event into its object's groups.
static IN_PLACE void enter_group(struct event *e, uint32_t number, struct object *o)
{
    const uint32_t group = o->group, conflicts = o->conflicts, effect = o->effect;
    e->old = o->now;
    e->old_passed = o->passed;
    e->old_effect = (uint16_t)effect;
    o->group = number;
    if (effect == e->effect && effect != EFFECT_WRITE) {
        e->peer = group;
        e->conflicts = conflicts;
        return;
    }
    uint32_t before = effect == EFFECT_NONE ? NO_EVENT : group;
    e->peer = NO_EVENT;
    e->conflicts = before;
    o->conflicts = before;
    o->effect = e->effect;
}

// What it knows besides what its actor knew: the group it depends on.
static IN_PLACE clock_id learn_group(struct exec *x, const struct event *e)
{
    if (e->conflicts == NO_EVENT)
        return clock_copy(&x->clocks, e->before);
    const struct event *newest = &x->events[e->conflicts];
    clock_id clock = clock_joined(&x->clocks, e->before, newest->clock);
    for (uint32_t c = newest->peer; c != NO_EVENT; c = x->events[c].peer)
        clock_join(&x->clocks, clock, x->events[c].clock);
    return clock;
}

// Whether the actor has changed the event's object before.
static bool changed_before(const struct exec *x, const struct event *e)
{
    for (uint32_t i = e->old_last; i != NO_EVENT; i = x->events[i].old_last)
        if (x->events[i].object == e->object && x->events[i].effect == EFFECT_WRITE)
            return true;
    return false;
}

// An event that knows only its source.
static RARE clock_id learn_source(struct exec *x, struct event *e)
{
    e->looks = exec_is_on_object(e) && (!op_table[e->kind].blind || (e->op.looks && changed_before(x, e)));
    uint32_t source = e->looks ? exec_source(e) : NO_EVENT;
    if (source == NO_EVENT)
        return clock_copy(&x->clocks, e->before);
    return clock_joined(&x->clocks, e->before, x->events[source].clock);
}

// The event takes its object: it depends on whoever took it last, and knows what those knew who let it go.
static IN_PLACE clock_id take_object(struct exec *x, struct event *e, uint32_t number, struct object *o)
{
    const bool shares = op_table[e->kind].shares;
    const uint32_t holder = o->holder, taken = o->taken;
    e->conflicts = (shares ? taken : holder) - 1; // 0 becomes NO_EVENT
    if (e->effect == EFFECT_WRITE) {
        o->taken = number + 1;
        o->holder = shares ? holder : number + 1;
    }
    clock_id clock = clock_joined(&x->clocks, e->before, o->released);
    if (unlikely(o->shared) && !shares)
        clock_join(&x->clocks, clock, o->shared);
    return clock;
}

static RARE clock_id learn_everything(struct exec *x, const struct event *e)
{
    clock_id clock = clock_copy(&x->clocks, e->before);
    for (uint32_t other = 0; other < x->known; other++)
        if (x->actors[other].state != ACTOR_ABSENT)
            clock_join(&x->clocks, clock, x->actors[other].clock);
    return clock;
}

// Of an event that depends on all others, or on none.
static RARE clock_id learn_otherwise(struct exec *x, struct event *e)
{
    e->conflicts = e->peer = NO_EVENT;
    return e->effect == EFFECT_ALL ? learn_everything(x, e) : clock_copy(&x->clocks, e->before);
}

uint32_t exec_append(struct exec *x, uint32_t actor, enum effect effect, uint32_t alternative)
{
    const uint32_t number = x->count;
    require(number < x->limit);
    struct actor *a = &x->actors[actor];
    struct event *e = &x->events[number];
    __asm__("" : "+r"(a), "+r"(e)); // or their addresses would be computed anew at each use
    struct op op = a->pending;
    op.idle = false;
    const uint32_t index = a->events + 1;
    e->op = op;
    e->alternative = (uint16_t)alternative;
    e->actor = (uint16_t)actor;
    e->index = index;
    e->effect = (uint8_t)effect;
    e->looks = true;
    e->clock_mark = x->clocks.count;
    e->log_mark = x->logged;
    e->old_parked = x->parked[0];
    e->old_live = x->live;
    e->before = a->clock;
    e->old_last = a->last;
    clock_id clock;
    if (unlikely(effect == EFFECT_ALL || effect == EFFECT_NONE)) {
        clock = learn_otherwise(x, e);
    } else {
        struct object *o = &x->objects[op.object];
        enter_group(e, number, o);
        clock = op_table[op.kind].takes   ? take_object(x, e, number, o)
                : unlikely(x->by_sources) ? learn_source(x, e)
                                          : learn_group(x, e);
    }
    clock_lanes(&x->clocks, clock)[actor] = index;
    e->clock = clock;
    a->clock = clock;
    a->own = 0;
    a->last = number;
    a->events = index;
    a->state = ACTOR_WAITING;
    x->count = number + 1;
    x->under_way = actor + 1;
    x->parked[actor / 64] &= ~(1ull << (actor % 64));
    return number;
}

static void undo_log(struct exec *x, uint32_t mark)
{
    while (x->logged > mark) {
        struct exec_log *entry = &x->log[--x->logged];
        *entry->where = entry->old;
    }
}

void exec_cut(struct exec *x, uint32_t count)
{
    if (count >= x->count)
        return;
    x->unlearnt_count = 0;
    while (x->count > count) {
        struct event *e = &x->events[--x->count];
        undo_log(x, e->log_mark);
        if (e->effect != EFFECT_NONE && e->effect != EFFECT_ALL) {
            struct object *o = &x->objects[e->object];
            o->now = e->old;
            o->passed = e->old_passed;
            o->effect = e->old_effect;
        }
        struct actor *a = &x->actors[e->actor];
        a->pending = e->op;
        a->state = ACTOR_PARKED;
        a->clock = e->before;
        a->own = 0;
        a->last = e->old_last;
        a->events--;
    }
    x->under_way = count ? x->events[count - 1].actor + 1u : 0;
    x->clocks.count = x->events[count].clock_mark;
    x->parked[0] = x->events[count].old_parked;
    x->live = x->events[count].old_live;
    for (uint32_t id = 64; id < x->known; id++) {
        uint64_t bit = 1ull << (id % 64);
        if (x->actors[id].state == ACTOR_PARKED)
            x->parked[id / 64] |= bit;
        else
            x->parked[id / 64] &= ~bit;
    }
}

void exec_by_sources(struct exec *x, bool on)
{
    require(!on || !x->count);
    x->by_sources = on;
}

void exec_restart(struct exec *x)
{
    exec_cut(x, 0);
    x->unlearnt_count = 0;
    undo_log(x, 0);
    memset(x->parked, 0, sizeof x->parked);
    x->clocks.count = 1;
}

// Writes the members of a group to `out`, newest first.
static uint32_t members(const struct exec *x, uint32_t newest, uint32_t *out)
{
    uint32_t n = 0;
    for (uint32_t c = newest; c != NO_EVENT; c = x->events[c].peer)
        out[n++] = c;
    return n;
}

static uint32_t last_events(const struct exec *x, uint32_t but, uint32_t *out)
{
    uint32_t n = 0;
    for (uint32_t id = 0; id < x->known; id++)
        if (id != but && x->actors[id].state != ACTOR_ABSENT && x->actors[id].last != NO_EVENT)
            out[n++] = x->actors[id].last;
    return n;
}

// Drops the candidates that happen before another candidate: they are not adjacent to the event that follows.
static uint32_t keep_adjacent(const struct exec *x, uint32_t *candidates, uint32_t n)
{
    if (n < 2)
        return n;
    uint32_t below[MAX_ACTORS]; // what some candidate knows, itself left out
    lanes_copy(&x->clocks, below, 0);
    for (uint32_t i = 0; i < n; i++) {
        const struct event *g = &x->events[candidates[i]];
        uint32_t own = below[g->actor] > g->index - 1 ? below[g->actor] : g->index - 1;
        lanes_join(&x->clocks, below, g->clock);
        below[g->actor] = own;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct event *e = &x->events[candidates[i]];
        if (below[e->actor] < e->index)
            candidates[kept++] = candidates[i];
    }
    return kept;
}

uint32_t exec_races(const struct exec *x, uint32_t event, uint32_t *races)
{
    const struct event *c = &x->events[event];
    uint32_t n;
    if (c->effect == EFFECT_ALL) {
        n = last_events(x, c->actor, races);
    } else if (op_table[c->kind].takes) { // only whoever took it last; the peers of that event are something else
        races[0] = c->conflicts;
        n = c->conflicts != NO_EVENT;
    } else {
        n = members(x, c->conflicts, races);
        n = keep_adjacent(x, races, n);
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct event *e = &x->events[races[i]];
        if (e->actor != c->actor && !clock_knows(x, c->before, e))
            races[kept++] = races[i];
    }
    return c->effect == EFFECT_ALL ? keep_adjacent(x, races, kept) : kept;
}

uint32_t exec_pending_race(const struct exec *x, uint32_t actor, bool could_run)
{
    const struct actor *a = &x->actors[actor];
    bool over = x->count && x->events[x->count - 1].effect == EFFECT_ALL;
    uint32_t candidate = NO_EVENT;
    if (over && could_run) {
        candidate = x->count - 1;
    } else if (op_table[a->pending.kind].takes) {
        const struct object *o = &x->objects[a->pending.object];
        candidate = (op_table[a->pending.kind].shares ? o->taken : o->holder) - 1; // 0 becomes NO_EVENT
    }
    if (candidate == NO_EVENT || x->events[candidate].actor == actor || clock_knows(x, a->clock, &x->events[candidate]))
        return NO_EVENT;
    return candidate;
}
