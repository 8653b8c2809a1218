#include "explore/subspace.h"

#include <string.h>

#include "base/mem.h"
#include "explore/subspace_fixed.h"
#include "explore/subspace_rivals.h"
#include "explore/subspace_words.h"

enum { FUNCTIONS = 1 << 10, TOLD = 64 };

// What is known to have happened: of each actor, its accesses with smaller numbers than this.
struct must {
    uint32_t known[MAX_ACTORS];
};

// A lock of the execution: what whoever takes it knows.
struct lock {
    struct must released, shared; // by those who held it alone, and by those who read under it
};

// One thread while the journal is gone through.
struct walker {
    struct must must;
    struct lockset held;
    struct lockset since; // of these, the ones it had in the state already
    bool contested;       // it has read something contested
};

// The reads of one function, in one thread, that gave something contested.
struct tainted {
    uint64_t reads;
    uint32_t function, actor, round;
};

// An operation that may follow a state, of which the search has been told.
struct told_op {
    uint32_t object;
    uint16_t actor;
    uint8_t kind;
};

struct subspace {
    const struct exec *exec;
    struct journal *journal;
    uint32_t fixed_from; // only from this event on all operations have results that do not depend on the schedule
    uint32_t width;      // actors
    uint32_t first;      // access after the state that is asked about
    // Accesses with numbers up to this less 1 come before all others after the state: of each actor, and of all.
    uint32_t ordered_of[MAX_ACTORS], ordered;
    struct walker walkers[MAX_ACTORS];
    struct lock *locks;
    struct words words;
    struct rivals *rivals;
    const struct rival *rival; // by access, as far as the journal goes
    struct tainted tainted[FUNCTIONS];
    uint32_t round;
    struct object_uses uses;
    struct told_op tell[TOLD];
    uint32_t told;
};

struct subspace *subspace_new(const struct exec *exec, struct journal *journal)
{
    struct subspace *s = mem_reserve(sizeof *s);
    s->exec = exec;
    s->journal = journal;
    s->locks = mem_reserve(JOURNAL_LOCKS * sizeof *s->locks);
    words_init(&s->words);
    s->rivals = rivals_new(journal);
    return s;
}

void subspace_free(struct subspace *s)
{
    rivals_free(s->rivals);
    words_free(&s->words);
    mem_release(s->locks, JOURNAL_LOCKS * sizeof *s->locks);
    mem_release(s, sizeof *s);
}

// ---- what the execution must be like ----

static bool all_ended(const struct exec *x)
{
    for (uint32_t actor = 0; actor < x->known; actor++)
        if (x->actors[actor].state != ACTOR_ENDED && x->actors[actor].state != ACTOR_ABSENT)
            return false;
    return true;
}

// A thread that ends with a lock may leave it to others in a way that they can tell (robust mutexes).
static bool holds_a_lock(const struct subspace *s)
{
    for (uint32_t actor = 0; actor < s->width; actor++)
        if (s->journal->held[actor].alone | s->journal->held[actor].shared)
            return true;
    return false;
}

bool subspace_look(struct subspace *s)
{
    const struct exec *x = s->exec;
    s->width = x->known;
    if (!all_ended(x) || s->journal->missing != UINT32_MAX || s->journal->opaque || holds_a_lock(s))
        return false;
    s->fixed_from = fixed_from(&s->uses, x);
    return true;
}

// ---- locks and what they order ----

static void must_learn(const struct subspace *s, struct must *to, const struct must *from)
{
    for (uint32_t i = 0; i < s->width; i++)
        if (from->known[i] > to->known[i])
            to->known[i] = from->known[i];
}

static void take_lock(struct subspace *s, struct walker *w, uint32_t n, bool shares)
{
    must_learn(s, &w->must, &s->locks[n].released);
    if (shares) {
        w->held.shared |= 1ull << n;
    } else {
        must_learn(s, &w->must, &s->locks[n].shared);
        w->held.alone |= 1ull << n;
    }
}

// `passes_on`: whoever takes the lock after this in any execution of the subspace does so after this release.
static void let_lock_go(struct subspace *s, struct walker *w, uint32_t n, bool shares, bool passes_on)
{
    struct lock *lock = &s->locks[n];
    uint64_t bit = 1ull << n;
    if (passes_on || (shares ? w->since.shared : w->since.alone) & bit)
        must_learn(s, shares ? &lock->shared : &lock->released, &w->must);
    if (shares) {
        w->held.shared &= ~bit;
        w->since.shared &= ~bit;
    } else {
        w->held.alone &= ~bit;
        w->since.alone &= ~bit;
    }
}

