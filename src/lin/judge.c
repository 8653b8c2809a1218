#include "lin/judge.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "lin/layers.h"
#include "lin/stale.h"
#include "lin/unique.h"

enum { NONE = UINT32_MAX, GUESS_PLACES = 200000 };

static void *room_for(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    require(memory);
    return memory;
}

// Taking apart

static int64_t key_of(const struct op *op, bool by_argument)
{
    return by_argument ? op->argument[0] : op->key;
}

struct keyed_index {
    int64_t key;
    uint32_t index;
};

static int compare_keys(const void *a, const void *b)
{
    const struct keyed_index *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

// Sorts operations by key, keeping their order; gives where each key begins and, behind the last, the end.
static uint32_t split(struct op *ops, uint32_t *origin, uint32_t count, bool by_argument, uint32_t *starts)
{
    struct keyed_index *sorted = room_for(count, sizeof *sorted);
    struct op *copy = room_for(count, sizeof *copy);
    uint32_t *old = room_for(count, sizeof *old), parts = 0;
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = (struct keyed_index){key_of(&ops[i], by_argument), i};
    qsort(sorted, count, sizeof *sorted, compare_keys);
    memcpy(copy, ops, count * sizeof *ops);
    memcpy(old, origin, count * sizeof *old);
    for (uint32_t i = 0; i < count; i++) {
        ops[i] = copy[sorted[i].index];
        origin[i] = old[sorted[i].index];
        if (!i || sorted[i].key != sorted[i - 1].key)
            starts[parts++] = i;
    }
    starts[parts] = count;
    free(sorted);
    free(copy);
    free(old);
    return parts;
}

static void normalise(struct op *ops, uint32_t count, enum judgement judgement)
{
    uint32_t *order = room_for(2 * (size_t)count, sizeof *order),
             *scratch = room_for(2 * (size_t)count, sizeof *scratch);
    uint32_t events = history_order(ops, count, order, scratch);
    if (judgement == JUDGE_QUIESCENT)
        history_blur(order, scratch, events);
    history_rank(ops, order, events);
    free(order);
    free(scratch);
}

static void add_part(struct judged *judged, const struct op *ops, const uint32_t *origin, uint32_t count, bool keyed)
{
    struct part *part = &judged->parts[judged->count++];
    *part = (struct part){.object = VALUE_NIL, .key = VALUE_NIL, .count = count};
    part->ops = room_for(count, sizeof *part->ops);
    part->origin = room_for(count, sizeof *part->origin);
    memcpy(part->ops, ops, count * sizeof *ops);
    memcpy(part->origin, origin, count * sizeof *origin);
    if (count) {
        part->object = ops[0].key;
        part->key = keyed ? ops[0].argument[0] : VALUE_NIL;
    }
    part->verdict.unjustified = NONE;
}

// One object. Its keys are apart for what respects an order of time, but not for what is only in order in each process.
static void split_object(struct judged *judged, struct op *ops, uint32_t *origin, uint32_t count)
{
    normalise(ops, count, judged->options.judgement);
    if (!judged->spec->by_argument || judged->options.judgement == JUDGE_SEQUENTIAL) {
        add_part(judged, ops, origin, count, false);
        return;
    }
    uint32_t *starts = room_for(count, sizeof *starts);
    uint32_t parts = split(ops, origin, count, true, starts);
    judged->keyed = true;
    for (uint32_t i = 0; i < parts; i++)
        add_part(judged, ops + starts[i], origin + starts[i], starts[i + 1] - starts[i], true);
    free(starts);
}

void judge_begin(struct judged *judged, const struct spec *spec, const struct op *ops, uint32_t count,
                 const struct judge_options *options)
{
    struct op *copy = room_for(count, sizeof *copy);
    uint32_t *origin = room_for(count, sizeof *origin), *starts = room_for(count, sizeof *starts);
    *judged = (struct judged){.spec = spec, .options = *options, .verdict = VERDICT_UNKNOWN};
    judged->parts = room_for(count + 1, sizeof *judged->parts);
    memcpy(copy, ops, count * sizeof *ops);
    for (uint32_t i = 0; i < count; i++)
        origin[i] = i;
    uint32_t objects = split(copy, origin, count, false, starts);
    for (uint32_t i = 0; i < objects; i++)
        split_object(judged, copy + starts[i], origin + starts[i], starts[i + 1] - starts[i]);
    free(copy);
    free(origin);
    free(starts);
}

void judge_free(struct judged *judged)
{
    for (uint32_t i = 0; i < judged->count; i++) {
        free(judged->parts[i].ops);
        free(judged->parts[i].origin);
        free(judged->parts[i].order);
    }
    free(judged->parts);
    *judged = (struct judged){0};
}

// Judging

struct waiting {
    const struct spec *spec;
    const struct op *op;
    void *scratch;
};

static bool waits(void *context, const void *state, size_t size)
{
    struct waiting *w = context;
    return lin_blocks(w->spec, state, size, w->op, w->scratch);
}

static struct part_verdict search(struct linearizer *z, const struct spec *spec, const struct op *ops, uint32_t count,
                                  const struct lin_options *options)
{
    enum verdict verdict = linearize(z, spec, ops, count, options);
    return (struct part_verdict){verdict, true, z->visited, z->deepest, z->reason, NONE};
}

// A user's model does not say which calls only read. Guessing it finds an order among many clients where nothing else does;
// each step of the order is one that the model allows.
static struct part_verdict search_with_guess(struct linearizer *z, const struct spec *spec, const struct op *ops,
                                             uint32_t count, const struct lin_options *options)
{
    struct lin_options guess = *options;
    guess.guess_reads = true;
    guess.max_visited = guess.max_visited && guess.max_visited < GUESS_PLACES ? guess.max_visited : GUESS_PLACES;
    return search(z, spec, ops, count, &guess);
}

// As Line-Up has it: for each operation that never returned, an order of all that did, at whose end it has to wait.
static struct part_verdict judge_stuck(struct linearizer *z, const struct spec *spec, const struct op *ops,
                                       uint32_t count, const struct lin_options *options)
{
    void *scratch = room_for(spec->room(spec, ops, count), 1);
    struct waiting waiting = {spec, NULL, scratch};
    struct lin_options alone = *options;
    alone.ignore_pending = true;
    struct part_verdict answer = search(z, spec, ops, count, &alone);
    alone.accept = waits;
    alone.accept_context = &waiting;
    for (uint32_t i = 0; i < count && answer.verdict == VERDICT_YES; i++) {
        if (!op_pending(&ops[i]))
            continue;
        waiting.op = &ops[i];
        answer = search(z, spec, ops, count, &alone);
        if (answer.verdict == VERDICT_NO)
            answer.unjustified = i;
    }
    free(scratch);
    return answer;
}

struct part_verdict judge_part(struct linearizer *z, const struct spec *spec, const struct op *ops, uint32_t count,
                               const struct judge_options *options)
{
    struct lin_options search_options = {
        // A part's times are blurred already.
        .judgement = options->judgement == JUDGE_QUIESCENT ? JUDGE_LINEARIZABLE : options->judgement,
        .may_fail = options->may_fail,
        .max_visited = options->max_visited,
        .deadline = options->deadline,
    };
    z->reason = NULL;
    if (options->stuck)
        return judge_stuck(z, spec, ops, count, &search_options);
    if (!options->search_only) {
        enum verdict verdict = unique_check(&z->space, spec, ops, count, &search_options);
        uint64_t visited = 0;
        if (verdict == VERDICT_UNKNOWN && stale_read(&z->space, spec, ops, count, &search_options))
            verdict = VERDICT_NO;
        if (verdict == VERDICT_UNKNOWN)
            verdict = layers_check(spec, ops, count, &search_options, z->space.room, &visited);
        if (verdict != VERDICT_UNKNOWN)
            return (struct part_verdict){.verdict = verdict, .visited = visited, .unjustified = NONE};
    }
    if (spec->own && !options->search_only) {
        struct part_verdict guessed = search_with_guess(z, spec, ops, count, &search_options);
        if (guessed.verdict == VERDICT_YES)
            return guessed;
        struct part_verdict sure = search(z, spec, ops, count, &search_options);
        sure.deepest = guessed.deepest > sure.deepest ? guessed.deepest : sure.deepest;
        return sure;
    }
    return search(z, spec, ops, count, &search_options);
}

static void keep_order(struct part *part, const struct linearizer *z)
{
    part->order = room_for(z->order_count, sizeof *part->order);
    part->order_count = z->order_count;
    memcpy(part->order, z->order, z->order_count * sizeof *part->order);
}

// The order comes from the search; where that gives up, a shortcut may still give the verdict.
static void judge_with_order(struct judged *judged, struct linearizer *z, struct part *part)
{
    struct judge_options options = judged->options;
    options.search_only = true;
    part->verdict = judge_part(z, judged->spec, part->ops, part->count, &options);
    if (part->verdict.verdict == VERDICT_YES)
        keep_order(part, z);
    else if (part->verdict.verdict == VERDICT_UNKNOWN)
        part->verdict = judge_part(z, judged->spec, part->ops, part->count, &judged->options);
}

void judge_all(struct judged *judged, struct linearizer *z, bool orders)
{
    judged->verdict = VERDICT_YES;
    for (uint32_t i = 0; i < judged->count; i++) {
        struct part *part = &judged->parts[i];
        if (orders)
            judge_with_order(judged, z, part);
        else
            part->verdict = judge_part(z, judged->spec, part->ops, part->count, &judged->options);
        if (part->verdict.verdict == VERDICT_NO || judged->verdict == VERDICT_YES)
            judged->verdict = part->verdict.verdict == VERDICT_YES ? judged->verdict : part->verdict.verdict;
    }
}
