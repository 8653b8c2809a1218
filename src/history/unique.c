#include "history/unique.h"

#include <string.h>

#include "history/models.h"
#include "history/timing.h"

enum { NONE = UINT32_MAX };

// Queues, after Henzinger, Sezgin and Vafeiadis ("Aspect-oriented linearizability proofs", 2013). A value comes out once,
// and not before it went in; of two values that went in one after the other the second does not come out and the first
// not, or only later. A dequeue that found nothing needs a cut of the history: what came before it, all that precedes
// something in it, and with one operation on a value the other.

struct value_life {
    uint32_t in, out; // operations, or NONE
};

struct life_queue {
    const struct operation *ops;
    uint32_t count;
    struct timing time;
    struct pool values;
    struct value_life *items;
    uint32_t *item; // of each operation; NONE if it found nothing or is left out
    bool *empty;    // found nothing
    bool takers;    // some dequeue never returned
    bool left_over; // some value stays inside
    bool no_room;
};

// YES: sorted; NO: a value came out twice; UNKNOWN: not of this kind.
static enum verdict sort_items(struct life_queue *q, struct space *space, const struct spec *spec,
                               const struct lin_options *options)
{
    enum verdict verdict = VERDICT_YES;
    bool added;
    for (uint32_t i = 0; i < q->count; i++) {
        const struct operation *op = &q->ops[i];
        bool in = op->call == QUEUE_PUT;
        q->item[i] = NONE;
        q->empty[i] = false;
        if (!in && operation_pending(op)) {
            q->takers = true;
            continue;
        }
        if (!in && !op->known)
            return VERDICT_UNKNOWN;
        if (lin_may_fail(spec, op, options->may_fail))
            continue;
        int64_t value = in ? op->argument[0] : op->result;
        if (value == VALUE_NIL) {
            if (in || op->call == QUEUE_TAKE)
                return VERDICT_UNKNOWN;
            q->empty[i] = true;
            continue;
        }
        q->item[i] = pool_add(&q->values, space, &value, sizeof value, &added);
        if (q->item[i] == POOL_FULL)
            return VERDICT_UNKNOWN;
        struct value_life *item = &q->items[q->item[i]];
        if (added)
            *item = (struct value_life){NONE, NONE};
        if (in && item->in != NONE)
            return VERDICT_UNKNOWN;
        if (!in && item->out != NONE)
            verdict = VERDICT_NO;
        *(in ? &item->in : &item->out) = i;
    }
    return verdict;
}

static int64_t out_call(const struct life_queue *q, const struct value_life *item)
{
    return item->out == NONE ? TIMING_NEVER : q->time.call[item->out];
}

// Each value on its own. An enqueue that never returned and whose value never came out had no effect.
static bool items_fit(struct life_queue *q)
{
    for (uint32_t v = 0; v < q->values.count; v++) {
        struct value_life *item = &q->items[v];
        if (item->in == NONE)
            return false;
        if (item->out != NONE && q->time.back[item->out] < q->time.call[item->in])
            return false;
        if (item->out == NONE && operation_pending(&q->ops[item->in]))
            q->item[item->in] = NONE;
        else if (item->out == NONE)
            q->left_over = true;
    }
    return true;
}

// Values that stayed inside and are in the way from a certain return on, each by that return.
struct urgent {
    uint32_t *first, *next; // by event, and by value
};

static bool urgent_begin(struct urgent *u, const struct life_queue *q, struct space *space)
{
    u->first = space_take(space, q->time.events + 1, sizeof *u->first);
    u->next = space_take(space, q->values.count + 1, sizeof *u->next);
    if (!u->first || !u->next)
        return false;
    memset(u->first, 0xff, (q->time.events + 1) * sizeof *u->first);
    return true;
}

static void urgent_add(struct urgent *u, uint32_t value, int64_t back)
{
    u->next[value] = u->first[back];
    u->first[back] = value;
}

