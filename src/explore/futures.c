#include "explore/futures.h"

#include <string.h>

#include "base/fail.h"
#include "base/mem.h"

enum { ITEMS = 1 << 16, SETS = 1 << 22, CACHE = 1 << 14 };
enum { WORDS = 1 << 28 }; // of all sets

struct item {
    uint32_t object;
    uint16_t actor;
    uint8_t effect, used;
};

// Bits of items, without zeros at the end.
struct bits {
    uint64_t start; // in `words`
    uint32_t count;
    uint32_t hash;
};

struct futures {
    struct item items[ITEMS];       // in order of their numbers
    uint32_t item_slots[ITEMS * 2]; // number + 1, by open addressing
    uint32_t item_count;
    struct bits *sets;
    uint32_t *set_slots; // number + 1
    uint32_t set_count;
    uint64_t *words, word_count;
    uint64_t scratch[ITEMS / 64];
    struct {
        uint32_t a, b, result;
    } unions[CACHE], additions[CACHE];
    uint32_t *names; // by set; 0: it has none
    struct {
        uint32_t name, set;
    } named[CACHE];
};

struct futures *futures_new(void)
{
    struct futures *f = mem_reserve(sizeof *f);
    f->sets = mem_reserve((size_t)SETS * sizeof *f->sets);
    f->set_slots = mem_reserve((size_t)SETS * 2 * sizeof *f->set_slots);
    f->words = mem_reserve((size_t)WORDS * sizeof *f->words);
    f->names = mem_reserve((size_t)SETS * sizeof *f->names);
    f->set_count = FUTURE_ANY + 1;
    return f;
}

void futures_free(struct futures *f)
{
    mem_release(f->sets, (size_t)SETS * sizeof *f->sets);
    mem_release(f->set_slots, (size_t)SETS * 2 * sizeof *f->set_slots);
    mem_release(f->names, (size_t)SETS * sizeof *f->names);
    mem_release(f->words, (size_t)WORDS * sizeof *f->words);
    mem_release(f, sizeof *f);
}

static uint32_t scramble(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)(z ^ (z >> 31));
}

static uint32_t item_number(struct futures *f, uint32_t actor, enum effect effect, uint32_t object)
{
    uint32_t at = scramble((uint64_t)object << 32 | actor << 8 | effect) % (ITEMS * 2);
    for (; f->item_slots[at]; at = (at + 1) % (ITEMS * 2)) {
        const struct item *item = &f->items[f->item_slots[at] - 1];
        if (item->object == object && item->actor == actor && item->effect == effect)
            return f->item_slots[at] - 1;
    }
    require_room(f->item_count < ITEMS, "different operations of the program's threads (65536)");
    f->items[f->item_count] = (struct item){object, (uint16_t)actor, (uint8_t)effect, 1};
    f->item_slots[at] = ++f->item_count;
    return f->item_count - 1;
}

// The number of the set that stands in `scratch`, in its first `count` words.
static uint32_t intern(struct futures *f, uint32_t count)
{
    uint64_t sum = count;
    while (count && !f->scratch[count - 1])
        count--;
    if (!count)
        return FUTURE_EMPTY;
    for (uint32_t i = 0; i < count; i++)
        sum = (sum ^ f->scratch[i]) * 0x9e3779b97f4a7c15u, sum ^= sum >> 29;
    uint32_t hash = scramble(sum), at = hash % (SETS * 2);
    for (; f->set_slots[at]; at = (at + 1) % (SETS * 2)) {
        const struct bits *set = &f->sets[f->set_slots[at] - 1];
        if (set->hash == hash && set->count == count &&
            !memcmp(f->words + set->start, f->scratch, count * sizeof *f->scratch))
            return f->set_slots[at] - 1;
    }
    require_room(f->set_count < SETS && f->word_count + count <= WORDS, "sets of operations that can follow a state");
    memcpy(f->words + f->word_count, f->scratch, count * sizeof *f->scratch);
    f->sets[f->set_count] = (struct bits){f->word_count, count, hash};
    f->word_count += count;
    f->set_slots[at] = ++f->set_count;
    return f->set_count - 1;
}

static bool has(const struct futures *f, uint32_t set, uint32_t item)
{
    const struct bits *bits = &f->sets[set];
    return item / 64 < bits->count && f->words[bits->start + item / 64] >> (item % 64) & 1;
}

static uint32_t unpack(struct futures *f, uint32_t set)
{
    const struct bits *bits = &f->sets[set];
    memcpy(f->scratch, f->words + bits->start, bits->count * sizeof *f->scratch);
    return bits->count;
}

