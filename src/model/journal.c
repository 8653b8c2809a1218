#include "model/journal.h"

#include "base/mem.h"

enum { NOTES = 1 << 20, MOST_WORDS = JOURNAL_SLOTS / 2, NO_SLOT = JOURNAL_SLOTS };

struct journal_word {
    uint64_t address;
    uint32_t newest; // access, plus 1; 0: none at present
};

void journal_init(struct journal *j)
{
    j->access = mem_reserve(JOURNAL_ACCESSES * sizeof *j->access);
    j->note = mem_reserve(NOTES * sizeof *j->note);
    j->words = mem_reserve(JOURNAL_SLOTS * sizeof *j->words);
    j->shares = mem_reserve(MAX_ACTORS * sizeof *j->shares);
    j->missing = UINT32_MAX;
}

static void lose(struct journal *j, uint32_t at)
{
    if (at < j->missing)
        j->missing = at;
}

// Where a word is looked for first. Those of a page are side by side, so that few pages of the table are touched.
static uint32_t usual_slot(uint64_t address)
{
    return ((uint32_t)(address >> 3) & 511) | (uint32_t)((address >> 12) * 0x9e3779b97f4a7c15u >> 53) << 9;
}

// Words are never taken out of the table, since most are accessed again. NO_SLOT if there is no room.
static uint32_t slot_of(struct journal *j, uint64_t address)
{
    uint32_t at = usual_slot(address);
    while (j->words[at].address != address) {
        if (!j->words[at].address && j->words_used == MOST_WORDS)
            return NO_SLOT;
        if (!j->words[at].address) {
            j->words_used++;
            j->words[at].address = address;
            break;
        }
        at = (at + 1) % JOURNAL_SLOTS;
    }
    return at;
}

// Nothing has happened since the other one, with this number, that could tell the two apart.
static bool is_repeated(const struct journal *j, const struct access_site *a, uint32_t actor, uint32_t at,
                        uint32_t number)
{
    const struct journal_access *b = &j->access[number];
    return actor == b->actor && a->kind == b->kind && a->mask == b->mask && a->pc == b->pc && at == b->at &&
           (!j->notes || j->note[j->notes - 1].accesses <= number);
}

void journal_add_access(struct journal *j, const struct access_site *site, uint32_t actor, uint32_t at)
{
    uint32_t slot = slot_of(j, site->address);
    if (slot == NO_SLOT || j->accesses == JOURNAL_ACCESSES) {
        lose(j, at);
        return;
    }
    struct journal_word *word = &j->words[slot];
    if (word->newest && is_repeated(j, site, actor, at, word->newest - 1))
        return;
    struct journal_access *own = &j->access[j->accesses++];
    own->address = site->address;
    own->pc = site->pc;
    own->held = j->held[actor];
    own->value = site->kind == JOURNAL_WRITE ? *(const uint64_t *)(uintptr_t)site->address : 0;
    own->at = at;
    own->before = word->newest;
    own->slot = slot;
    own->actor = (uint16_t)actor;
    own->kind = site->kind;
    own->mask = site->mask;
    word->newest = j->accesses;
}

static uint32_t holding(const struct journal *j)
{
    return j->notes ? j->note[j->notes - 1].holding : 0;
}

static struct journal_note *add_note(struct journal *j, uint32_t at)
{
    if (j->notes == NOTES) {
        lose(j, at);
        return NULL;
    }
    j->note[j->notes] = (struct journal_note){.at = at, .accesses = j->accesses, .holding = holding(j)};
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
    if (note->changed)
        note->holding += kind == JOURNAL_LOCK || kind == JOURNAL_SHARE ? 1u : -1u;
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

// Tells whoever reads the journal what is left.
static void note_rest(struct journal *j)
{
    if (j->accesses < j->least_accesses)
        j->least_accesses = j->accesses;
    if (j->notes < j->least_notes)
        j->least_notes = j->notes;
}

void journal_cut(struct journal *j, uint32_t events)
{
    while (j->notes && j->note[j->notes - 1].at > events)
        take_back_note(j, &j->note[--j->notes]);
    while (j->accesses && j->access[j->accesses - 1].at > events) {
        const struct journal_access *a = &j->access[--j->accesses];
        j->words[a->slot].newest = a->before;
    }
    if (j->missing > events)
        j->missing = UINT32_MAX;
    note_rest(j);
}

void journal_clear(struct journal *j)
{
    if (!j->access)
        return;
    while (j->notes)
        take_back_note(j, &j->note[--j->notes]);
    while (j->accesses) {
        const struct journal_access *a = &j->access[--j->accesses];
        j->words[a->slot].newest = a->before;
    }
    j->missing = UINT32_MAX;
    note_rest(j);
}

uint32_t journal_newest(const struct journal *j, uint32_t slot)
{
    return j->words[slot].newest;
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

bool journal_holds_after(const struct journal *j, uint32_t events)
{
    uint32_t low = 0, high = j->notes;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (j->note[middle].at <= events)
            low = middle + 1;
        else
            high = middle;
    }
    return low && j->note[low - 1].holding;
}