// What creating, joining and locks order; `after` the state locks order only what came up to it.
static void follow_note(struct subspace *s, const struct journal_note *n, bool after)
{
    struct walker *w = &s->walkers[n->actor];
    w->must.known[n->actor] = n->accesses;
    switch ((enum journal_note_kind)n->kind) {
    case JOURNAL_CREATE:
        must_learn(s, &s->walkers[n->other].must, &w->must);
        break;
    case JOURNAL_JOIN:
        must_learn(s, &w->must, &s->walkers[n->other].must);
        w->must.known[n->other] = n->accesses; // it has ended
        break;
    case JOURNAL_LOCK:
    case JOURNAL_SHARE:
        take_lock(s, w, n->other, n->kind == JOURNAL_SHARE);
        break;
    case JOURNAL_UNLOCK:
    case JOURNAL_UNSHARE:
        let_lock_go(s, w, n->other, n->kind == JOURNAL_UNSHARE, !after);
        break;
    }
}

// ---- accesses ----

// Whether the actor knows of the earlier access in every execution of the subspace.
static bool is_ordered(const struct walker *w, const struct known_access *earlier)
{
    return w->must.known[earlier->actor] > earlier->position;
}

static struct known_access access_of(const struct subspace *s, uint32_t number, bool after)
{
    const struct journal_access *a = &s->journal->access[number];
    return (struct known_access){.actor = a->actor,
                                 .write = a->kind != JOURNAL_READ,
                                 .atomic = a->kind == JOURNAL_ATOMIC,
                                 .after = after,
                                 .mask = a->mask,
                                 .position = number,
                                 .held = a->held};
}

// The word with its accesses up to the state, but for those that everybody knows of.
static struct word *word_of(struct subspace *s, const struct journal_access *a)
{
    uint32_t before = a->before;
    struct word *word = words_at(&s->words, a->slot);
    if (word->first)
        return word;
    for (; before > s->ordered; before = s->journal->access[before - 1].before) {
        if (before <= s->ordered_of[s->journal->access[before - 1].actor])
            continue;
        struct known_access earlier = access_of(s, before - 1, false);
        words_keep(&s->words, word, &earlier);
    }
    return word;
}

// What bytes of the word hold.
static uint64_t masked(uint64_t value, uint8_t mask)
{
    uint64_t bits = 0;
    for (int byte = 0; byte < 8; byte++)
        bits |= mask >> byte & 1 ? 0xffull << 8 * byte : 0;
    return value & bits;
}

// The only write after the state to what the awaited read is about, if the read has to see it: its number, or that of the read.
static uint32_t awaited_write(const struct subspace *s, uint32_t number)
{
    const struct journal_access *a = &s->journal->access[number];
    uint32_t found = number;
    for (uint32_t i = journal_newest(s->journal, a->slot); i > s->first; i = s->journal->access[i - 1].before) {
        const struct journal_access *write = &s->journal->access[i - 1];
        if (write->kind == JOURNAL_READ || !(write->mask & a->mask))
            continue;
        if (found != number || write->kind == JOURNAL_ATOMIC || i - 1 > number || masked(write->value, a->mask))
            return number;
        found = i - 1;
    }
    return found;
}

// The thread waits until what it reads is not zero, and it is not: it knows what the writer had done.
static void follow_await(const struct subspace *s, uint32_t number, struct walker *w)
{
    uint32_t write = awaited_write(s, number);
    const struct journal_access *a = &s->journal->access[number], *b = &s->journal->access[write];
    if (write != number && b->actor != a->actor && locksets_exclude(&a->held, &b->held) &&
        w->must.known[b->actor] <= write)
        w->must.known[b->actor] = write + 1;
}

