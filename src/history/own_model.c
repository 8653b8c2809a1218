#include "history/own_model.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "history/as_register.h"
#include "history/possible.h"

enum { GUESS_PLACES = 200000, MOST_BYTES = 256 << 20 };

static bool find_states(struct reachable *r, const struct linearizer *z, const struct spec *spec,
                        const struct operation *ops, uint32_t count, const struct lin_options *options)
{
    size_t bytes = z->space.room / 4 < MOST_BYTES ? z->space.room / 4 : MOST_BYTES;
    return reachable_find(r, spec, ops, count, options, bytes);
}

// `r` is null where there are too many states to be looked at.
static void note_reads(const struct spec *spec, const struct operation *ops, uint32_t count, const struct reachable *r,
                       bool *reads)
{
    uint32_t labels = r ? r->labels : 0;
    bool *by_label = alloc_ended(labels, sizeof *by_label);
    for (uint32_t label = 0; label < labels; label++)
        by_label[label] = reachable_reads(r, label);
    for (uint32_t i = 0; i < count; i++)
        reads[i] = (r && by_label[r->label[i]]) || spec_reads(spec, &ops[i]);
    free(by_label);
}

void own_model_reads(const struct linearizer *z, const struct spec *spec, const struct operation *ops, uint32_t count,
                     const struct lin_options *options, bool *reads)
{
    struct reachable r;
    bool few = find_states(&r, z, spec, ops, count, options);
    note_reads(spec, ops, count, few ? &r : NULL, reads);
    reachable_free(&r);
}

static struct part_verdict search(struct linearizer *z, const struct spec *spec, const struct operation *ops,
                                  uint32_t count, const struct lin_options *options)
{
    enum verdict verdict = linearize(z, spec, ops, count, options);
    return (struct part_verdict){verdict, true, z->visited, z->deepest, z->reason, UINT32_MAX};
}

// Guessing which calls only read finds an order among many clients where nothing else does; each step of the order is one
// that the model allows.
static struct part_verdict search_with_guess(struct linearizer *z, const struct spec *spec, const struct operation *ops,
                                             uint32_t count, const struct lin_options *options)
{
    struct lin_options guess = *options;
    guess.guess_reads = true;
    guess.max_visited = guess.max_visited && guess.max_visited < GUESS_PLACES ? guess.max_visited : GUESS_PLACES;
    return search(z, spec, ops, count, &guess);
}

// What can be said without a search, if that is wanted; and which operations only read.
static enum verdict look_at_states(struct linearizer *z, const struct spec *spec, const struct operation *ops,
                                   uint32_t count, const struct lin_options *options, bool shortcuts, bool *reads)
{
    struct reachable r;
    enum verdict verdict = VERDICT_UNKNOWN;
    bool few = find_states(&r, z, spec, ops, count, options);
    note_reads(spec, ops, count, few ? &r : NULL, reads);
    if (few && shortcuts)
        verdict = as_register_check(&z->space, &r, ops, count, options);
    if (few && shortcuts && verdict == VERDICT_UNKNOWN && possible_nothing(&z->space, &r, ops, count, options))
        verdict = VERDICT_NO;
    reachable_free(&r);
    return verdict;
}

struct part_verdict own_model_judge(struct linearizer *z, const struct spec *spec, const struct operation *ops,
                                    uint32_t count, const struct lin_options *options, bool shortcuts)
{
    struct lin_options with_reads = *options;
    bool *reads = alloc_ended(count, sizeof *reads);
    struct part_verdict answer = {.unjustified = UINT32_MAX};
    answer.verdict = look_at_states(z, spec, ops, count, options, shortcuts, reads);
    with_reads.reads = reads;
    if (answer.verdict == VERDICT_UNKNOWN) {
        struct part_verdict guessed = search_with_guess(z, spec, ops, count, &with_reads);
        answer = guessed.verdict == VERDICT_YES ? guessed : search(z, spec, ops, count, &with_reads);
        answer.deepest = guessed.deepest > answer.deepest ? guessed.deepest : answer.deepest;
    }
    free(reads);
    return answer;
}
