#include "explore/pairs.h"

#include "base/mem.h"

enum { ITEMS = 1 << 19, SPOT_SLOTS = MOST_SPOTS * 2, NEVER = 0, COUNTERS = 1 << 12, SUCCESSIONS = 1 << 14 };

// Something that an execution can cover.
struct item {
    uint64_t key; // NEVER: free
    uint32_t hits;
    uint32_t run; // the last in which it was seen
};

// What following one event overwrote.
struct change {
    uint32_t actor, object;
    uint32_t old_last;
    uint32_t old_look;
    uint32_t counter; // plus 1; 0: none
    uint64_t old_pair;
};

struct pairs {
    struct target *target;
    const struct exec *exec;
    uint32_t followed;           // events
    struct change *changes;      // by event
    uint32_t *at;                // by event: its spot
    uint32_t *last;              // by object: the spot that changed it last
    uint32_t *spots_of;          // by object: the newest of its spots
    uint64_t pair[MAX_ACTORS];   // the last that the actor had …
    uint32_t look[MAX_ACTORS];   // … and the spot at which it looked
    uint32_t counters[COUNTERS]; // how often an actor had a pair, by a hash of both
    struct {
        uint32_t look, next;
    } successions[SUCCESSIONS];
    uint32_t succession_count;
    struct spot spots[MOST_SPOTS];
    uint32_t spot_count;
    uint32_t slots[SPOT_SLOTS]; // spots by their hashes
    struct item *items;
    uint64_t used;
    struct pairs_count count;
    uint32_t run, news, newest;
};

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t z = a * 0x9e3779b97f4a7c15u + b + 0x632be59bd9b4e019u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

struct pairs *pairs_new(struct target *target)
{
    struct pairs *p = mem_reserve(sizeof *p);
    const struct exec *x = target->exec;
    p->target = target;
    p->exec = x;
    p->changes = mem_reserve((x->limit + 1ull) * sizeof *p->changes);
    p->at = mem_reserve((x->limit + 1ull) * sizeof *p->at);
    p->last = mem_reserve(x->object_limit * sizeof *p->last);
    p->spots_of = mem_reserve(x->object_limit * sizeof *p->spots_of);
    p->items = mem_reserve(ITEMS * sizeof *p->items);
    p->run = 1;
    return p;
}

void pairs_free(struct pairs *p)
{
    const struct exec *x = p->exec;
    mem_release(p->changes, (x->limit + 1ull) * sizeof *p->changes);
    mem_release(p->at, (x->limit + 1ull) * sizeof *p->at);
    mem_release(p->last, x->object_limit * sizeof *p->last);
    mem_release(p->spots_of, x->object_limit * sizeof *p->spots_of);
    mem_release(p->items, ITEMS * sizeof *p->items);
    mem_release(p, sizeof *p);
}

// ---- spots ----

static uint32_t new_spot(struct pairs *p, uint32_t *slot, const struct op *op, uint64_t code)
{
    const struct op_info *info = &op_table[op->kind];
    uint32_t number = ++p->spot_count;
    p->spots[number] = (struct spot){.object = op->object,
                                     .kind = op->kind,
                                     .looks = !info->blind,
                                     .changes = info->at_most > EFFECT_READ,
                                     .other = p->spots_of[op->object],
                                     .code = code};
    p->spots_of[op->object] = number;
    *slot = number;
    return number;
}

static uint32_t find_spot(struct pairs *p, const struct op *op, uint64_t code)
{
    uint64_t key = mix(mix(op->kind, op->object), code);
    for (uint32_t i = 0;; i++) {
        uint32_t *slot = &p->slots[(key + i) % SPOT_SLOTS];
        const struct spot *s = &p->spots[*slot];
        if (!*slot)
            return p->spot_count + 1 < MOST_SPOTS ? new_spot(p, slot, op, code) : NOBODY;
        if (s->kind == op->kind && s->object == op->object && s->code == code)
            return *slot;
    }
}

uint32_t pairs_pending(struct pairs *p, uint32_t actor)
{
    const struct actor *a = &p->exec->actors[actor];
    uint32_t at_most = op_table[a->pending.kind].at_most;
    if (!a->pending.object || at_most == EFFECT_NONE || at_most == EFFECT_ALL)
        return NOBODY;
    uint64_t code = p->target->code_place ? p->target->code_place(p->target, actor) : 0;
    return find_spot(p, &a->pending, code);
}

void pairs_step(struct pairs *p, uint32_t actor)
{
    p->at[p->exec->count] = pairs_pending(p, actor);
}

uint32_t pairs_last_change(const struct pairs *p, uint32_t object)
{
    return p->last[object];
}

uint32_t pairs_spots(const struct pairs *p)
{
    return p->spot_count;
}

uint32_t pairs_first_spot(const struct pairs *p, uint32_t object)
{
    return p->spots_of[object];
}

const struct spot *pairs_spot(const struct pairs *p, uint32_t number)
{
    return &p->spots[number];
}

// ---- what was covered ----

static struct item *find_item(const struct pairs *p, uint64_t key)
{
    key |= 1;
    for (uint64_t i = 0;; i++) {
        struct item *item = &p->items[((key >> 1) + i) % ITEMS];
        if (item->key == NEVER || item->key == key)
            return item;
    }
}