// One of those that never returned may have taken such a value, if it was called before the return that the value cannot
// outlast; the value whose time is up first gets the one that was called first. False: there are not enough of them.
static bool give_to_takers(struct life_queue *q, struct space *space, const struct urgent *u)
{
    uint32_t *takers = space_take(space, q->count + 1, sizeof *takers), given = 0, called = 0;
    if (!takers)
        return q->no_room = true;
    for (uint32_t e = 0; e < q->time.events; e++) {
        uint32_t i = q->time.event[e] / 2;
        if (!(q->time.event[e] & 1) && operation_pending(&q->ops[i]) && q->ops[i].call != QUEUE_PUT)
            takers[called++] = i;
        for (uint32_t v = u->first[e]; v != NONE; v = u->next[v]) {
            if (given == called)
                return false;
            q->items[v].out = takers[given++];
        }
    }
    return true;
}

// A value that stays inside is in the way of those that went in after it and came out.
static bool in_order(struct life_queue *q, struct space *space)
{
    struct urgent urgent;
    if (!urgent_begin(&urgent, q, space))
        return q->no_room = true;
    int64_t first = TIMING_NEVER; // return of a dequeue among the values that went in later
    for (uint32_t e = q->time.events; e-- > 0;) {
        uint32_t i = q->time.event[e] / 2, v = q->item[i];
        if (v == NONE || q->ops[i].call != QUEUE_PUT)
            continue;
        const struct value_life *item = &q->items[v];
        if (!(q->time.event[e] & 1)) {
            first = earlier(first, item->out == NONE ? TIMING_NEVER : q->time.back[item->out]);
        } else if (out_call(q, item) > first) {
            if (item->out != NONE)
                return false;
            urgent_add(&urgent, v, first);
        }
    }
    return give_to_takers(q, space, &urgent);
}

// The cuts of dequeues that found nothing contain each other in the order of the calls, so one sweep finds them all: in
// the cut is what returned before `cut`, with its partners.
static bool empties_fit(const struct life_queue *q)
{
    int64_t cut = -1;
    uint32_t seen = 0;
    for (uint32_t e = 0; e < q->time.events; e++) {
        uint32_t d = q->time.event[e] / 2;
        if (q->time.event[e] & 1 || !q->empty[d])
            continue;
        cut = later(cut, e);
        for (; seen < cut && seen < q->time.events; seen++) {
            uint32_t i = q->time.event[seen] / 2;
            if (q->time.event[seen] & 1 && q->item[i] != NONE)
                cut = later(cut, out_call(q, &q->items[q->item[i]]));
        }
        if (cut > q->time.back[d])
            return false;
    }
    return true;
}

// What the history says about each value; as sort_items, and NO if a value cannot have come and gone like that.
static enum verdict queue_begin(struct life_queue *q, struct space *space, const struct spec *spec,
                                const struct lin_options *options)
{
    if (!time_operations(space, q->ops, q->count, &q->time) || !pool_init(&q->values, space, NULL))
        return VERDICT_UNKNOWN;
    q->items = space_take(space, q->count + 1, sizeof *q->items);
    q->item = space_take(space, q->count + 1, sizeof *q->item);
    q->empty = space_take(space, q->count + 1, sizeof *q->empty);
    if (!q->items || !q->item || !q->empty)
        return VERDICT_UNKNOWN;
    enum verdict verdict = sort_items(q, space, spec, options);
    if (verdict != VERDICT_YES)
        return verdict;
    return items_fit(q) ? VERDICT_YES : VERDICT_NO;
}

static enum verdict queue_check(struct space *space, const struct spec *spec, const struct operation *ops,
                                uint32_t count, const struct lin_options *options)
{
    struct life_queue q = {.ops = ops, .count = count};
    enum verdict verdict = queue_begin(&q, space, spec, options);
    if (verdict != VERDICT_YES)
        return verdict;
    if (!in_order(&q, space))
        return VERDICT_NO;
    if (q.no_room)
        return VERDICT_UNKNOWN;
    if (empties_fit(&q))
        return VERDICT_YES;
    // A dequeue that never returned may have taken the value that should not be there.
    return q.takers && q.left_over ? VERDICT_UNKNOWN : VERDICT_NO;
}

