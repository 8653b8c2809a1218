#include "history/linearize.h"

#include <string.h>

#include "base/interrupt.h"
#include "base/time.h"
#include "history/order_search.h"

enum { LOOK_AT_CLOCK = 1024 };

void linearizer_init(struct linearizer *z, size_t bytes)
{
    *z = (struct linearizer){0};
    space_init(&z->space, bytes);
}

void linearizer_free(struct linearizer *z)
{
    space_free(&z->space);
    *z = (struct linearizer){0};
}

bool lin_late(double deadline)
{
    return interrupted() || (deadline > 0 && time_now() > deadline);
}

bool lin_may_fail(const struct spec *spec, const struct operation *op, uint64_t may_fail)
{
    int64_t failure = spec->calls[op->call].failure;
    return op->call < 64 && may_fail >> op->call & 1 && op->known && failure != VALUE_TEXTS && op->result == failure;
}

bool lin_blocks(const struct spec *spec, const void *state, size_t size, const struct operation *op, void *scratch)
{
    int64_t ignored;
    return spec->step(spec, state, size, op, 0, scratch, &ignored) == SPEC_NONE;
}

// What can come next

static bool in_rows(const struct order_search *s)
{
    return s->options->judgement == JUDGE_SEQUENTIAL;
}

static uint32_t from_node(const struct order_search *s, uint32_t node)
{
    return node == s->end || s->event[node - 1] & 1 ? NONE : s->event[node - 1] / 2;
}

static uint32_t from_row(const struct order_search *s, uint32_t row)
{
    while (row < s->rows && s->head[row] == NONE)
        row++;
    return row < s->rows ? s->head[row] : NONE;
}

// The first operation that returned and that nothing left has to precede; NONE if there is none.
static uint32_t first_open(const struct order_search *s)
{
    return in_rows(s) ? from_row(s, 0) : from_node(s, s->next[HEAD]);
}

static uint32_t next_open(const struct order_search *s, uint32_t op)
{
    return in_rows(s) ? from_row(s, s->row[op] + 1) : from_node(s, s->next[s->call_node[op]]);
}

// The node of the first return that is left: what was called after it cannot come next.
static uint32_t reach(const struct order_search *s)
{
    uint32_t node = s->next[HEAD];
    if (in_rows(s))
        return s->end;
    while (node != s->end && !(s->event[node - 1] & 1))
        node = s->next[node];
    return node;
}

static void unlink_node(struct order_search *s, uint32_t node)
{
    s->next[s->prev[node]] = s->next[node];
    s->prev[s->next[node]] = s->prev[node];
}

static void relink_node(struct order_search *s, uint32_t node)
{
    s->next[s->prev[node]] = node;
    s->prev[s->next[node]] = node;
}

static void take(struct order_search *s, uint32_t op)
{
    s->left--;
    if (in_rows(s)) {
        s->head[s->row[op]] = s->after[op];
        s->placed[op] = true;
    } else {
        unlink_node(s, s->call_node[op]);
        unlink_node(s, s->return_node[op]);
    }
}

static void put_back(struct order_search *s, uint32_t op)
{
    s->left++;
    if (in_rows(s)) {
        s->head[s->row[op]] = op;
        s->placed[op] = false;
    } else {
        relink_node(s, s->return_node[op]);
        relink_node(s, s->call_node[op]);
    }
}

static void use(struct order_search *s, uint32_t c)
{
    if (s->classes[c].used++)
        return;
    uint32_t at = s->used_count++;
    for (; at > 0 && s->used[at - 1] > c; at--)
        s->used[at] = s->used[at - 1];
    s->used[at] = c;
}

static void unuse(struct order_search *s, uint32_t c)
{
    if (--s->classes[c].used)
        return;
    uint32_t at = 0;
    while (s->used[at] != c)
        at++;
    memmove(s->used + at, s->used + at + 1, (--s->used_count - at) * sizeof *s->used);
}