static uint64_t pair_key(uint32_t change, uint32_t look)
{
    return mix(change, look);
}

bool pairs_covers(const struct pairs *p, uint32_t change, uint32_t look)
{
    return find_item(p, pair_key(change, look))->key != NEVER;
}

// Whether it is new. Each counts once in an execution.
static bool cover(struct pairs *p, uint64_t key, struct item **found)
{
    struct item *item = *found = find_item(p, key);
    bool is_new = item->key == NEVER;
    if (is_new && p->used >= ITEMS / 4 * 3ull) {
        p->count.full = true;
        *found = NULL;
        return false;
    }
    if (is_new) {
        item->key = key | 1;
        p->used++;
    } else if (item->run == p->run) {
        *found = NULL;
        return false;
    }
    item->hits++;
    item->run = p->run;
    return is_new;
}

static void count_pair(struct pairs_count *c, uint32_t hits)
{
    c->all += hits == 1;
    c->once += hits == 1;
    c->once -= hits == 2;
    c->twice += hits == 2;
    c->twice -= hits == 3;
}

// How often is told exactly for small numbers, and by its magnitude for others.
static uint32_t magnitude(uint32_t times)
{
    return times < 8 ? times : 8 + (31 - (uint32_t)__builtin_clz(times));
}

static void note_succession(struct pairs *p, uint32_t look, uint32_t next)
{
    struct item *item;
    if (cover(p, mix(mix(look, next), SUCCESSIONS), &item) && p->succession_count < SUCCESSIONS) {
        p->successions[p->succession_count].look = look;
        p->successions[p->succession_count++].next = next;
    }
}

// How often the object was changed since the actor last looked at it, up to a few times.
static uint32_t staleness(struct pairs *p, const struct event *e)
{
    enum { FEW = 4 };
    uint32_t since = 0, at = p->followed;
    for (uint32_t steps = 0; at-- > 0 && steps < 64 && since < FEW; steps++) {
        const struct event *old = &p->exec->events[at];
        if (old->object != e->object)
            continue;
        if (old->actor == e->actor)
            break;
        since += old->effect == EFFECT_WRITE;
    }
    return since;
}

// The actor has looked at what `change` left. Covered are the pair, the pair after the one before, since what an actor sees
// often depends on what it saw before, and how often the actor had it, since a loop may have to go round so often.
static uint32_t see(struct pairs *p, const struct event *e, uint32_t change, uint32_t look)
{
    const uint32_t actor = e->actor;
    struct item *item;
    uint64_t key = pair_key(change, look);
    uint32_t fresh = cover(p, key, &item), counter = mix(actor, key) % COUNTERS;
    if (item)
        count_pair(&p->count, item->hits);
    fresh += cover(p, mix(p->pair[actor], key), &item);
    fresh += cover(p, mix(key, magnitude(++p->counters[counter]) + MOST_SPOTS), &item);
    fresh += cover(p, mix(mix(key, e->effect), staleness(p, e) + 2ull * MOST_SPOTS), &item);
    if (p->look[actor])
        note_succession(p, p->look[actor], look);
    p->pair[actor] = key;
    p->look[actor] = look;
    p->news += fresh;
    if (fresh)
        p->newest = p->followed;
    return counter + 1;
}

bool pairs_covers_both(const struct pairs *p, uint32_t change, uint32_t look, uint32_t next_change, uint32_t next_look)
{
    return find_item(p, mix(pair_key(change, look), pair_key(next_change, next_look)))->key != NEVER;
}

uint32_t pairs_successions(const struct pairs *p)
{
    return p->succession_count;
}

void pairs_succession(const struct pairs *p, uint32_t number, uint32_t *look, uint32_t *next_look)
{
    *look = p->successions[number].look;
    *next_look = p->successions[number].next;
}

uint32_t pairs_news(const struct pairs *p)
{
    return p->news;
}

uint32_t pairs_newest(const struct pairs *p)
{
    return p->newest;
}

void pairs_end(struct pairs *p)
{
    p->news = p->newest = 0;
    p->run++;
}

struct pairs_count pairs_count(const struct pairs *p)
{
    return p->count;
}

// ---- the execution at hand ----

static void append(struct pairs *p, const struct event *e, uint32_t spot)
{
    struct change *c = &p->changes[p->followed];
    *c = (struct change){e->actor, e->object, p->last[e->object], p->look[e->actor], 0, p->pair[e->actor]};
    if (spot && p->spots[spot].looks)
        c->counter = see(p, e, p->last[e->object], spot);
    if (spot && (e->effect == EFFECT_WRITE || e->effect == EFFECT_ADD))
        p->last[e->object] = spot;
    p->followed++;
}

static void cut(struct pairs *p)
{
    const struct change *c = &p->changes[--p->followed];
    p->pair[c->actor] = c->old_pair;
    p->look[c->actor] = c->old_look;
    p->last[c->object] = c->old_last;
    if (c->counter)
        p->counters[c->counter - 1]--;
}

void pairs_follow(struct pairs *p)
{
    while (p->followed > p->exec->count)
        cut(p);
    while (p->followed < p->exec->count)
        append(p, &p->exec->events[p->followed], p->at[p->followed]);
}
