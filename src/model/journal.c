#include "model/journal.h"

#include "base/mem.h"

enum { ACCESSES = 1 << 21, NOTES = 1 << 20, WORDS = 1 << 20, MOST_WORDS = WORDS / 2 };

struct journal_word {
    uint64_t address;
    uint32_t newest; // access, plus 1; 0: none at present
};

void journal_init(struct journal *j)
{
    j->access = mem_reserve(ACCESSES * sizeof *j->access);
    j->note = mem_reserve(NOTES * sizeof *j->note);
    j->words = mem_reserve(WORDS * sizeof *j->words);
    j->shares = mem_reserve(MAX_ACTORS * sizeof *j->shares);
    j->missing = UINT32_MAX;
}

static void lose(struct journal *j, uint32_t at)
{
    if (at < j->missing)
        j->missing = at;
}

// Words are never taken out of the table, since most are accessed again. Null if there is no room.
static struct journal_word *word_at(struct journal *j, uint64_t address)
{
    uint32_t at = journal_slot(address);
    while (j->words[at].address != address) {
        if (!j->words[at].address && j->words_used == MOST_WORDS)
            return NULL;
        if (!j->words[at].address) {
            j->words_used++;
            j->words[at].address = address;
            break;
        }
        at = (at + 1) % WORDS;
    }
    return &j->words[at];
}

// Nothing has happened since the other one that could tell the two apart.
static bool is_repeated(const struct journal *j, const struct journal_access *a, const struct journal_access *b)
{
    uint32_t number = (uint32_t)(b - j->access);
    return a->actor == b->actor && a->kind == b->kind && a->mask == b->mask && a->pc == b->pc && a->at == b->at &&
           (!j->notes || j->note[j->notes - 1].accesses <= number);
}

void journal_add_access(struct journal *j, struct journal_access access)
{
    struct journal_word *word = word_at(j, access.address);
    if (!word || j->accesses == ACCESSES) {
        lose(j, access.at);
        return;
    }
    if (word->newest && is_repeated(j, &access, &j->access[word->newest - 1]))
        return;
    access.held = j->held[access.actor];
    access.before = word->newest;
    j->access[j->accesses++] = access;
    word->newest = j->accesses;
}

static struct journal_note *add_note(struct journal *j, uint32_t at)
{
    if (j->notes == NOTES) {
        lose(j, at);
        return NULL;
    }
    j->note[j->notes] = (struct journal_note){.at = at, .accesses = j->accesses};
    return &j->note[j->notes++];
}

static uint32_t lock_number(struct journal *j, uint64_t address)
{
    uint32_t n = 0;
    while (n < j->locks && j->lock[n] != address)
        n++;
    if (n == j->locks && n < JOURNAL_LOCKS)
        j->lock[j->locks++] = address;
    return n;
}

// Takes the lock or lets it go; says whether that changed anything.
static bool change_held(struct journal *j, enum journal_note_kind kind, uint32_t actor, uint32_t lock)
{
    struct lockset *held = &j->held[actor], before = *held;
    uint64_t bit = 1ull << lock;
    uint8_t *shares = &j->shares[actor][lock], counted = *shares;
    if (kind == JOURNAL_LOCK)
        held->alone |= bit;
    else if (kind == JOURNAL_UNLOCK)
        held->alone &= ~bit;
    else if (kind == JOURNAL_SHARE && *shares < UINT8_MAX)
        held->shared |= bit, ++*shares;
    else if (kind == JOURNAL_UNSHARE && *shares && !--*shares)
        held->shared &= ~bit;
    return held->alone != before.alone || held->shared != before.shared || *shares != counted;
}

void journal_add_lock(struct journal *j, enum journal_note_kind kind, uint32_t actor, uint64_t lock, uint32_t at)
{
    uint32_t number = lock_number(j, lock);
    struct journal_note *note = number < JOURNAL_LOCKS ? add_note(j, at) : NULL;
    if (!note)
        return;
    note->kind = (uint8_t)kind;
    note->actor = (uint16_t)actor;
    note->other = (uint16_t)number;
    note->changed = change_held(j, kind, actor, number);
}

void journal_add_thread(struct journal *j, enum journal_note_kind kind, uint32_t actor, uint32_t other, uint32_t at)
{
    struct journal_note *note = add_note(j, at);
    if (!note)
        return;
    note->kind = (uint8_t)kind;
    note->actor = (uint16_t)actor;
    note->other = (uint16_t)other;
}

static void take_back_note(struct journal *j, const struct journal_note *note)
{
    static const enum journal_note_kind inverse[] = {[JOURNAL_LOCK] = JOURNAL_UNLOCK,
                                                     [JOURNAL_UNLOCK] = JOURNAL_LOCK,
                                                     [JOURNAL_SHARE] = JOURNAL_UNSHARE,
                                                     [JOURNAL_UNSHARE] = JOURNAL_SHARE};
    if (note->kind <= JOURNAL_UNSHARE && note->changed)
        change_held(j, inverse[note->kind], note->actor, note->other);
}

void journal_cut(struct journal *j, uint32_t events)
{
    while (j->notes && j->note[j->notes - 1].at > events)
        take_back_note(j, &j->note[--j->notes]);
    while (j->accesses && j->access[j->accesses - 1].at > events) {
        const struct journal_access *a = &j->access[--j->accesses];
        word_at(j, a->address)->newest = a->before;
    }
    if (j->missing > events)
        j->missing = UINT32_MAX;
}

void journal_clear(struct journal *j)
{
    if (!j->access)
        return;
    while (j->notes)
        take_back_note(j, &j->note[--j->notes]);
    while (j->accesses) {
        const struct journal_access *a = &j->access[--j->accesses];
        word_at(j, a->address)->newest = a->before;
    }
    j->missing = UINT32_MAX;
}

uint32_t journal_newest(struct journal *j, uint64_t address)
{
    const struct journal_word *word = word_at(j, address);
    return word ? word->newest : 0;
}

uint32_t journal_first_after(const struct journal *j, uint32_t events)
{
    uint32_t low = 0, high = j->accesses;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (j->access[middle].at <= events)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