static bool class_ready(const struct order_search *s, uint32_t c, uint32_t limit)
{
    const struct class *class = &s->classes[c];
    if (class->used == class->count)
        return false;
    uint32_t op = class->member[class->used];
    if (in_rows(s))
        return s->before[op] == NONE || s->placed[s->before[op]];
    return s->call_node[op] < limit;
}

// Where processes may be late, a class of one is left alone while an equal one before it is ready.
static bool class_repeats(const struct order_search *s, uint32_t c)
{
    for (uint32_t other = 0; in_rows(s) && other < c; other++)
        if (s->classes[other].label == s->classes[c].label && class_ready(s, other, s->end))
            return true;
    return false;
}

// Whether an equal operation that returned earlier could be next as well. If an order takes this one now and the other
// later, exchanging them gives an order as good: the other has to precede more, not less.
static bool has_earlier_twin(const struct order_search *s, uint32_t op)
{
    if (in_rows(s) || !s->alike[s->label[op]])
        return false;
    for (uint32_t other = first_open(s); other != NONE; other = next_open(s, other))
        if (s->label[other] == s->label[op] && s->return_node[other] < s->return_node[op])
            return true;
    return false;
}

// One step of the specification

enum step_outcome { OUT_OF_OUTCOMES, NOT_SEEN, FITS, NO_ROOM };

// The nth outcome of the operation in a state; what it leads to is in `state` if it fits what was seen.
static enum step_outcome try(struct order_search *s, uint32_t from, const struct placing *f, uint32_t *state,
                             int64_t *result)
{
    const struct operation *op = &s->ops[f->op];
    size_t size;
    bool added, fails = lin_may_fail(s->spec, op, s->options->may_fail);
    if (fails && !f->nth) {
        *state = from;
        *result = op->result;
        return FITS;
    }
    const void *bytes = pool_get(&s->states, &s->z->space, from, &size);
    size = s->spec->step(s->spec, bytes, size, op, f->nth - fails, s->scratch, result);
    if (size == SPEC_NONE)
        return OUT_OF_OUTCOMES;
    if (op->known && *result != op->result)
        return NOT_SEEN;
    *state = pool_add(&s->states, &s->z->space, s->scratch, size, &added);
    return *state == POOL_FULL ? NO_ROOM : FITS;
}

// The next outcome from f->nth on that fits.
static enum step_outcome next_outcome(struct order_search *s, struct placing *f, uint32_t *state)
{
    enum step_outcome outcome;
    while ((outcome = try(s, f->state, f, state, &f->result)) == NOT_SEEN)
        f->nth++;
    return outcome;
}

// Whether the operation below, which never returned, makes no difference to this one: then leaving it for later leads to
// the same state with more in hand.
static bool idle_before(struct order_search *s, const struct placing *f, uint32_t state)
{
    uint32_t other;
    int64_t ignored;
    if (!s->depth || s->frames[s->depth - 1].how != PENDING)
        return false;
    struct placing without = *f;
    for (without.nth = 0;; without.nth++) {
        enum step_outcome outcome = try(s, s->frames[s->depth - 1].state, &without, &other, &ignored);
        if (outcome == FITS && other == state)
            return true;
        if (outcome == OUT_OF_OUTCOMES || outcome == NO_ROOM)
            return false;
    }
}

static void push(struct order_search *s, const struct placing *f, uint32_t state)
{
    s->frames[s->depth++] = *f;
    s->state = state;
    if (s->depth > s->z->deepest)
        s->z->deepest = s->depth;
}

// Takes everything that only reads and fits: an order that has it later is as good with it here, since no state changes.
static bool absorb(struct order_search *s)
{
    for (uint32_t op = first_open(s); op != NONE;) {
        uint32_t state;
        struct placing f = {.op = op, .state = s->state, .how = BY_FORCE};
        uint32_t following = next_open(s, op);
        if (s->reads[op]) {
            enum step_outcome outcome = next_outcome(s, &f, &state);
            if (outcome == NO_ROOM)
                return false;
            if (outcome == FITS && state == s->state) {
                take(s, op);
                push(s, &f, s->state);
                // In a row the next one of the same process comes up; in the list it may be the first that was held up.
                following = in_rows(s) ? from_row(s, s->row[op]) : following;
                if (following == NONE)
                    following = first_open(s);
            }
        }
        op = following;
    }
    return true;
}

