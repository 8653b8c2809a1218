#include "explore/subspace_words.h"

#include "base/mem.h"

enum { ACCESSES = 1 << 22 };

void words_init(struct words *w)
{
    w->table = mem_reserve(JOURNAL_SLOTS * sizeof *w->table);
    w->accesses = mem_reserve(ACCESSES * sizeof *w->accesses);
}

void words_free(struct words *w)
{
    mem_release(w->table, JOURNAL_SLOTS * sizeof *w->table);
    mem_release(w->accesses, ACCESSES * sizeof *w->accesses);
}

void words_clear(struct words *w)
{
    w->round++;
    w->count = 0;
    w->any_unstable = false;
    w->room = true;
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
