#include "trace/recording_collect.h"

#include <string.h>

#include "trace/recording_names.h"

static inline uint64_t *recent_slot(uint64_t *recent, uint64_t number)
{
    _Static_assert(COLLECT_RECENT == 1 << 14, "the index is 14 bits");
    return &recent[(number * 0x9e3779b97f4a7c15ull) >> 50];
}

// Whether the number was seen lately; it is now.
static bool seen_lately(uint64_t *recent, uint64_t number)
{
    uint64_t *slot = recent_slot(recent, number);
    bool seen = *slot == number;
    *slot = number;
    return seen;
}

static void collect_place(struct recording_collector *c, uint64_t place)
{
    if (place && !seen_lately(c->recent_places, place))
        table_add(&c->places, &place, sizeof place, NULL);
}

// Whether the address is in static data, where variables have names. If not, the gap around it is kept.
static bool may_have_name(struct recording_collector *c, const struct recording_statics *statics, uint64_t address)
{
    struct collect_gap *gap = &c->gaps[(address >> 40) % COLLECT_GAPS], around = {0, UINT64_MAX};
    if (address >= gap->low && address < gap->high)
        return false;
    for (uint32_t i = 0; i < c->statics; i++) {
        uint64_t low = statics->data[i].low, high = statics->data[i].high;
        if (address >= low && address < high)
            return true;
        if (high <= address && high > around.low)
            around.low = high;
        if (low > address && low < around.high)
            around.high = low;
    }
    *gap = around;
    return false;
}

static void collect_word(struct recording_collector *c, const struct recording_statics *statics, uint64_t address)
{
    uint64_t word = address & ~7ull;
    if (may_have_name(c, statics, address) && !seen_lately(c->recent_words, word | 1))
        table_add(&c->words, &word, sizeof word, NULL);
}

// Neighbours that were accessed together may be several variables.
static void collect_words(struct recording_collector *c, const struct recording_statics *statics,
                          struct recording_unit unit)
{
    bool run = recording_is_run(recording_op_of(unit));
    uint64_t address = unit.what & RECORDING_ADDRESS, size = recording_size_of(unit) >> (run ? 3 : 0);
    enum { MOST = 4096 };
    for (uint64_t at = address & ~7ull; at < address + (size < MOST ? size : MOST); at += 8)
        collect_word(c, statics, at);
}

static void collect_module(struct recording_collector *c, struct recording_unit unit, uint64_t length, const char *text)
{
    uint64_t base = unit.what & RECORDING_ADDRESS;
    buffer_append(&c->modules, (const char *)&base, sizeof base);
    buffer_append(&c->modules, (const char *)&length, sizeof length);
    buffer_append(&c->modules, text, length);
}

static void collect_record(struct recording_collector *c, const struct recording_statics *statics,
                           const struct recording_unit *unit)
{
    enum recording_op op = recording_op_of(*unit);
    collect_place(c, unit->where & RECORDING_ADDRESS);
    if (recording_is_plain(op)) {
        collect_words(c, statics, *unit);
        return;
    }
    if (op < RECORDING_MODULE)
        collect_word(c, statics, unit->what & RECORDING_ADDRESS);
    if (recording_is_short(*unit))
        return;
    struct recording_extra extra = {unit[1].what, unit[1].where};
    if (op == RECORDING_WAIT_BEGIN)
        collect_word(c, statics, extra.value); // the mutex
    if (op == RECORDING_MODULE)
        collect_module(c, *unit, extra.value, (const char *)(unit + 2));
    for (uint64_t i = 0; op == RECORDING_CALLS && i < extra.value; i++) {
        collect_place(c, unit[2 + i].what);
        collect_place(c, unit[2 + i].where);
    }
}

// What was known of memory without names is not, once there is more static data.
static void look_at_statics(struct recording_collector *c, const struct recording_statics *statics)
{
    uint32_t count = __atomic_load_n(&statics->count, __ATOMIC_ACQUIRE);
    count = count < RECORDING_STATICS ? count : RECORDING_STATICS;
    if (count != c->statics)
        memset(c->gaps, 0, sizeof c->gaps);
    c->statics = count;
}

// What most records are: an access at a place that was seen lately, to memory without names.
static inline bool is_plain_and_known(struct recording_collector *c, struct recording_unit unit)
{
    enum recording_op op = recording_op_of(unit);
    uint64_t address = unit.what & RECORDING_ADDRESS, place = unit.where & RECORDING_ADDRESS;
    const struct collect_gap *gap = &c->gaps[(address >> 40) % COLLECT_GAPS];
    return (op == RECORDING_READ || op == RECORDING_WRITE) && address >= gap->low &&
           address + recording_size_of(unit) <= gap->high && *recent_slot(c->recent_places, place) == place;
}

uint32_t recording_collect_chunk(struct recording_collector *c, const struct recording_statics *statics,
                                 const struct recording_unit *unit)
{
    static const struct recording_extra none;
    uint64_t at = 0;
    look_at_statics(c, statics);
    while (at < RECORDING_CHUNK_UNITS) {
        if (is_plain_and_known(c, unit[at])) {
            at++;
            continue;
        }
        const struct recording_extra *second = at + 1 < RECORDING_CHUNK_UNITS ? (const void *)(unit + at + 1) : &none;
        uint64_t units = recording_units(unit[at], second);
        if (!units || at + units > RECORDING_CHUNK_UNITS)
            break;
        if (recording_op_of(unit[at]) != RECORDING_STAMP)
            collect_record(c, statics, unit + at);
        at += units;
    }
    return (uint32_t)at;
}

static uint64_t number_at(const void *from)
{
    uint64_t number;
    memcpy(&number, from, sizeof number);
    return number;
}

void recording_collect_give(struct recording_collector *c, struct buffer *lines)
{
    struct recording *r = recording_new();
    struct recording_names *names = recording_names_new(r);
    for (size_t at = 0; at < c->modules.length;) {
        uint64_t base = number_at(c->modules.text + at), length = number_at(c->modules.text + at + 8);
        recording_names_module(names, base, c->modules.text + at + 16, length);
        at += 16 + length;
    }
    for (uint32_t i = 0; i < c->places.count; i++)
        recording_names_place(names, number_at(table_key(&c->places, i, NULL)));
    for (uint32_t i = 0; i < c->words.count; i++)
        for (uint64_t at = 0; at < 8; at++) { // small variables may share a word
            uint32_t block;
            uint64_t offset;
            recording_names_global(names, number_at(table_key(&c->words, i, NULL)) + at, &block, &offset);
        }
    recording_names_give(names, lines);
    recording_names_free(names);
    recording_free(r);
}

void recording_collect_free(struct recording_collector *c)
{
    table_free(&c->places);
    table_free(&c->words);
    buffer_free(&c->modules);
}