// False if there may be a race.
static bool follow_access(struct subspace *s, uint32_t number)
{
    const struct journal_access *a = &s->journal->access[number];
    struct walker *w = &s->walkers[a->actor];
    const struct rival *rival = &s->rival[number];
    if ((w->since.alone | w->since.shared) && rival_may_wait(rival, a))
        w->since = (struct lockset){0, 0}; // then it lets go of its lock earlier than it does here
    if (rival_awaits(rival, a))
        follow_await(s, number, w);
    struct word *word = word_of(s, a);
    struct known_access own = access_of(s, number, true);
    for (uint32_t i = word->first; i; i = s->words.accesses[i].next) {
        const struct known_access *other = &s->words.accesses[i];
        uint8_t common = other->mask & a->mask;
        if (!common || other->actor == a->actor || (!other->write && !own.write) || (other->atomic && own.atomic) ||
            is_ordered(w, other))
            continue;
        if (!locksets_exclude(&other->held, &own.held))
            return false;
        if (other->after) {
            word->unstable |= common;
            s->words.any_unstable = true;
        }
    }
    words_keep(&s->words, word, &own);
    return s->words.room;
}

static void begin_values(struct subspace *s)
{
    words_clear(&s->words);
    s->round++;
    for (uint32_t actor = 0; actor < s->width; actor++)
        s->walkers[actor].contested = false;
}

static void begin_walk(struct subspace *s)
{
    begin_values(s);
    for (uint32_t actor = 0; actor < s->width; actor++) {
        struct walker *w = &s->walkers[actor];
        memset(w->must.known, 0, s->width * sizeof *w->must.known);
        w->held = w->since = (struct lockset){0, 0};
    }
    for (uint32_t n = 0; n < s->journal->locks; n++) {
        memset(s->locks[n].released.known, 0, s->width * sizeof *s->locks[n].released.known);
        memset(s->locks[n].shared.known, 0, s->width * sizeof *s->locks[n].shared.known);
    }
}

// Finds, for each actor, up to which of its accesses everybody knows of all who does anything after the state. Who is created
// later knows what its creator knows.
static void find_ordered(struct subspace *s, uint32_t note)
{
    const struct journal *j = s->journal;
    bool active[MAX_ACTORS] = {false};
    for (uint32_t i = s->first; i < j->accesses; i++)
        active[j->access[i].actor] = true;
    for (uint32_t n = note; n < j->notes; n++)
        active[j->note[n].actor] = true;
    for (uint32_t n = note; n < j->notes; n++)
        if (j->note[n].kind == JOURNAL_CREATE)
            active[j->note[n].other] = false;
    s->ordered = UINT32_MAX;
    for (uint32_t actor = 0; actor < s->width; actor++) {
        s->ordered_of[actor] = s->first;
        for (uint32_t other = 0; other < s->width; other++)
            if (other != actor && active[other] && s->walkers[other].must.known[actor] < s->ordered_of[actor])
                s->ordered_of[actor] = s->walkers[other].must.known[actor];
        if (s->ordered_of[actor] < s->ordered)
            s->ordered = s->ordered_of[actor];
    }
}

// Goes through the notes up to the state; returns the number of the next one.
static uint32_t come_to_state(struct subspace *s, uint32_t events)
{
    const struct journal *j = s->journal;
    uint32_t n = 0;
    for (; n < j->notes && j->note[n].at <= events; n++)
        follow_note(s, &j->note[n], false);
    for (uint32_t actor = 0; actor < s->width; actor++)
        s->walkers[actor].since = s->walkers[actor].held;
    find_ordered(s, n);
    return n;
}

// Whether any two conflicting accesses, one of them from number `first` on, are ordered or exclude each other. Finds the
// unstable bytes.
static bool no_pair_races(struct subspace *s, uint32_t events, uint32_t first)
{
    const struct journal *j = s->journal;
    begin_walk(s);
    uint32_t n = come_to_state(s, events);
    for (uint32_t i = first; i < j->accesses; i++) {
        for (; n < j->notes && j->note[n].accesses <= i; n++)
            follow_note(s, &j->note[n], true);
        if (!follow_access(s, i))
            return false;
    }
    return true;
}

// ---- values ----

static struct tainted *tainted_of(struct subspace *s, uint32_t actor, uint32_t function)
{
    uint32_t at = (uint32_t)(((uint64_t)function << 8 | actor) * 0x9e3779b97f4a7c15u >> 54);
    for (uint32_t tries = 0; tries < FUNCTIONS; tries++, at = (at + 1) % FUNCTIONS) {
        struct tainted *t = &s->tainted[at];
        if (t->round != s->round)
            *t = (struct tainted){0, function, actor, s->round};
        if (t->function == function && t->actor == actor)
            return t;
    }
    return NULL;
}

