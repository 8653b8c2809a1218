#include "history/judge.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "history/layers.h"
#include "history/own_model.h"
#include "history/stale.h"
#include "history/unique.h"

enum { NONE = UINT32_MAX };

// Taking apart

static bool has_keys(const struct spec *spec)
{
    return spec->by_argument || spec->about;
}

// Of a specification that has keys; null: the object that the operation belongs to.
static int64_t key_of(const struct operation *op, const struct spec *spec)
{
    if (!spec)
        return op->key;
    return spec->about ? spec->about(spec, op) : op->argument[0];
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
static uint32_t split(struct operation *ops, uint32_t *origin, uint32_t count, const struct spec *spec,
                      uint32_t *starts)
{
    struct keyed_index *sorted = alloc_ended(count, sizeof *sorted);
    struct operation *copy = alloc_ended(count, sizeof *copy);
    uint32_t *old = alloc_ended(count, sizeof *old), parts = 0;
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = (struct keyed_index){key_of(&ops[i], spec), i};
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

static void normalise(struct operation *ops, uint32_t count, enum judgement judgement)
{
    uint32_t *order = alloc_ended(2 * (size_t)count, sizeof *order),
             *scratch = alloc_ended(2 * (size_t)count, sizeof *scratch);
    uint32_t events = history_order(ops, count, order, scratch);
    if (judgement == JUDGE_QUIESCENT)
        history_blur(order, scratch, events);
    history_rank(ops, order, events);
    free(order);
    free(scratch);
}

static void add_part(struct judged *judged, const struct operation *ops, const uint32_t *origin, uint32_t count,
                     bool keyed)
{
    struct judged_part *part = &judged->parts[judged->count++];
    *part = (struct judged_part){.object = VALUE_NIL, .key = VALUE_NIL, .count = count};
    part->ops = alloc_ended(count, sizeof *part->ops);
    part->origin = alloc_ended(count, sizeof *part->origin);
    memcpy(part->ops, ops, count * sizeof *ops);
    memcpy(part->origin, origin, count * sizeof *origin);
    if (count) {
        part->object = ops[0].key;
        part->key = keyed ? key_of(&ops[0], judged->spec) : VALUE_NIL;
    }
    part->verdict.unjustified = NONE;
}

// One object. Its keys are apart for what respects an order of time, but not for what is only in order in each process.
static void split_object(struct judged *judged, struct operation *ops, uint32_t *origin, uint32_t count)
{
    normalise(ops, count, judged->options.judgement);
    if (!has_keys(judged->spec) || judged->options.judgement == JUDGE_SEQUENTIAL) {
        add_part(judged, ops, origin, count, false);
        return;
    }
    uint32_t *starts = alloc_ended(count, sizeof *starts);
    uint32_t parts = split(ops, origin, count, judged->spec, starts);
    judged->keyed = true;
    for (uint32_t i = 0; i < parts; i++)
        add_part(judged, ops + starts[i], origin + starts[i], starts[i + 1] - starts[i], true);
    free(starts);
}

void judge_begin(struct judged *judged, const struct spec *spec, const struct operation *ops, uint32_t count,
                 const struct judge_options *options)
{
    struct operation *copy = alloc_ended(count, sizeof *copy);
    uint32_t *origin = alloc_ended(count, sizeof *origin), *starts = alloc_ended(count, sizeof *starts);
    *judged = (struct judged){.spec = spec, .options = *options, .verdict = VERDICT_UNKNOWN};
    judged->parts = alloc_ended(count + 1, sizeof *judged->parts);
    memcpy(copy, ops, count * sizeof *ops);
    for (uint32_t i = 0; i < count; i++)
        origin[i] = i;
    uint32_t objects = split(copy, origin, count, NULL, starts);
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
    const struct operation *op;
    void *scratch;
};

static bool waits(void *context, const void *state, size_t size)
{
    struct waiting *w = context;
    return lin_blocks(w->spec, state, size, w->op, w->scratch);
}

static struct part_verdict search(struct linearizer *z, const struct spec *spec, const struct operation *ops,
                                  uint32_t count, const struct lin_options *options)
{
    enum verdict verdict = linearize(z, spec, ops, count, options);
    return (struct part_verdict){verdict, true, z->visited, z->deepest, z->reason, NONE};
}

// As Line-Up has it: for each operation that never returned, an order of all that did, at whose end it has to wait.
static struct part_verdict judge_stuck(struct linearizer *z, const struct spec *spec, const struct operation *ops,
                                       uint32_t count, const struct lin_options *options)
{
    void *scratch = alloc_ended(spec->room(spec, ops, count), 1);
    struct waiting waiting = {spec, NULL, scratch};
    struct lin_options alone = *options;
    alone.ignore_pending = true;
    struct part_verdict answer = search(z, spec, ops, count, &alone);
    alone.accept = waits;
    alone.accept_context = &waiting;
    for (uint32_t i = 0; i < count && answer.verdict == VERDICT_YES; i++) {
        if (!operation_pending(&ops[i]))
            continue;
        waiting.op = &ops[i];
        answer = search(z, spec, ops, count, &alone);
        if (answer.verdict == VERDICT_NO)
            answer.unjustified = i;
    }
    free(scratch);
    return answer;
}

struct part_verdict judge_part(struct linearizer *z, const struct spec *spec, const struct operation *ops,
                               uint32_t count, const struct judge_options *options)
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
    if (spec->own)
        return own_model_judge(z, spec, ops, count, &search_options, !options->search_only);
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
    return search(z, spec, ops, count, &search_options);
}

static void keep_order(struct judged_part *part, const struct linearizer *z)
{
    part->order = alloc_ended(z->order_count, sizeof *part->order);
    part->order_count = z->order_count;
    memcpy(part->order, z->order, z->order_count * sizeof *part->order);
}

// An order comes from a search. Where that gives up, the verdict of a shortcut stands without one.
static void judge_with_order(struct judged *judged, struct linearizer *z, struct judged_part *part)
{
    struct judge_options options = judged->options;
    part->verdict = judge_part(z, judged->spec, part->ops, part->count, &options);
    if (part->verdict.verdict != VERDICT_YES)
        return;
    struct part_verdict searched = part->verdict;
    options.search_only = true;
    if (!searched.searched)
        searched = judge_part(z, judged->spec, part->ops, part->count, &options);
    if (searched.verdict != VERDICT_YES)
        return;
    part->verdict = searched;
    keep_order(part, z);
}

void judge_all(struct judged *judged, struct linearizer *z, bool orders)
{
    judged->verdict = VERDICT_YES;
    for (uint32_t i = 0; i < judged->count; i++) {
        struct judged_part *part = &judged->parts[i];
        if (orders)
            judge_with_order(judged, z, part);
        else
            part->verdict = judge_part(z, judged->spec, part->ops, part->count, &judged->options);
        if (part->verdict.verdict == VERDICT_NO || judged->verdict == VERDICT_YES)
            judged->verdict = part->verdict.verdict == VERDICT_YES ? judged->verdict : part->verdict.verdict;
    }
}

const struct judged_part *judge_shortest_wrong(const struct judged *judged)
{
    const struct judged_part *chosen = NULL;
    for (uint32_t i = 0; i < judged->count; i++) {
        const struct judged_part *part = &judged->parts[i];
        if (part->verdict.verdict == VERDICT_NO && (!chosen || part->count < chosen->count))
            chosen = part;
    }
    return chosen;
}
