#include "explore/closed_states.h"

#include <sys/mman.h>

enum { FIRST_BITS = 14, GROWTH_BITS = 2, TABLES = 9, SPINS = 1 << 14 };
enum { KIND = 3, VOID = 4, AGE_SHIFT = 3 }; // of a mark. Void: the state stands in an earlier table, too
#define FUTURE_WORDS (1ull << 27)

struct closed_entry {
    uint64_t low, high; // low: 0 if the place is free
    uint32_t mark;      // 0 until the rest is there; then enum state_mark with the bits below
    uint32_t future;    // where it stands among the words, plus FUTURE_ANY + 1; or FUTURE_EMPTY, FUTURE_ANY
    struct state_tally tally;
};

struct closed_states {
    uint64_t room;              // in tables, at most
    uint64_t used[TABLES];      // places that were claimed
    uint64_t count, dropped;    // states that were closed, and those for which there was no room
    uint64_t words_used;        // of futures
    volatile uint32_t finished; // the age whose search is over, plus 1
    struct state_tally before;  // what that one counts before its first state
    bool begun_elsewhere;       // … or somebody else does
    struct closed_entry *table[TABLES];
    uint64_t *words;
};

static uint64_t slots_of(uint32_t table)
{
    return 1ull << (FIRST_BITS + table * GROWTH_BITS);
}

static void *map_shared(uint64_t bytes)
{
    void *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return start == MAP_FAILED ? NULL : start;
}

struct closed_states *closed_states_new(uint64_t bytes)
{
    struct closed_states *c = map_shared(sizeof *c);
    if (!c || !(c->words = map_shared(FUTURE_WORDS * sizeof *c->words)))
        return NULL;
    uint64_t total = 0;
    for (uint32_t i = 0; i < TABLES; i++) {
        total += slots_of(i) * sizeof *c->table[i];
        if (i && bytes && total > bytes)
            break;
        c->table[i] = map_shared(slots_of(i) * sizeof *c->table[i]);
        if (!c->table[i])
            break;
        c->room++;
    }
    return c->room ? c : NULL;
}

// The name of a state in the set. Two that differ in their ages differ.
static struct fingerprint name_of(struct fingerprint key, uint32_t age)
{
    fingerprint_mix(&key, age);
    key.low += !key.low;
    return key;
}

static uint64_t home_of(struct fingerprint name, uint32_t table)
{
    return (name.low ^ name.high >> 7) & (slots_of(table) - 1);
}

static bool is_full(const struct closed_states *c, uint32_t table)
{
    return __atomic_load_n(&c->used[table], __ATOMIC_RELAXED) >= slots_of(table) / 4 * 3;
}

// ---- futures ----

// A future in words of its own: how many operations, and each of them.
static uint32_t write_future(struct closed_states *c, struct futures *futures, uint32_t set)
{
    if (!futures || set <= FUTURE_ANY)
        return set;
    uint32_t known = futures_shared_name(futures, set);
    if (known)
        return known;
    uint32_t count = futures_count(futures, set);
    uint64_t at = __atomic_fetch_add(&c->words_used, count + 1ull, __ATOMIC_RELAXED);
    if (at + count + 1 > FUTURE_WORDS)
        return FUTURE_ANY;
    c->words[at] = count;
    futures_write(futures, set, c->words + at + 1);
    known = (uint32_t)at + FUTURE_ANY + 1;
    futures_name(futures, set, known);
    return known;
}

static uint32_t read_future(const struct closed_states *c, struct futures *futures, uint32_t name)
{
    if (!futures || name <= FUTURE_ANY)
        return name;
    uint32_t set = futures_named(futures, name);
    if (set)
        return set;
    const uint64_t *words = c->words + (name - FUTURE_ANY - 1);
    set = futures_read(futures, words + 1, (uint32_t)words[0]);
    futures_name(futures, set, name);
    return set;
}

// ---- states ----

static struct closed_entry *look_up(const struct closed_states *c, uint32_t table, struct fingerprint name)
{
    const uint64_t mask = slots_of(table) - 1;
    for (uint64_t at = home_of(name, table);; at = (at + 1) & mask) {
        struct closed_entry *e = &c->table[table][at];
        uint64_t low = __atomic_load_n(&e->low, __ATOMIC_ACQUIRE);
        if (!low)
            return NULL;
        if (low == name.low && __atomic_load_n(&e->mark, __ATOMIC_ACQUIRE) && e->high == name.high)
            return e;
    }
}

// The largest table is where most states are.
static uint32_t tables_in_use(const struct closed_states *c)
{
    uint32_t count = 1;
    while (count < c->room && is_full(c, count - 1))
        count++;
    return count;
}

static struct closed_entry *find(const struct closed_states *c, struct fingerprint name)
{
    struct closed_entry *found = NULL;
    for (uint32_t table = tables_in_use(c); table-- > 0 && !found;)
        found = look_up(c, table, name);
    return found;
}

bool closed_states_find(struct closed_states *c, struct fingerprint key, uint32_t age, struct futures *futures,
                        struct state_entry *found)
{
    const struct closed_entry *e = find(c, name_of(key, age));
    if (!e)
        return false;
    *found = (struct state_entry){.key = key, .mark = e->mark & KIND, .future = read_future(c, futures, e->future)};
    return true;
}

