#include "explore/subspace_words.h"

#include "base/mem.h"

enum { SLOTS = 1 << 20, MOST_WORDS = SLOTS / 2, ACCESSES = 1 << 22 };

void words_init(struct words *w)
{
    w->table = mem_reserve(SLOTS * sizeof *w->table);
    w->accesses = mem_reserve(ACCESSES * sizeof *w->accesses);
}

void words_free(struct words *w)
{
    mem_release(w->table, SLOTS * sizeof *w->table);
    mem_release(w->accesses, ACCESSES * sizeof *w->accesses);
}

void words_clear(struct words *w)
{
    w->round++;
    w->count = w->used = 0;
    w->any_unstable = false;
    w->room = true;
}

// The last word of a full table stands for all that have no room; `room` says that nothing is known then.
struct word *words_at(struct words *w, uint64_t address)
{
    uint32_t at = journal_slot(address);
    struct word *word = &w->table[at];
    while (word->round == w->round && word->address != address) {
        at = (at + 1) % SLOTS;
        word = &w->table[at];
    }
    if (word->round == w->round)
        return word;
    if (w->used == MOST_WORDS)
        w->room = false;
    else
        w->used++;
    *word = (struct word){.address = address, .round = w->round};
    return word;
}

void words_keep(struct words *w, struct word *word, const struct known_access *access)
{
    for (uint32_t i = word->first; i; i = w->accesses[i].next) {
        struct known_access *a = &w->accesses[i];
        if (a->actor == access->actor && a->write == access->write && a->atomic == access->atomic &&
            a->after == access->after && a->mask == access->mask && a->held.alone == access->held.alone &&
            a->held.shared == access->held.shared) {
            if (access->position > a->position)
                a->position = access->position;
            return;
        }
    }
    if (w->count + 2 >= ACCESSES) {
        w->room = false;
        return;
    }
    uint32_t number = ++w->count;
    w->accesses[number] = *access;
    w->accesses[number].next = word->first;
    word->first = number;
}
