#include "explore/seen.h"

#include "base/mem.h"

struct hash {
    uint64_t low, high;
};

// What an object's events so far amount to. Those of the newest group commute, so theirs are only added up.
struct digest {
    struct hash before; // everything before the newest group
    struct hash group;
    uint64_t effect; // of the newest group
};

// What following one event overwrote.
struct change {
    uint32_t actor, object;
    struct hash history, trace;
    struct digest digest;
};

// That a state was tried with so many preemptions left.
struct entry {
    struct hash key;
    uint64_t left; // plus 1; 0: free
};

enum { ENTRIES_AT_FIRST = 1 << 12, MOST_ENTRIES = 1 << 22, PROBES = 4 };

struct seen {
    const struct exec *exec;
    uint32_t followed; // events
    struct hash trace; // of all events followed
    struct hash history[MAX_ACTORS];
    struct digest *digests; // by object
    struct change *changes; // by event
    struct entry *table;
    uint64_t entries, used; // the table grows when it is half full, up to MOST_ENTRIES
};

static uint64_t scramble(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static struct hash add(struct hash a, struct hash b)
{
    return (struct hash){a.low + b.low, a.high + b.high};
}

static struct hash mix(struct hash a, struct hash b)
{
    return (struct hash){scramble(a.low * 0x9e3779b97f4a7c15u + b.low + 0x632be59bd9b4e019u),
                         scramble(a.high * 0xd1342543de82ef95u + b.high + 0x2545f4914f6cdd1du)};
}

static struct hash word(uint64_t w)
{
    return (struct hash){w, ~w};
}

struct seen *seen_new(const struct exec *exec)
{
    struct seen *s = mem_reserve(sizeof *s);
    s->exec = exec;
    s->digests = mem_reserve(exec->object_limit * sizeof *s->digests);
    s->changes = mem_reserve((exec->limit + 1ull) * sizeof *s->changes);
    s->entries = ENTRIES_AT_FIRST;
    s->table = mem_reserve(s->entries * sizeof *s->table);
    return s;
}

void seen_free(struct seen *s)
{
    mem_release(s->digests, s->exec->object_limit * sizeof *s->digests);
    mem_release(s->changes, (s->exec->limit + 1ull) * sizeof *s->changes);
    mem_release(s->table, s->entries * sizeof *s->table);
    mem_release(s, sizeof *s);
}

static bool has_object(const struct event *e)
{
    return e->effect != EFFECT_NONE && e->effect != EFFECT_ALL;
}

static void append(struct seen *s, const struct event *e)
{
    struct digest *d = &s->digests[e->object];
    s->changes[s->followed++] = (struct change){e->actor, e->object, s->history[e->actor], s->trace, *d};
    uint64_t what = e->actor | (uint64_t)e->kind << 16 | (uint64_t)e->effect << 24 | (uint64_t)e->alternative << 32;
    struct hash hash = mix(s->history[e->actor], word(what));
    if (has_object(e)) {
        if (d->effect != e->effect || e->effect == EFFECT_WRITE)
            *d = (struct digest){mix(d->before, d->group), {0, 0}, e->effect};
        hash = mix(mix(hash, word(e->object)), d->before);
        d->group = add(d->group, hash);
    }
    s->history[e->actor] = hash;
    s->trace = add(s->trace, hash);
}

static void cut(struct seen *s)
{
    const struct change *c = &s->changes[--s->followed];
    s->history[c->actor] = c->history;
    s->trace = c->trace;
    s->digests[c->object] = c->digest;
}

void seen_follow(struct seen *s)
{
    while (s->followed > s->exec->count)
        cut(s);
    while (s->followed < s->exec->count)
        append(s, &s->exec->events[s->followed]);
}

uint64_t seen_trace(const struct seen *s)
{
    return s->trace.low;
}

// The entry of this key, a free one, or one that gives way.
static struct entry *find(struct seen *s, struct hash key)
{
    for (uint64_t i = 0; i < PROBES; i++) {
        struct entry *e = &s->table[(key.low + i) % s->entries];
        if (!e->left || (e->key.low == key.low && e->key.high == key.high))
            return e;
    }
    return &s->table[key.low % s->entries];
}

static bool known(const struct entry *e, struct hash key, uint32_t left)
{
    return e->key.low == key.low && e->key.high == key.high && e->left > left;
}

static void grow(struct seen *s)
{
    struct entry *old = s->table;
    uint64_t count = s->entries;
    s->entries *= 4;
    s->table = mem_reserve(s->entries * sizeof *s->table);
    for (uint64_t i = 0; i < count; i++)
        if (old[i].left)
            *find(s, old[i].key) = old[i];
    mem_release(old, count * sizeof *old);
}

static void put(struct seen *s, struct hash key, uint32_t left)
{
    struct entry *e = find(s, key);
    if (known(e, key, left))
        return;
    s->used += !e->left;
    *e = (struct entry){key, left + 1ull};
    if (s->used > s->entries / 2 && s->entries < MOST_ENTRIES)
        grow(s);
}

// With one preemption more it does not matter who ran last: so each state has two entries, one for this actor and one
// for any.
bool seen_before(struct seen *s, uint32_t round, uint32_t last, uint32_t left)
{
    struct hash state = mix(s->trace, word(round));
    struct hash own = mix(state, word(last)), any = mix(state, word(MAX_ACTORS));
    if (known(find(s, any), any, left) || known(find(s, own), own, left))
        return true;
    if (last == MAX_ACTORS || left)
        put(s, any, last == MAX_ACTORS ? left : left - 1);
    if (last != MAX_ACTORS)
        put(s, own, left);
    return false;
}