// Everybody who closes a state writes what is true of it, so it does not matter whose words stay. False if somebody was first.
static bool fill_in(struct closed_entry *e, const struct closed_entry *with)
{
    uint32_t none = 0;
    e->high = with->high;
    e->future = with->future;
    e->tally = with->tally;
    return __atomic_compare_exchange_n(&e->mark, &none, with->mark, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

static bool is_written(const struct closed_entry *e)
{
    for (uint32_t i = 0; i < SPINS; i++)
        if (__atomic_load_n(&e->mark, __ATOMIC_ACQUIRE))
            return true;
    return false;
}

static bool put(struct closed_states *c, uint32_t table, const struct closed_entry *new)
{
    const uint64_t mask = slots_of(table) - 1;
    for (uint64_t at = home_of((struct fingerprint){new->low, new->high}, table);; at = (at + 1) & mask) {
        struct closed_entry *e = &c->table[table][at];
        uint64_t low = 0;
        if (__atomic_compare_exchange_n(&e->low, &low, new->low, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            __atomic_fetch_add(&c->used[table], 1, __ATOMIC_RELAXED);
            return fill_in(e, new);
        }
        if (low != new->low)
            continue;
        if (!is_written(e))
            return fill_in(e, new);
        if (e->high == new->high)
            return false;
    }
}

// Two workers may have closed the state at once when one of them knew of a new table already. Each looks after it has put it in, so that
// one of them sees both; the first table counts.
static void keep_one(struct closed_states *c, struct fingerprint name)
{
    bool there = false;
    for (uint32_t table = 0; table < tables_in_use(c); table++) {
        struct closed_entry *e = look_up(c, table, name);
        if (e && there)
            __atomic_fetch_or(&e->mark, VOID, __ATOMIC_RELAXED);
        there |= e != NULL;
    }
}

bool closed_states_add(struct closed_states *c, const struct state_entry *state, uint32_t age, struct futures *futures,
                       const struct state_tally *tally)
{
    struct fingerprint name = name_of(state->key, age);
    struct closed_entry new = {
        .low = name.low, .high = name.high, .mark = state->mark | age << AGE_SHIFT, .tally = *tally};
    if (find(c, name))
        return false;
    uint32_t table = tables_in_use(c) - 1;
    if (is_full(c, table)) {
        __atomic_fetch_add(&c->dropped, 1, __ATOMIC_RELAXED);
        return true;
    }
    new.future = write_future(c, futures, state->future);
    if (!put(c, table, &new))
        return false;
    __atomic_fetch_add(&c->count, 1, __ATOMIC_RELAXED);
    keep_one(c, name);
    return true;
}

// ---- the whole ----

void closed_states_finish(struct closed_states *c, uint32_t age, const struct state_tally *before)
{
    if (c->finished == age + 1)
        return;
    c->begun_elsewhere = !before;
    if (before)
        c->before = *before;
    __atomic_store_n(&c->finished, age + 1, __ATOMIC_RELEASE);
}

bool closed_states_is_finished(const struct closed_states *c, uint32_t age)
{
    return __atomic_load_n(&c->finished, __ATOMIC_ACQUIRE) == age + 1;
}

uint32_t closed_states_age(const struct closed_states *c)
{
    return c->finished - 1;
}

static void total(struct closed_totals *sum, const struct state_tally *tally)
{
    sum->executions += tally->executions;
    sum->events += tally->events;
    sum->known += tally->known;
    sum->blocked += tally->blocked;
    sum->finished += tally->finished;
}

struct closed_totals closed_states_totals(const struct closed_states *c, uint32_t age, bool own)
{
    struct closed_totals sum = {0};
    if (!own || !c->begun_elsewhere) {
        sum.executions = 1;
        total(&sum, &c->before);
    }
    for (uint32_t table = 0; table < tables_in_use(c); table++) {
        for (uint64_t at = 0; at < slots_of(table); at++) {
            const struct closed_entry *e = &c->table[table][at];
            if (!e->mark || e->mark & VOID || e->mark >> AGE_SHIFT != age || (own && e->tally.elsewhere))
                continue;
            sum.states++;
            total(&sum, &e->tally);
        }
    }
    return sum;
}

struct fingerprint closed_states_digest(const struct closed_states *c)
{
    struct fingerprint sum = {0, 0};
    for (uint32_t table = 0; table < tables_in_use(c); table++)
        for (uint64_t at = 0; at < slots_of(table); at++)
            if (c->table[table][at].mark)
                fingerprint_add(&sum, fingerprint_of(c->table[table][at].low, c->table[table][at].high));
    return sum;
}

uint64_t closed_states_count(const struct closed_states *c)
{
    return c->count;
}

uint64_t closed_states_dropped(const struct closed_states *c)
{
    return c->dropped;
}

uint64_t closed_states_bytes(const struct closed_states *c)
{
    uint64_t bytes = 0;
    for (uint32_t table = 0; table < tables_in_use(c); table++)
        bytes += slots_of(table) * sizeof *c->table[table];
    return bytes + c->words_used * sizeof *c->words;
}
