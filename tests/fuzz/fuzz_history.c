// Checks the judgements of histories against trying every order, on random histories of all models: each judgement, with
// and without calls that may fail and operations that never returned; the search, the shortcuts and the parts; the orders
// that are found; what is said about histories that are wrong; and the outcomes of sequential orders.
//
//     fuzz_history [count [first seed]]
//
// A history on which they differ is printed, made as small as it can be while they still do.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "fuzz/history_random.h"
#include "history/as_register.h"
#include "history/layers.h"
#include "history/outcomes.h"
#include "history/possible.h"
#include "history/reason.h"
#include "history/unique.h"

enum { MOST_OPS = 7, MOST_IN_LIST = 8, MOST_FAILURES = 5 };

static const char *const judgements[] = {"linearizable", "sequentially consistent", "quiescently consistent"};

static struct linearizer z;

struct tally {
    unsigned long long checks[MODELS][3][2], shortcuts[2], layers[2], stuck[2], outcomes, possible[2], impossible,
        registers[2];
};

static struct lin_options options_of(const struct naive *n)
{
    return (struct lin_options){.judgement = n->judgement, .may_fail = n->may_fail};
}

static const char *check_search(const struct naive *n, bool right)
{
    struct lin_options options = options_of(n);
    enum verdict verdict = linearize(&z, naive_spec(n->model), n->ops, (uint32_t)n->count, &options);
    if (verdict == VERDICT_UNKNOWN)
        return "the search gave up";
    if ((verdict == VERDICT_YES) != right)
        return right ? "the search finds no order" : "the search finds an order";
    if (right && !naive_order_fits(n, z.order, z.order_count))
        return "the order found is wrong";
    return NULL;
}

static const char *check_shortcut(const struct naive *n, bool right, struct tally *tally)
{
    struct lin_options options = options_of(n);
    enum verdict verdict = unique_check(&z.space, naive_spec(n->model), n->ops, (uint32_t)n->count, &options);
    if (verdict == VERDICT_UNKNOWN)
        return NULL;
    tally->shortcuts[verdict == VERDICT_YES]++;
    return (verdict == VERDICT_YES) == right ? NULL : "the shortcut is wrong";
}

static const char *check_layers(const struct naive *n, bool right, struct tally *tally)
{
    struct lin_options options = options_of(n);
    uint64_t visited;
    enum verdict verdict = layers_check(naive_spec(n->model), n->ops, (uint32_t)n->count, &options, 64 << 20, &visited);
    if (verdict == VERDICT_UNKNOWN)
        return NULL;
    tally->layers[verdict == VERDICT_YES]++;
    return (verdict == VERDICT_YES) == right ? NULL : "the layers are wrong";
}

// Only the layers: everything else has been tried on shorter ones.
static const char *check_list(const struct random_history *h, struct tally *tally)
{
    struct naive n = {.model = h->model, .ops = h->ops, .count = h->count, .judgement = JUDGE_LINEARIZABLE};
    return check_layers(&n, naive_judge(&n), tally);
}

static enum verdict judge(const struct naive *n, const struct spec *spec, bool stuck)
{
    struct judged judged;
    struct judge_options options = {.judgement = n->judgement, .may_fail = n->may_fail, .stuck = stuck};
    judge_begin(&judged, spec, n->ops, (uint32_t)n->count, &options);
    judge_all(&judged, &z, false);
    enum verdict verdict = judged.verdict;
    judge_free(&judged);
    return verdict;
}

static const char *check_parts(const struct naive *n, bool right, struct tally *tally)
{
    if ((judge(n, naive_spec(n->model), false) == VERDICT_YES) != right)
        return "the parts together are wrong";
    bool stuck = naive_judge_stuck(n);
    tally->stuck[stuck]++;
    if ((judge(n, naive_spec(n->model), true) == VERDICT_YES) != stuck)
        return "as a stuck history it is wrong";
    return NULL;
}

// The same without knowing anything of the model.
static const char *check_as_own(const struct naive *n, bool right, struct tally *tally)
{
    const struct spec *spec = naive_own_spec(n->model);
    struct lin_options options = options_of(n);
    struct reachable r;
    if ((judge(n, spec, false) == VERDICT_YES) != right)
        return "as a model of a user's it is wrong";
    if (reachable_find(&r, spec, n->ops, (uint32_t)n->count, &options, 4 << 20)) {
        tally->possible[right]++;
        tally->impossible += possible_nothing(&z.space, &r, n->ops, (uint32_t)n->count, &options);
        enum verdict verdict = as_register_check(&z.space, &r, n->ops, (uint32_t)n->count, &options);
        if (verdict != VERDICT_UNKNOWN)
            tally->registers[verdict == VERDICT_YES]++;
    }
    reachable_free(&r);
    return NULL;
}

