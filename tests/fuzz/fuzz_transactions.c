// Checks the judgement of transactions against trying every order, on random transactions on lists and on registers: every
// level, with transactions that aborted and such of which nobody knows. Also where values are written to registers again and
// again, where `unknown` is allowed and nothing else that is not so; and sequential consistency judged by the same means.
//
//     fuzz_transactions [count [first seed]]
//
// A history on which they differ is printed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transactions/sequential.h"
#include "fuzz/history_random.h"
#include "fuzz/transactions_random.h"
#include "transactions/decide.h"
#include "transactions/transaction_input.h"

enum { MOST_TXNS = 7, MOST_FAILURES = 5, LEVELS = 7, TEXT = 1 << 16 };

struct tally {
    unsigned long long checks[3][LEVELS][2], unknown, by_choice[2], anomalies, cycles, scheduled, sequential[2];
};

// The circle is one, and each step of it is between transactions that took part.
static bool is_circle(const struct decision *x, const struct cycle *c)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (c->steps[i].to != c->steps[(i + 1) % c->count].from || !x->versions.takes_part[c->steps[i].from])
            return false;
    return c->count > 1;
}

static const char *check_proof(const struct decision *x, struct tally *tally)
{
    if (x->verdict == VERDICT_YES) {
        tally->by_choice[1] += x->choices.count > 0;
        return replay_fits(x->from, x->level, x->order, x->order_count) ? NULL : "the order is wrong";
    }
    if (x->verdict == VERDICT_UNKNOWN)
        return x->reason ? NULL : "unknown without a reason";
    if (x->versions.anomaly.kind != ANOMALY_NONE) {
        tally->anomalies++;
        return NULL;
    }
    if (x->cycle.count) {
        tally->cycles++;
        return is_circle(x, &x->cycle) ? NULL : "the circle is none";
    }
    tally->by_choice[0]++;
    if (x->choices.impossible == UINT32_MAX)
        return x->choices.tried ? NULL : "no without a proof";
    return is_circle(x, &x->choices.either_way[0]) && is_circle(x, &x->choices.either_way[1]) ? NULL
                                                                                              : "a case is no circle";
}

static const char *check_way(const struct transactions *from, const struct level *level, bool right, bool repeat,
                             bool no_schedule, struct tally *tally)
{
    struct decision decision;
    struct decide_limits limits = {.no_schedule = no_schedule};
    decide(&decision, from, level, &limits);
    const char *wrong = check_proof(&decision, tally);
    tally->unknown += decision.verdict == VERDICT_UNKNOWN;
    tally->scheduled += decision.verdict == VERDICT_YES && !decision.choices.order.nodes;
    if (!wrong && decision.verdict == VERDICT_UNKNOWN)
        wrong = repeat ? NULL : "unknown";
    else if (!wrong && (decision.verdict == VERDICT_YES) != right)
        wrong = right ? "it is accused" : "it is called right";
    decision_free(&decision);
    return wrong;
}

static const char *check_level(const struct naive_txns *h, const struct transactions *from, size_t number, bool repeat,
                               struct tally *tally)
{
    const struct level *level = level_nth(number);
    bool right = naive_allows(h, level);
    tally->checks[repeat ? 2 : h->lists ? 0 : 1][number][right]++;
    const char *wrong = check_way(from, level, right, repeat, false, tally);
    return wrong ? wrong : check_way(from, level, right, repeat, true, tally);
}

static bool check(uint64_t seed, bool repeat, struct tally *tally)
{
    static char text[TEXT], copy[TEXT];
    struct naive_txns h;
    struct transactions from;
    uint64_t state = seed * 0x9e3779b97f4a7c15u + repeat;
    random_txns(&h, &state, MOST_TXNS, repeat);
    size_t length = random_txns_write(&h, random_next(&state) & 1, text, sizeof text);
    memcpy(copy, text, length + 1);
    if (!transactions_read(&from, h.lists ? MODEL_LISTS : MODEL_REGISTERS, copy, length, INPUT_AUTO)) {
        printf("seed %llu: line %u: %s\n%s\n", (unsigned long long)seed, from.line, from.error, text);
        transactions_free(&from);
        return false;
    }
    bool right = true;
    for (size_t i = 0; level_nth(i) && right; i++) {
        const char *wrong = check_level(&h, &from, i, repeat, tally);
        if (wrong)
            printf("seed %llu, %s, %s: %s\n%s\n", (unsigned long long)seed, h.lists ? "lists" : "registers",
                   level_nth(i)->name, wrong, text);
        right = !wrong;
    }
    transactions_free(&from);
    return right;
}

// Sequential consistency of registers and maps, judged as transactions of one access each.
static bool check_sequential(uint64_t seed, struct tally *tally)
{
    struct random_history h;
    struct transactions all;
    struct decide_limits limits = {0};
    int64_t processes[NAIVE_OPS + 1];
    uint64_t state = seed * 0x9e3779b97f4a7c15u + 2;
    bool right = true;
    random_history(&h, &state, 7);
    for (int i = 0; i <= NAIVE_OPS; i++)
        processes[i] = i;
    struct naive n = {.model = h.model, .ops = h.ops, .count = h.count, .judgement = JUDGE_SEQUENTIAL};
    struct input input = {
        .ops = h.ops, .count = (uint32_t)h.count, .processes = processes, .process_count = NAIVE_OPS + 1};
    if (sequential_as_transactions(&all, naive_spec(h.model), &input)) {
        struct decision decision;
        decide(&decision, &all, sequential_level(), &limits);
        bool truth = naive_judge(&n);
        tally->sequential[truth] += decision.verdict != VERDICT_UNKNOWN;
        right = decision.verdict == VERDICT_UNKNOWN || (decision.verdict == VERDICT_YES) == truth;
        if (!right) {
            printf("seed %llu: as transactions sequential consistency comes out wrong\n", (unsigned long long)seed);
            random_history_print(&h);
        }
        decision_free(&decision);
    }
    sequential_free(&all);
    values_free(&input.values);
    return right;
}

static void print_tally(const struct tally *tally, uint64_t count)
{
    static const char *const kinds[] = {"lists", "registers", "registers, values again"};
    printf("%llu histories, each at every level\n%-28s %-28s %10s %10s\n", (unsigned long long)count, "", "", "right",
           "wrong");
    for (int kind = 0; kind < 3; kind++)
        for (size_t i = 0; level_nth(i); i++)
            printf("%-28s %-28s %10llu %10llu\n", kinds[kind], level_nth(i)->name, tally->checks[kind][i][1],
                   tally->checks[kind][i][0]);
    printf("shown by an anomaly %llu, by a circle %llu, by cases %llu; right after choices %llu, by a schedule %llu; "
           "unknown %llu\n",
           tally->anomalies, tally->cycles, tally->by_choice[0], tally->by_choice[1], tally->scheduled, tally->unknown);
    printf("sequential consistency of operations: right %llu, wrong %llu\n", tally->sequential[1],
           tally->sequential[0]);
}

int main(int argc, char **argv)
{
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000, first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct tally tally = {0};
    int failures = 0;
    for (uint64_t i = 0; i < count && failures < MOST_FAILURES; i++)
        failures += !check(first + i, i % 5 == 4, &tally) + !check_sequential(first + i, &tally);
    print_tally(&tally, count);
    return failures > 0;
}