// A contested read, or a write there: where the compiler told of a write, it may have left out to tell that it reads as well.
// False if the program may go on in another way.
static bool reads_contested(struct subspace *s, const struct journal_access *r, const struct flow *flow)
{
    if (!flow || flow->flags & FLOW_ESCAPES)
        return false;
    s->walkers[r->actor].contested = true;
    if (!flow->read)
        return true;
    struct tainted *t = tainted_of(s, r->actor, flow->function);
    if (t)
        t->reads |= 1ull << (flow->read - 1);
    return t != NULL;
}

// Whether what is written may be made of contested values. No such value gets into a function of which nothing is known, nor
// into a library: as an argument it would have escaped, and reading it there would have ended this.
static bool writes_contested(struct subspace *s, const struct journal_access *r, const struct flow *flow)
{
    if (!flow || !flow->stored || !s->walkers[r->actor].contested)
        return false;
    const struct tainted *t = tainted_of(s, r->actor, flow->function);
    return !t || t->reads & flow->stored;
}

// Whether no contested read decides what a thread does.
static bool values_are_harmless(struct subspace *s, uint32_t first)
{
    const struct journal *j = s->journal;
    for (uint32_t i = first; s->words.any_unstable && i < j->accesses; i++) {
        const struct journal_access *a = &j->access[i];
        struct word *word = words_at(&s->words, a->slot);
        bool contested = (word->unstable | word->tainted) & a->mask;
        if (contested && (a->kind == JOURNAL_ATOMIC || !reads_contested(s, a, s->rival[i].flow)))
            return false;
        if (a->kind != JOURNAL_WRITE)
            continue;
        if (writes_contested(s, a, s->rival[i].flow))
            word->tainted |= a->mask;
        else
            word->tainted &= (uint8_t)~a->mask;
    }
    return true;
}

// ---- the answer ----

enum answer { ANSWER_FREE, ANSWER_NOT_KNOWN, ANSWER_UNSURE };

// Whether a thread may be ordered after another by something that only a walk over the execution finds, of what came after the state.
static bool walk_may_tell_more(const struct subspace *s, uint32_t events)
{
    return s->rival[s->journal->accesses - 1].awaits > s->first || journal_holds_after(s->journal, events);
}

// Finds the bytes that are unstable by what creating and joining threads order alone.
static void find_unstable(struct subspace *s)
{
    begin_values(s);
    for (uint32_t i = s->rival[s->journal->accesses - 1].with; i > s->first; i = i > 1 ? s->rival[i - 2].with : 0)
        if (s->rival[i - 1].newest > s->first) {
            words_at(&s->words, s->journal->access[i - 1].slot)->unstable |= s->rival[i - 1].mask;
            s->words.any_unstable = true;
        }
}

// The same without a walk: by what creating and joining threads order alone. Mostly that is enough.
static enum answer answer_at_once(struct subspace *s, uint32_t events)
{
    if (s->first == s->journal->accesses)
        return ANSWER_FREE;
    s->rival = rivals_follow(s->rivals, s->width);
    const struct rival *newest = &s->rival[s->journal->accesses - 1];
    if (newest->unguarded > s->first)
        return ANSWER_UNSURE;
    if (newest->latest <= s->first)
        return ANSWER_FREE; // no byte is unstable
    find_unstable(s);
    if (values_are_harmless(s, s->first))
        return ANSWER_FREE;
    return walk_may_tell_more(s, events) ? ANSWER_UNSURE : ANSWER_NOT_KNOWN;
}

bool subspace_is_race_free(struct subspace *s, uint32_t events)
{
    if (events < s->fixed_from)
        return false;
    s->first = journal_first_after(s->journal, events);
    enum answer answer = answer_at_once(s, events);
    if (answer != ANSWER_UNSURE)
        return answer == ANSWER_FREE;
    return no_pair_races(s, events, s->first) && values_are_harmless(s, s->first);
}

// ---- events ----