// Whether the first operations of a part, up to a position in time, can be put in order.
static bool right_until(const struct naive *n, const struct operation *ops, uint32_t count, int64_t time)
{
    struct operation prefix[NAIVE_OPS];
    struct naive part = *n;
    part.ops = prefix;
    part.count = (int)history_prefix(ops, count, time, prefix);
    return naive_judge(&part);
}

static bool mentions(const struct naive *n, const struct operation *op, int64_t value)
{
    const struct spec *spec = naive_spec(n->model);
    for (uint32_t i = spec->by_argument; i < spec->calls[op->call].arguments; i++)
        if (op->argument[i] == value)
            return true;
    return op->known && op->result == value && value != VALUE_NIL && spec->calls[op->call].result == SPEC_VALUE;
}

static bool shares_value(const struct naive *n, const struct operation *a, const struct operation *b)
{
    if (a->known && mentions(n, b, a->result))
        return true;
    for (uint32_t i = naive_spec(n->model)->by_argument; i < naive_spec(n->model)->calls[a->call].arguments; i++)
        if (mentions(n, b, a->argument[i]))
            return true;
    return false;
}

// What is left out could not have helped: it only reads, or is about other values where these do not matter, or it makes
// no difference even if it may happen at any time.
static bool rest_is_useless(const struct naive *n, const struct judged_part *part, const struct reason *e)
{
    struct operation all[NAIVE_OPS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < part->count; i++) {
        bool shown = false, shares = !naive_spec(n->model)->by_value;
        for (uint32_t s = 0; s < e->count; s++) {
            shown = shown || e->ops[s] == i;
            shares = shares || shares_value(n, &part->ops[i], &part->ops[e->ops[s]]);
        }
        all[count] = part->ops[i];
        if (!shown && (!shares || spec_reads(naive_spec(n->model), &part->ops[i])))
            continue;
        if (!shown) {
            all[count].returned = OPERATION_NEVER;
            all[count].known = false;
        }
        count++;
    }
    return !right_until(n, all, count, e->end ? e->end : INT64_MAX);
}

// What is said about a part that is wrong.
static const char *check_explanation(const struct naive *n, const struct judged *judged, const struct judged_part *part)
{
    struct reason e;
    struct operation shown[NAIVE_OPS];
    const char *wrong = NULL;
    reason_find(&e, &z, judged, part, NULL, time_now() + 60);
    for (uint32_t i = 0; i < e.count; i++)
        shown[i] = part->ops[e.ops[i]];
    if (judged->options.judgement == JUDGE_LINEARIZABLE) {
        if (e.last == UINT32_MAX || !e.has_states)
            wrong = "the last event is not found";
        else if (!right_until(n, part->ops, part->count, e.end - 1) || right_until(n, part->ops, part->count, e.end))
            wrong = "the last event is another one";
        else if (!right_until(n, shown, e.count, e.end - 1))
            wrong = "what is shown is wrong before the last event";
    }
    if (!wrong && right_until(n, shown, e.count, e.end ? e.end : INT64_MAX))
        wrong = "what is shown is right";
    if (!wrong && !rest_is_useless(n, part, &e))
        wrong = "what is left out could have helped";
    if (!wrong && !e.smallest)
        wrong = "it is not the smallest";
    reason_free(&e);
    return wrong;
}

static const char *check_explanations(const struct naive *n, const struct spec *spec)
{
    struct judged judged;
    const char *wrong = NULL;
    struct judge_options options = {.judgement = n->judgement, .may_fail = n->may_fail};
    judge_begin(&judged, spec, n->ops, (uint32_t)n->count, &options);
    judge_all(&judged, &z, false);
    struct naive blurred = *n;
    blurred.judgement = n->judgement == JUDGE_QUIESCENT ? JUDGE_LINEARIZABLE : n->judgement;
    for (uint32_t i = 0; i < judged.count && !wrong; i++)
        if (judged.parts[i].verdict.verdict == VERDICT_NO)
            wrong = check_explanation(n->judgement == JUDGE_QUIESCENT ? &blurred : n, &judged, &judged.parts[i]);
    judge_free(&judged);
    return wrong;
}

struct expected {
    struct outcomes *outcomes;
    uint32_t count;
    int ops;
    bool missing;
    struct {
        int64_t results[NAIVE_OPS];
    } distinct[8192];
};

static void expect(void *context, const int64_t *results)
{
    struct expected *e = context;
    struct operation ops[NAIVE_OPS] = {0};
    for (int i = 0; i < e->ops; i++)
        ops[i].result = results[i];
    e->missing = e->missing || !outcomes_has(&z, e->outcomes, ops, (uint32_t)e->ops);
    for (uint32_t i = 0; i < e->count; i++)
        if (!memcmp(e->distinct[i].results, results, (size_t)e->ops * sizeof *results))
            return;
    if (e->count < sizeof e->distinct / sizeof *e->distinct)
        memcpy(e->distinct[e->count++].results, results, (size_t)e->ops * sizeof *results);
}