// Stacks. A value is certainly inside from the return of its push to the call of its pop: its *span*. One without a span can
// be pushed and popped at one moment, and is in nobody's way. At a moment that no span covers there may be nothing inside:
// what is there in some order has its span before, and can be popped then, or after, and can be pushed then. So what lies
// before and after such a moment can be looked at by itself. In between, one value has to be at the bottom all the time: one
// that was called to be pushed before the first span begins, and whose pop returned after the last one ends. If there is
// such a value it may as well be that one, and what is left decides; if there is none there is no order. A pop that found
// nothing needs a moment that no span covers.

struct time_span {
    int64_t in_call, from, to, out_back;
};

struct slice {
    uint32_t first, end;
};

// In the order in which they begin; false if there is no room.
static struct time_span *find_spans(const struct life_queue *q, struct space *space, uint32_t *count)
{
    struct time_span *spans = space_take(space, q->values.count + 1, sizeof *spans);
    *count = 0;
    for (uint32_t e = 0; spans && e < q->time.events; e++) {
        uint32_t i = q->time.event[e] / 2;
        if (!(q->time.event[e] & 1) || q->item[i] == NONE || q->ops[i].call != QUEUE_PUT)
            continue;
        const struct value_life *item = &q->items[q->item[i]];
        if (out_call(q, item) > e)
            spans[(*count)++] = (struct time_span){q->time.call[i], e, out_call(q, item),
                                                   item->out == NONE ? TIMING_NEVER : q->time.back[item->out]};
    }
    return spans;
}

static bool empty_pops_fit(const struct life_queue *q, const struct time_span *spans, uint32_t count)
{
    int64_t covered = -1; // up to here, by the spans that began before
    uint32_t next = 0;
    for (uint32_t e = 0; e < q->time.events; e++) {
        uint32_t d = q->time.event[e] / 2;
        if (q->time.event[e] & 1 || !q->empty[d])
            continue;
        while (next < count && spans[next].from < later(e, covered)) {
            covered = later(covered, spans[next].to);
            next++;
        }
        if (later(e, covered) >= q->time.back[d])
            return false;
    }
    return true;
}

// Takes out of the slice, all of whose spans hang together, those that can be at the bottom; false if there is none.
static bool take_bottom(struct time_span *spans, struct slice *slice, int64_t end)
{
    int64_t begin = spans[slice->first].from;
    uint32_t kept = slice->first;
    for (uint32_t i = slice->first; i < slice->end; i++)
        if (spans[i].in_call > begin || spans[i].out_back < end)
            spans[kept++] = spans[i];
    bool some = kept < slice->end;
    slice->end = kept;
    return some;
}

static enum verdict nest(struct time_span *spans, uint32_t count, struct space *space,
                         const struct lin_options *options)
{
    struct slice *open = space_take(space, count + 1, sizeof *open);
    uint32_t depth = 0, rounds = 0;
    if (!open)
        return VERDICT_UNKNOWN;
    open[depth++] = (struct slice){0, count};
    while (depth) {
        struct slice all = open[--depth];
        if (rounds++ % 64 == 0 && lin_late(options->deadline))
            return VERDICT_UNKNOWN;
        for (uint32_t i = all.first; i < all.end;) {
            struct slice part = {i, i};
            int64_t end = spans[i].to;
            for (; i < all.end && spans[i].from <= end; i++)
                end = later(end, spans[i].to);
            part.end = i;
            if (!take_bottom(spans, &part, end))
                return VERDICT_NO;
            if (part.end > part.first)
                open[depth++] = part;
        }
    }
    return VERDICT_YES;
}

// A value that stays inside is in the way of one that was below it for certain and came out, and of a pop that found nothing.
// The first return that it cannot outlast: of the values that were pushed before it was, those whose pop was called after
// its push returned are in `lowest`, a tree of the least return by the place of the call, counted from the end.