// Places

// What is left is known from the operations that could come next: whoever returns first is among them.
static uint32_t describe(struct order_search *s)
{
    uint32_t size = 0;
    s->key[size++] = s->state;
    for (uint32_t op = first_open(s); op != NONE; op = next_open(s, op))
        s->key[size++] = op;
    return size;
}

// Whether everything in `less` is in use now.
static bool covers(const struct order_search *s, const struct used *less)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < less->count; i++) {
        while (at < s->used_count && s->used[at] < less->of[i].class)
            at++;
        if (at == s->used_count || s->used[at] != less->of[i].class ||
            s->classes[s->used[at]].used < less->of[i].members)
            return false;
    }
    return true;
}

static bool make_use_room(struct order_search *s, uint32_t place)
{
    if (place < s->use_room)
        return true;
    uint32_t room = 2 * s->use_room + 64;
    struct uses *more = space_take(&s->z->space, room, sizeof *more);
    if (more && s->use_room)
        memcpy(more, s->uses, s->use_room * sizeof *more);
    s->uses = more;
    s->use_room = room;
    return more != NULL;
}

static bool keep_uses(struct order_search *s, uint32_t place, bool first)
{
    struct used *used = space_take(&s->z->space, 1, sizeof *used + s->used_count * sizeof *used->of);
    if (!used || !make_use_room(s, place))
        return false;
    used->count = s->used_count;
    for (uint32_t i = 0; i < s->used_count; i++) {
        used->of[i].class = s->used[i];
        used->of[i].members = s->classes[s->used[i]].used;
    }
    used->next = first ? NULL : s->uses[place].first;
    s->uses[place].first = used;
    return true;
}

static bool over_limit(struct order_search *s)
{
    const struct lin_options *o = s->options;
    if (o->max_visited && s->places >= o->max_visited)
        s->z->reason = "places";
    else if (s->places % LOOK_AT_CLOCK == 0 && lin_late(o->deadline))
        s->z->reason = "time";
    return s->z->reason != NULL;
}

enum arrival { NEW, KNOWN, OVER };

static enum arrival arrive(struct order_search *s)
{
    bool added;
    if (over_limit(s))
        return OVER;
    uint32_t size = describe(s);
    uint32_t place = pool_add(&s->visited, &s->z->space, s->key, size * sizeof *s->key, &added);
    if (place == POOL_FULL)
        return OVER;
    s->places += added || s->class_count;
    if (!s->class_count)
        return added ? NEW : KNOWN;
    // Who was here with less in use had every choice there is now.
    for (const struct used *less = added ? NULL : s->uses[place].first; less; less = less->next)
        if (covers(s, less))
            return KNOWN;
    return keep_uses(s, place, added) ? NEW : OVER;
}

static bool accepted(struct order_search *s)
{
    size_t size;
    if (!s->options->accept)
        return true;
    const void *bytes = pool_get(&s->states, &s->z->space, s->state, &size);
    return s->options->accept(s->options->accept_context, bytes, size);
}

// Choices, in this order: what returned, by rank; then a class after the other. A cursor is a frame that says
// what was tried last (nth: the next outcome to try), with `op` NONE before the first.

static uint32_t class_of(const struct order_search *s, uint32_t op)
{
    for (uint32_t c = 0;; c++)
        if (s->classes[c].used < s->classes[c].count && s->classes[c].member[s->classes[c].used] == op)
            return c;
}

static uint32_t pending_from(const struct order_search *s, uint32_t c)
{
    uint32_t limit = reach(s);
    for (; c < s->class_count; c++)
        if (class_ready(s, c, limit) && !class_repeats(s, c))
            return s->classes[c].member[s->classes[c].used];
    return NONE;
}