static const char *check_outcomes(const struct naive *n, struct tally *tally)
{
    static struct expected e;
    struct outcomes outcomes;
    e = (struct expected){.outcomes = &outcomes, .ops = n->count};
    if (!outcomes_find(&z, naive_spec(n->model), n->ops, (uint32_t)n->count, &outcomes))
        return "the outcomes do not fit into memory";
    naive_outcomes(n, expect, &e);
    tally->outcomes += e.count;
    if (e.missing)
        return "an outcome is missing";
    return e.count == outcomes.results.count ? NULL : "there are too many outcomes";
}

// What is wrong with this history, or null.
static const char *check(const struct random_history *h, uint64_t may_fail, struct tally *tally)
{
    const char *wrong = NULL;
    struct naive n = {.model = h->model, .ops = h->ops, .count = h->count, .may_fail = may_fail};
    for (n.judgement = JUDGE_LINEARIZABLE; !wrong && n.judgement <= JUDGE_QUIESCENT; n.judgement++) {
        bool right = naive_judge(&n);
        tally->checks[h->model][n.judgement][right]++;
        wrong = check_search(&n, right);
        if (!wrong)
            wrong = check_shortcut(&n, right, tally);
        if (!wrong)
            wrong = check_layers(&n, right, tally);
        if (!wrong)
            wrong = check_parts(&n, right, tally);
        if (!wrong)
            wrong = check_as_own(&n, right, tally);
        if (!wrong && !right)
            wrong = check_explanations(&n, naive_spec(n.model));
        if (!wrong && !right)
            wrong = check_explanations(&n, naive_own_spec(n.model));
    }
    return wrong ? wrong : check_outcomes(&n, tally);
}

static void report(struct random_history *h, uint64_t may_fail, unsigned long long seed)
{
    struct tally ignored;
    for (int i = 0; i < h->count; i++) {
        struct random_history less = *h;
        memmove(less.ops + i, less.ops + i + 1, (size_t)(--less.count - i) * sizeof *less.ops);
        if (check(&less, may_fail, &ignored)) {
            *h = less;
            i = -1;
        }
    }
    printf("seed %llu: %s (calls that may fail: %#llx)\n", seed, check(h, may_fail, &ignored),
           (unsigned long long)may_fail);
    random_history_print(h);
}

static void report_list(struct random_history *h, unsigned long long seed)
{
    struct tally ignored;
    for (int i = 0; i < h->count; i++) {
        struct random_history less = *h;
        memmove(less.ops + i, less.ops + i + 1, (size_t)(--less.count - i) * sizeof *less.ops);
        if (check_list(&less, &ignored)) {
            *h = less;
            i = -1;
        }
    }
    printf("seed %llu: the layers are wrong\n", seed);
    random_history_print(h);
}

static void print_tally(const struct tally *t)
{
    for (int m = 0; m < MODELS; m++)
        for (int j = 0; j < 3; j++)
            printf("%-9s %-24s right %5llu, wrong %5llu\n", naive_spec((enum model)m)->name, judgements[j],
                   t->checks[m][j][1], t->checks[m][j][0]);
    printf("shortcuts: right %llu, wrong %llu; layers: right %llu, wrong %llu; stuck: right %llu, wrong %llu; "
           "outcomes: %llu\n"
           "models of users with few states: right %llu, wrong %llu, of which seen without a search %llu; as "
           "registers: right "
           "%llu, wrong %llu\n",
           t->shortcuts[1], t->shortcuts[0], t->layers[1], t->layers[0], t->stuck[1], t->stuck[0], t->outcomes,
           t->possible[1], t->possible[0], t->impossible, t->registers[1], t->registers[0]);
}

int main(int argc, char **argv)
{
    unsigned long long count = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
    unsigned long long first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    static struct tally tally;
    int failures = 0;
    linearizer_init(&z, 64 << 20);
    for (unsigned long long i = 0; i < count && failures < MOST_FAILURES; i++) {
        uint64_t seed = (first + i) * 0x2545f4914f6cdd1du;
        struct random_history h;
        random_history(&h, &seed, MOST_OPS);
        uint64_t may_fail = random_next(&seed) % 4 ? 0 : random_next(&seed) & 15;
        if (check(&h, may_fail, &tally)) {
            report(&h, may_fail, first + i);
            failures++;
        }
        random_list_history(&h, &seed, MOST_IN_LIST);
        if (check_list(&h, &tally)) {
            report_list(&h, first + i);
            failures++;
        }
    }
    print_tally(&tally);
    linearizer_free(&z);
    return failures != 0;
}