static void keep_lowest(int64_t *lowest, uint32_t places, uint32_t place, int64_t back)
{
    for (uint32_t at = places - place; at <= places; at += at & -at)
        lowest[at] = earlier(lowest[at], back);
}

static int64_t lowest_after(const int64_t *lowest, uint32_t places, uint32_t place)
{
    int64_t least = TIMING_NEVER;
    for (uint32_t at = places - place - 1; at; at -= at & -at)
        least = earlier(least, lowest[at]);
    return least;
}

static bool find_urgent_in_stack(const struct life_queue *q, struct space *space, struct urgent *urgent)
{
    uint32_t places = q->time.events;
    int64_t *lowest = space_take(space, places + 1, sizeof *lowest);
    if (!lowest || !urgent_begin(urgent, q, space))
        return false;
    for (uint32_t at = 0; at <= places; at++)
        lowest[at] = TIMING_NEVER;
    // A pop that found nothing minds whatever was pushed before it was called, whenever that was.
    for (uint32_t i = 0; i < q->count; i++)
        if (q->empty[i])
            keep_lowest(lowest, places, (uint32_t)q->time.call[i], q->time.back[i]);
    for (uint32_t e = 0; e < places; e++) {
        uint32_t i = q->time.event[e] / 2, v = q->item[i];
        if (v == NONE || q->ops[i].call != QUEUE_PUT)
            continue;
        const struct value_life *item = &q->items[v];
        if (q->time.event[e] & 1 && item->out != NONE) {
            keep_lowest(lowest, places, (uint32_t)q->time.call[item->out], q->time.back[item->out]);
        } else if (!(q->time.event[e] & 1) && item->out == NONE) {
            int64_t back = lowest_after(lowest, places, (uint32_t)q->time.back[i]);
            if (back != TIMING_NEVER)
                urgent_add(urgent, v, back);
        }
    }
    return true;
}

static enum verdict check_spans(const struct life_queue *q, struct space *space, const struct lin_options *options)
{
    uint32_t count;
    struct time_span *spans = find_spans(q, space, &count);
    if (!spans)
        return VERDICT_UNKNOWN;
    return empty_pops_fit(q, spans, count) ? nest(spans, count, space, options) : VERDICT_NO;
}

// A pop that never returned may have taken a value that is in the way. Which of them are is known in nearly all cases; if
// it does not work out then, nobody knows.
static enum verdict stack_check(struct space *space, const struct spec *spec, const struct operation *ops,
                                uint32_t count, const struct lin_options *options)
{
    struct life_queue q = {.ops = ops, .count = count};
    struct urgent urgent;
    enum verdict verdict = queue_begin(&q, space, spec, options);
    if (verdict != VERDICT_YES)
        return verdict;
    verdict = check_spans(&q, space, options);
    if (verdict != VERDICT_NO || !q.takers || !q.left_over)
        return verdict;
    if (!find_urgent_in_stack(&q, space, &urgent))
        return VERDICT_UNKNOWN;
    if (!give_to_takers(&q, space, &urgent))
        return VERDICT_NO;
    return !q.no_room && check_spans(&q, space, options) == VERDICT_YES ? VERDICT_YES : VERDICT_UNKNOWN;
}

enum verdict unique_check(struct space *space, const struct spec *spec, const struct operation *ops, uint32_t count,
                          const struct lin_options *options)
{
    space_clear(space);
    if (!count || options->judgement != JUDGE_LINEARIZABLE || options->ignore_pending || options->accept)
        return VERDICT_UNKNOWN;
    if (spec->step == spec_register.step || spec->step == spec_map.step)
        return unique_register_check(space, spec, ops, count, options);
    if (spec->step == spec_queue.step)
        return queue_check(space, spec, ops, count, options);
    if (spec->step == spec_stack.step)
        return stack_check(space, spec, ops, count, options);
    return VERDICT_UNKNOWN;
}