// Of those that returned, the one of lowest rank above that of `above` (NONE: of all), if it is worth trying.
static uint32_t ranked_open(const struct order_search *s, uint32_t above)
{
    uint32_t best = NONE;
    for (uint32_t op = first_open(s); op != NONE; op = next_open(s, op)) {
        if ((above != NONE && s->rank[op] <= s->rank[above]) || (best != NONE && s->rank[op] >= s->rank[best]))
            continue;
        if ((!s->reads[op] || s->options->guess_reads) && !has_earlier_twin(s, op))
            best = op;
    }
    return best;
}

// Moves the cursor to the next operation; false at the end.
static bool next_choice(const struct order_search *s, struct placing *f)
{
    f->nth = 0;
    if (f->how == BY_CHOICE) {
        f->op = ranked_open(s, f->op);
        if (f->op != NONE)
            return true;
        f->how = PENDING;
        f->op = pending_from(s, 0);
    } else {
        f->op = pending_from(s, class_of(s, f->op) + 1);
    }
    return f->op != NONE;
}

enum descent { DOWN, DEAD_END, STOPPED };

// Takes the next choice that fits, from the cursor on.
static enum descent descend(struct order_search *s, struct placing *f)
{
    while (f->op != NONE || next_choice(s, f)) {
        uint32_t state;
        enum step_outcome outcome = next_outcome(s, f, &state);
        if (outcome == NO_ROOM)
            return STOPPED;
        if (outcome == FITS && !(f->how == PENDING && state == f->state) && !idle_before(s, f, state)) {
            if (f->how == PENDING)
                use(s, class_of(s, f->op));
            else
                take(s, f->op);
            push(s, f, state);
            return DOWN;
        }
        if (outcome == FITS)
            f->nth++;
        else if (!next_choice(s, f))
            break;
    }
    return DEAD_END;
}

// The class whose newest member in use is this operation.
static uint32_t class_in_use(const struct order_search *s, uint32_t op)
{
    for (uint32_t i = 0;; i++) {
        const struct class *class = &s->classes[s->used[i]];
        if (class->member[class->used - 1] == op)
            return s->used[i];
    }
}

// Back to the newest choice; the cursor is then behind it. False if there is none.
static bool back(struct order_search *s, struct placing *f)
{
    while (s->depth) {
        *f = s->frames[--s->depth];
        if (f->how == PENDING)
            unuse(s, class_in_use(s, f->op));
        else
            put_back(s, f->op);
        s->state = f->state;
        f->nth++;
        if (f->how != BY_FORCE)
            return true;
    }
    return false;
}

static void keep_order(struct order_search *s)
{
    for (uint32_t i = 0; i < s->depth; i++)
        s->z->order[i] = (struct lin_step){s->frames[i].op, s->frames[i].result};
    s->z->order_count = s->depth;
}

static enum verdict search(struct order_search *s)
{
    for (;;) {
        struct placing cursor = {.op = NONE, .how = BY_CHOICE};
        if (!absorb(s))
            return VERDICT_UNKNOWN;
        cursor.state = s->state;
        bool done = !s->left && accepted(s);
        if (done) {
            keep_order(s);
            return VERDICT_YES;
        }
        enum arrival arrival = arrive(s);
        if (arrival == OVER)
            return VERDICT_UNKNOWN;
        enum descent way = arrival == NEW ? descend(s, &cursor) : DEAD_END;
        while (way == DEAD_END && back(s, &cursor))
            way = descend(s, &cursor);
        if (way != DOWN)
            return way == STOPPED ? VERDICT_UNKNOWN : VERDICT_NO;
    }
}

enum verdict linearize(struct linearizer *z, const struct spec *spec, const struct operation *ops, uint32_t count,
                       const struct lin_options *options)
{
    struct order_search s = {.z = z, .spec = spec, .ops = ops, .count = count, .options = options};
    space_clear(&z->space);
    z->order_count = 0;
    z->deepest = 0;
    z->reason = NULL;
    enum verdict verdict = order_search_prepare(&s) ? search(&s) : VERDICT_UNKNOWN;
    z->visited = s.places;
    if (verdict == VERDICT_UNKNOWN && !z->reason)
        z->reason = "memory";
    return verdict;
}
