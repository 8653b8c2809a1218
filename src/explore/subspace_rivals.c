#include "explore/subspace_rivals.h"

#include <string.h>

#include "base/mem.h"

// MOST_CHANGES: threads that were created and joined in one execution. FEW: classes of a word that an access is compared with.
enum { MOST_CHANGES = 4 * MAX_ACTORS, FEW = 64 };

// Accesses to a word that are alike: by one actor, of one kind, to the same bytes, under the same locks. Only the last one matters: who
// knows of it knows of all. A class is made by the first of them and goes with it, so that classes are a stack.
struct access_class {
    struct lockset held;
    uint32_t last; // access, plus 1
    uint32_t next; // another class of the word, as its number plus 1; 0: there is none
    uint32_t slot; // of the word
    uint16_t actor;
    uint8_t kind, mask;
    bool several; // actors have classes of the word, up to this one
};

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
    struct rival *rival; // by access
    struct access_class *classes;
    uint32_t class_count;
    uint32_t *class_of_word;  // by slot, its newest class, as its number plus 1; 0: it has none
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
    r->classes = mem_reserve(JOURNAL_ACCESSES * sizeof *r->classes);
    r->class_of_word = mem_reserve(JOURNAL_SLOTS * sizeof *r->class_of_word);
    r->vectors = mem_reserve(MAX_ACTORS * sizeof *r->vectors);
    r->changes = mem_reserve(MOST_CHANGES * sizeof *r->changes);
    r->lost_from = UINT32_MAX;
    return r;
}

void rivals_free(struct rivals *r)
{
    mem_release(r->changes, MOST_CHANGES * sizeof *r->changes);
    mem_release(r->vectors, MAX_ACTORS * sizeof *r->vectors);
    mem_release(r->class_of_word, JOURNAL_SLOTS * sizeof *r->class_of_word);
    mem_release(r->classes, JOURNAL_ACCESSES * sizeof *r->classes);
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

static bool belongs_to(const struct journal_access *a, const struct access_class *c)
{
    return a->actor == c->actor && a->kind == c->kind && a->mask == c->mask && a->held.alone == c->held.alone &&
           a->held.shared == c->held.shared;
}

// Puts the access into its class, which is this one unless that is 0.
static void enter_class(struct rivals *r, uint32_t number, uint32_t of, struct rival *own)
{
    const struct journal_access *a = &r->journal->access[number];
    if (!of) {
        uint32_t *newest = &r->class_of_word[a->slot];
        const struct access_class *older = *newest ? &r->classes[*newest - 1] : NULL;
        of = ++r->class_count;
        r->classes[of - 1] = (struct access_class){.held = a->held,
                                                   .next = *newest,
                                                   .slot = a->slot,
                                                   .actor = a->actor,
                                                   .kind = a->kind,
                                                   .mask = a->mask,
                                                   .several = older && (older->several || older->actor != a->actor)};
        *newest = of;
    }
    own->of = of;
    own->replaces = r->classes[of - 1].last;
    r->classes[of - 1].last = number + 1;
}

// Takes the newest access out of its class. It is no longer in the journal.
static void leave_class(struct rivals *r, const struct rival *own)
{
    struct access_class *c = &r->classes[own->of - 1];
    c->last = own->replaces;
    if (!own->replaces) {
        r->class_of_word[c->slot] = c->next;
        r->class_count--;
    }
}

// What is known of the access before any other is compared with it.
static struct rival begin_rival(const struct rivals *r, uint32_t number)
{
    struct rival own = {0};
    if (number) {
        const struct rival *last = &r->rival[number - 1];
        own.latest = last->latest;
        own.unguarded = last->unguarded;
        own.with = last->with;
        own.waits = last->waits;
        own.awaits = last->awaits;
    }
    return own;
}

static void note_flow(const struct rivals *r, uint32_t number, struct rival *own)
{
    const struct journal_access *a = &r->journal->access[number];
    own->flow = a->pc && r->journal->flow ? r->journal->flow(a->pc) : NULL;
    if (rival_may_wait(own, a))
        own->waits = number + 1;
    if (rival_awaits(own, a))
        own->awaits = number + 1;
}

static bool conflict(const struct journal_access *a, const struct access_class *c, const struct vector *known)
{
    return a->actor != c->actor && a->mask & c->mask && (a->kind != JOURNAL_READ || c->kind != JOURNAL_READ) &&
           (a->kind != JOURNAL_ATOMIC || c->kind != JOURNAL_ATOMIC) && known->known[c->actor] < c->last;
}

// Whether nobody else has accessed the word so far: there is nothing to compare with.
static bool is_private(const struct rivals *r, const struct journal_access *a)
{
    uint32_t newest = r->class_of_word[a->slot];
    if (!newest || r->lost_from != UINT32_MAX)
        return false;
    const struct access_class *c = &r->classes[newest - 1];
    return !c->several && c->actor == a->actor;
}

// The class of the word that the access belongs to: mostly that of the access before it. 0: there is none among the newest.
static uint32_t own_class(const struct rivals *r, const struct journal_access *a)
{
    uint32_t last = a->before ? r->rival[a->before - 1].of : 0, left = FEW;
    if (last && belongs_to(a, &r->classes[last - 1]))
        return last;
    for (uint32_t i = r->class_of_word[a->slot]; i && left--; i = r->classes[i - 1].next)
        if (belongs_to(a, &r->classes[i - 1]))
            return i;
    return 0;
}

// Compares the access with all others of its word. Returns the class that it belongs to, or 0.
static uint32_t compare_with_others(const struct rivals *r, uint32_t number, struct rival *rival)
{
    const struct journal_access *a = &r->journal->access[number];
    struct rival own = *rival;
    uint32_t left = r->lost_from == UINT32_MAX ? FEW : 0, i = r->class_of_word[a->slot], of = 0;
    for (; i && left; i = r->classes[i - 1].next, left--) {
        const struct access_class *c = &r->classes[i - 1];
        if (conflict(a, c, &r->vectors[a->actor])) {
            own.mask |= a->mask & c->mask;
            own.newest = c->last > own.newest ? c->last : own.newest;
            own.unguarded = locksets_exclude(&a->held, &c->held) ? own.unguarded : number + 1;
        } else if (belongs_to(a, c)) {
            of = i;
        }
    }
    if (i) // too many
        own.unguarded = number + 1;
    if (own.newest) {
        own.with = number + 1;
        own.latest = own.newest > own.latest ? own.newest : own.latest;
    }
    *rival = own;
    return of;
}

static void follow_access(struct rivals *r, uint32_t number)
{
    const struct journal_access *a = &r->journal->access[number];
    struct rival own = begin_rival(r, number);
    uint32_t of = is_private(r, a) ? own_class(r, a) : compare_with_others(r, number, &own);
    enter_class(r, number, of, &own);
    note_flow(r, number, &own);
    r->rival[number] = own;
}

// Takes back what is no longer in the journal, or was in the meantime replaced by something else.
static void go_back(struct rivals *r)
{
    struct journal *j = r->journal;
    while (r->accesses > j->least_accesses)
        leave_class(r, &r->rival[--r->accesses]);
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