uint32_t futures_add(struct futures *f, uint32_t set, uint32_t actor, enum effect effect, uint32_t object)
{
    if (effect == EFFECT_NONE || set == FUTURE_ANY)
        return set;
    uint32_t item = item_number(f, actor, effect, effect == EFFECT_ALL ? 0 : object);
    if (has(f, set, item))
        return set;
    uint32_t at = scramble((uint64_t)set << 32 | item) % CACHE;
    if (f->additions[at].result && f->additions[at].a == set && f->additions[at].b == item)
        return f->additions[at].result;
    uint32_t count = unpack(f, set);
    for (; count <= item / 64; count++)
        f->scratch[count] = 0;
    f->scratch[item / 64] |= 1ull << (item % 64);
    uint32_t result = intern(f, count);
    f->additions[at].a = set;
    f->additions[at].b = item;
    f->additions[at].result = result;
    return result;
}

uint32_t futures_union(struct futures *f, uint32_t a, uint32_t b)
{
    if (a == b || b == FUTURE_EMPTY)
        return a;
    if (a == FUTURE_EMPTY)
        return b;
    if (a == FUTURE_ANY || b == FUTURE_ANY)
        return FUTURE_ANY;
    uint32_t at = scramble((uint64_t)a << 32 | b) % CACHE;
    if (f->unions[at].result && f->unions[at].a == a && f->unions[at].b == b)
        return f->unions[at].result;
    uint32_t count = unpack(f, a);
    const struct bits *other = &f->sets[b];
    for (; count < other->count; count++)
        f->scratch[count] = 0;
    for (uint32_t i = 0; i < other->count; i++)
        f->scratch[i] |= f->words[other->start + i];
    uint32_t result = intern(f, count);
    f->unions[at].a = a;
    f->unions[at].b = b;
    f->unions[at].result = result;
    return result;
}

bool futures_rivals(struct futures *f, uint32_t set, uint32_t actor, enum effect effect, uint32_t object,
                    uint64_t rivals[2 * MAX_ACTORS / 64])
{
    if (effect == EFFECT_NONE && set != FUTURE_ANY)
        object = 0; // only what depends on everything is of interest
    if (set == FUTURE_ANY || effect == EFFECT_ALL)
        return false;
    const struct bits *bits = &f->sets[set];
    for (uint32_t word = 0; word < bits->count; word++) {
        for (uint64_t left = f->words[bits->start + word]; left; left &= left - 1) {
            const struct item *item = &f->items[word * 64 + (uint32_t)__builtin_ctzll(left)];
            if ((item->actor != actor || actor >= MAX_ACTORS) && ops_depend(effect, object, item->effect, item->object))
                rivals[item->actor / 64] |= 1ull << (item->actor % 64);
        }
    }
    return true;
}

// ---- for other processes ----

uint32_t futures_count(const struct futures *f, uint32_t set)
{
    uint32_t count = 0;
    for (uint32_t word = 0; word < f->sets[set].count; word++)
        count += (uint32_t)__builtin_popcountll(f->words[f->sets[set].start + word]);
    return count;
}

void futures_write(const struct futures *f, uint32_t set, uint64_t *words)
{
    for (uint32_t word = 0; word < f->sets[set].count; word++) {
        for (uint64_t left = f->words[f->sets[set].start + word]; left; left &= left - 1) {
            const struct item *item = &f->items[word * 64 + (uint32_t)__builtin_ctzll(left)];
            *words++ = (uint64_t)item->object << 32 | (uint64_t)item->actor << 8 | item->effect;
        }
    }
}

uint32_t futures_read(struct futures *f, const uint64_t *words, uint32_t count)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t item =
            item_number(f, words[i] >> 8 & UINT16_MAX, (enum effect)(words[i] & UINT8_MAX), (uint32_t)(words[i] >> 32));
        for (; used <= item / 64; used++)
            f->scratch[used] = 0;
        f->scratch[item / 64] |= 1ull << (item % 64);
    }
    return intern(f, used);
}

void futures_name(struct futures *f, uint32_t set, uint32_t name)
{
    uint32_t at = scramble(name) % CACHE;
    if (!f->names[set])
        f->names[set] = name;
    f->named[at].name = name;
    f->named[at].set = set;
}

uint32_t futures_shared_name(const struct futures *f, uint32_t set)
{
    return f->names[set];
}

uint32_t futures_named(const struct futures *f, uint32_t name)
{
    uint32_t at = scramble(name) % CACHE;
    return f->named[at].name == name ? f->named[at].set : 0;
}
