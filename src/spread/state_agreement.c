#include "spread/state_agreement.h"

#include <stdlib.h>

#include "base/alloc.h"

// Besides kinds of reports: which number an object got, by its address; words that several use, and that are written.
enum { NUMBER_OF_PLACE = 100, SHARED_WORD, WRITTEN_WORD };

struct fact {
    uint64_t kind, about;
};

// What was said of it first: that is what is said now if nobody has said anything.
static uint64_t first_said(struct agreement *a, uint64_t kind, uint64_t about, uint64_t value, bool *is_new)
{
    struct fact fact = {kind, about};
    uint32_t number = table_add(&a->facts, &fact, sizeof fact, is_new);
    if (*is_new) {
        a->values = alloc_grow(a->values, number, &a->room, sizeof *a->values);
        a->values[number] = value;
    }
    return a->values[number];
}

static bool is_said(const struct agreement *a, uint64_t kind, uint64_t about, uint64_t *value)
{
    struct fact fact = {kind, about};
    uint32_t number = table_find(&a->facts, &fact, sizeof fact);
    if (number != TABLE_NONE)
        *value = a->values[number];
    return number != TABLE_NONE;
}

static void require_same(struct agreement *a, uint64_t kind, uint64_t about, uint64_t value, const char *otherwise)
{
    bool is_new;
    if (first_said(a, kind, about, value, &is_new) != value)
        a->trouble = otherwise;
}

// Whether accesses of this size overlap with others that do not cover the same bytes.
static bool overlaps(const struct agreement *a, uint64_t address, uint64_t size)
{
    enum { BLOCK = 16 };
    for (uint64_t other = address & ~(BLOCK - 1ull); other < (address & ~(BLOCK - 1ull)) + BLOCK; other++) {
        uint64_t its;
        if (is_said(a, EXCHANGE_SIZE, other, &its) && !(other == address && its == size) && other < address + size &&
            address < other + its)
            return true;
    }
    return false;
}

static void add_growth(struct agreement *a, uint64_t word)
{
    bool is_new;
    first_said(a, EXCHANGE_GROWN, word, 0, &is_new);
    if (is_new)
        a->digest += fingerprint_scramble(word + 1);
}

// What is said first somebody knows alone: then nobody has left the word out who should not.
static bool belongs_by_now(struct agreement *a, uint64_t word, uint64_t use)
{
    bool is_new;
    uint64_t value, first = first_said(a, EXCHANGE_WORD, word, use, &is_new);
    uint32_t actor = (uint32_t)use;
    if (!actor || actor != (uint32_t)first)
        first_said(a, SHARED_WORD, word, 1, &is_new);
    if (use >> 32)
        first_said(a, WRITTEN_WORD, word, 1, &is_new);
    if (use == first || is_said(a, EXCHANGE_GROWN, word, &value) || !is_said(a, SHARED_WORD, word, &value) ||
        !is_said(a, WRITTEN_WORD, word, &value))
        return false;
    add_growth(a, word);
    return true;
}

bool agreement_hear(struct agreement *a, const struct exchange_record *report, uint64_t *word)
{
    static const char other_states[] = "processes on different machines have different states from the beginning";
    static const char other_numbers[] = "objects or threads were met in different orders";
    const uint64_t *said = report->word;
    switch (report->kind) {
    case EXCHANGE_BEGUN:
        for (uint64_t i = 0; i < EXCHANGE_WORDS; i++)
            require_same(a, EXCHANGE_BEGUN, i, said[i], other_states);
        break;
    case EXCHANGE_PLACE:
        require_same(a, EXCHANGE_PLACE, said[0], said[1], other_numbers);
        require_same(a, NUMBER_OF_PLACE, said[1], said[0], other_numbers);
        break;
    case EXCHANGE_ACTOR:
        require_same(a, EXCHANGE_ACTOR, said[0], said[1] << 32 | said[2], other_numbers);
        break;
    case EXCHANGE_SIZE:
        if (overlaps(a, said[0], said[1]))
            a->trouble = "the same memory is accessed atomically in different sizes";
        require_same(a, EXCHANGE_SIZE, said[0], said[1], "the same memory is accessed atomically in different sizes");
        break;
    case EXCHANGE_GROWN:
        add_growth(a, said[0]);
        break;
    case EXCHANGE_WORD:
        *word = said[0];
        return belongs_by_now(a, said[0], said[1]);
    case EXCHANGE_TROUBLE:
        a->trouble = "memory far from that of the program is shared by threads";
        break;
    default:
        break;
    }
    return false;
}

void agreement_free(struct agreement *a)
{
    table_free(&a->facts);
    free(a->values);
}