// Where a thread may wait or signal without having done so in this execution, each event on a condition variable may come later.
static void owe_for_unobserved(struct subspace *s, uint32_t first, uint32_t events, subspace_act act, void *context)
{
    const struct exec *x = s->exec;
    const struct journal *j = s->journal;
    const uint32_t after = journal_first_after(j, events);
    if (after == j->accesses)
        return;
    bool waits[MAX_ACTORS] = {false};
    s->rival = rivals_follow(s->rivals, s->width);
    uint32_t waiting = s->rival[j->accesses - 1].waits;
    if (waiting <= after)
        return;
    for (; waiting > after; waiting = waiting > 1 ? s->rival[waiting - 2].waits : 0)
        waits[j->access[waiting - 1].actor] = true;
    for (uint32_t earlier = first; earlier < events; earlier++) {
        const struct event *e = &x->events[earlier];
        bool condition = e->kind == OP_WAIT || e->kind == OP_SIGNAL || e->kind == OP_BROADCAST;
        for (uint32_t actor = 0; condition && actor < s->width; actor++)
            if (waits[actor] && actor != e->actor)
                act(context, earlier, actor, (struct op){.kind = OP_BROADCAST, .object = e->object});
    }
}

// Whether the actor had an operation of this kind on the object before, since the state. That one knows no more than this one.
static bool is_told(struct subspace *s, const struct event *e)
{
    for (uint32_t i = 0; i < s->told; i++)
        if (s->tell[i].object == e->object && s->tell[i].actor == e->actor && s->tell[i].kind == e->kind)
            return true;
    if (s->told < TOLD)
        s->tell[s->told++] = (struct told_op){e->object, e->actor, e->kind};
    return false;
}

// Tells of the event and the later operation, unless their order is decided.
static void tell_if_unordered(const struct subspace *s, const struct event *later, uint32_t earlier, subspace_act act,
                              void *context)
{
    const struct event *e = &s->exec->events[earlier];
    if (e->actor != later->actor && s->walkers[later->actor].must.known[e->actor] < e->index)
        act(context, earlier, later->actor, (struct op){.kind = later->kind, .object = later->object});
}

// The event with an effect on the same object before this one, which has one too.
static uint32_t linked_before(const struct event *e)
{
    return e->old_effect == EFFECT_NONE ? NO_EVENT : e->old_group;
}

// An operation depends on events of its object that have an effect; those are linked. The end of the process depends on everything; it is
// the last event, and never an earlier one here.
static void tell_unordered(const struct subspace *s, const struct event *later, uint32_t first, uint32_t events,
                           subspace_act act, void *context)
{
    const struct exec *x = s->exec;
    if (op_table[later->kind].at_most == EFFECT_ALL) {
        for (uint32_t i = first; i < events; i++)
            tell_if_unordered(s, later, i, act, context);
        return;
    }
    const struct object *o = &x->objects[later->object];
    uint32_t e = later->effect != EFFECT_NONE ? linked_before(later) : o->effect != EFFECT_NONE ? o->group : NO_EVENT;
    for (; e != NO_EVENT && e >= first; e = linked_before(&x->events[e]))
        if (e < events)
            tell_if_unordered(s, later, e, act, context);
}

// What creating and joining order before this event. Here `must` counts events.
static uint32_t learn_of_threads(struct subspace *s, uint32_t note, uint32_t event)
{
    const struct journal *j = s->journal;
    for (; note < j->notes && j->note[note].at <= event; note++) {
        const struct journal_note *n = &j->note[note];
        if (n->kind == JOURNAL_CREATE)
            must_learn(s, &s->walkers[n->other].must, &s->walkers[n->actor].must);
        else if (n->kind == JOURNAL_JOIN)
            must_learn(s, &s->walkers[n->actor].must, &s->walkers[n->other].must);
    }
    return note;
}

void subspace_each_unordered(struct subspace *s, uint32_t first, uint32_t events, subspace_act act, void *context)
{
    const struct exec *x = s->exec;
    uint32_t note = 0;
    for (uint32_t actor = 0; actor < s->width; actor++)
        memset(s->walkers[actor].must.known, 0, s->width * sizeof *s->walkers[actor].must.known);
    s->told = 0;
    for (uint32_t later = 0; later < x->count; later++) {
        const struct event *e = &x->events[later];
        note = learn_of_threads(s, note, later);
        s->walkers[e->actor].must.known[e->actor] = e->index;
        if (later >= events && op_table[e->kind].at_most != EFFECT_NONE && !is_told(s, e))
            tell_unordered(s, e, first, events, act, context);
    }
    owe_for_unobserved(s, first, events, act, context);
}
