#include "explore/subspace_rivals.h"

#include <string.h>

#include "base/mem.h"

// MOST_CHANGES: threads that were created and joined in one execution. FEW: accesses to a word that one is compared with.
enum { MOST_CHANGES = 4 * MAX_ACTORS, FEW = 64 };

// Of each actor, its accesses with smaller numbers are known.
struct vector {
    uint32_t known[MAX_ACTORS];
};

// What following a note overwrote.
struct vector_change {
    uint32_t note, actor;
    uint32_t width; // of `old`: what comes after it is 0
    struct vector old;
};

struct rivals {
    struct journal *journal;
    struct rival *rival;      // by access
    uint32_t accesses, notes; // that were followed
    uint32_t width;           // actors
    struct vector *vectors;   // by actor
    struct vector_change *changes;
    uint32_t change_count;
    uint32_t lost_from; // note from which on nothing is known, for want of room; UINT32_MAX: there is none
};

struct rivals *rivals_new(struct journal *journal)
{
    struct rivals *r = mem_reserve(sizeof *r);
    r->journal = journal;
    r->rival = mem_reserve(JOURNAL_ACCESSES * sizeof *r->rival);
    r->vectors = mem_reserve(MAX_ACTORS * sizeof *r->vectors);
    r->changes = mem_reserve(MOST_CHANGES * sizeof *r->changes);
    r->lost_from = UINT32_MAX;
    return r;
}

void rivals_free(struct rivals *r)
{
    mem_release(r->changes, MOST_CHANGES * sizeof *r->changes);
    mem_release(r->vectors, MAX_ACTORS * sizeof *r->vectors);
    mem_release(r->rival, JOURNAL_ACCESSES * sizeof *r->rival);
    mem_release(r, sizeof *r);
}

static void vector_learn(struct vector *to, const struct vector *from, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++)
        if (from->known[i] > to->known[i])
            to->known[i] = from->known[i];
}

// Whoever is created knows what its creator knows, and whoever joins all that the other has done.
static void follow_note(struct rivals *r)
{
    const struct journal_note *n = &r->journal->note[r->notes];
    if (n->kind != JOURNAL_CREATE && n->kind != JOURNAL_JOIN)
        return;
    bool creates = n->kind == JOURNAL_CREATE;
    uint32_t learner = creates ? n->other : n->actor, teacher = creates ? n->actor : n->other;
    if (r->change_count == MOST_CHANGES) {
        r->lost_from = r->lost_from == UINT32_MAX ? r->notes : r->lost_from;
        return;
    }
    struct vector_change *c = &r->changes[r->change_count++];
    c->note = r->notes;
    c->actor = learner;
    c->width = r->width;
    memcpy(c->old.known, r->vectors[learner].known, r->width * sizeof *c->old.known);
    vector_learn(&r->vectors[learner], &r->vectors[teacher], r->width);
    r->vectors[learner].known[teacher] = n->accesses;
}

static bool are_alike(const struct journal_access *a, const struct journal_access *b)
{
    return a->actor == b->actor && a->kind == b->kind && a->mask == b->mask && a->held.alone == b->held.alone &&
           a->held.shared == b->held.shared;
}

// What is known of the access before any other is compared with it.
static struct rival begin_rival(const struct rivals *r, uint32_t number)
{
    const struct journal_access *a = &r->journal->access[number];
    struct rival own = {.other = a->before, .unlike = a->before};
    if (number) {
        own.latest = r->rival[number - 1].latest;
        own.unguarded = r->rival[number - 1].unguarded;
    }
    if (a->before) {
        const struct journal_access *b = &r->journal->access[a->before - 1];
        const struct rival *before = &r->rival[a->before - 1];
        own.other = a->actor == b->actor ? before->other : a->before;
        own.unlike = are_alike(a, b) ? before->unlike : a->before;
    }
    return own;
}

// Of several alike only the last matters: who knows of it knows of all.
static void follow_access(struct rivals *r, uint32_t number)
{
    const struct journal_access *all = r->journal->access, *a = &all[number];
    const struct vector *known = &r->vectors[a->actor];
    struct rival own = begin_rival(r, number);
    uint32_t left = r->lost_from == UINT32_MAX ? FEW : 0, i = own.other;
    for (; i && left; left--) {
        const struct journal_access *b = &all[i - 1];
        uint8_t common = a->mask & b->mask;
        bool conflict = common && (a->kind != JOURNAL_READ || b->kind != JOURNAL_READ) &&
                        (a->kind != JOURNAL_ATOMIC || b->kind != JOURNAL_ATOMIC) && known->known[b->actor] < i;
        if (conflict && a->actor != b->actor) {
            own.mask |= common;
            own.newest = own.newest ? own.newest : i;
            own.unguarded = locksets_exclude(&a->held, &b->held) ? own.unguarded : number + 1;
        }
        i = a->actor == b->actor ? r->rival[i - 1].other : r->rival[i - 1].unlike;
    }
    if (i) // too many
        own.unguarded = number + 1;
    if (own.newest > own.latest)
        own.latest = own.newest;
    r->rival[number] = own;
}

// Takes back what is no longer in the journal, or was in the meantime replaced by something else.
static void go_back(struct rivals *r)
{
    struct journal *j = r->journal;
    if (r->accesses > j->least_accesses)
        r->accesses = j->least_accesses;
    if (r->notes > j->least_notes)
        r->notes = j->least_notes;
    while (r->change_count && r->changes[r->change_count - 1].note >= r->notes) {
        const struct vector_change *c = &r->changes[--r->change_count];
        memcpy(r->vectors[c->actor].known, c->old.known, c->width * sizeof *c->old.known);
    }
    if (r->lost_from >= r->notes)
        r->lost_from = UINT32_MAX;
    j->least_accesses = j->least_notes = UINT32_MAX;
}

const struct rival *rivals_follow(struct rivals *r, uint32_t actors)
{
    const struct journal *j = r->journal;
    go_back(r);
    r->width = actors;
    while (r->accesses < j->accesses) {
        for (; r->notes < j->notes && j->note[r->notes].accesses <= r->accesses; r->notes++)
            follow_note(r);
        follow_access(r, r->accesses++);
    }
    return r->rival;
}
