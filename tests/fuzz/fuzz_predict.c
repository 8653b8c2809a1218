// Checks what is predicted from a recorded run against trying every order that the model allows, on small random runs of two and
// more threads: nothing may be predicted that no order has, and with two threads nothing may be missed. With more threads the share
// that is found is printed.
//
//     fuzz_predict [count [first seed [folder]]]
//
// In the folder, a model for Spin is left for each of the first questions, yes-SEED.pml or no-SEED.pml by the answer
// (tests/fuzz/promela.sh runs them).
#include <stdio.h>
#include <stdlib.h>

#include "fuzz/predict_naive.h"
#include "fuzz/predict_random.h"
#include "predict/predict_run.h"
#include "predict/promela.h"

enum { MOST_THREADS = 4 };

struct tally {
    unsigned long long asked, possible, found;
};

struct trial {
    uint64_t seed;
    struct recording *r;
    struct model m;
    struct naive_run n;
    struct tally *triples, *quadruples, *meetings, *deadlocks, *wakes;
    bool left; // a model for Spin
};

static void show_failure(const struct trial *t, const char *what, const uint32_t (*wishes)[2], uint32_t count)
{
    printf("seed %llu: %s:", (unsigned long long)t->seed, what);
    for (uint32_t i = 0; i < count; i++)
        printf(" %u<%u", wishes[i][0], wishes[i][1]);
    printf("\n");
    predict_print(t->r, stdout);
}

static const char *folder;

static void leave_model(struct trial *t, const struct question *q, bool possible)
{
    char path[4096];
    if (!folder || t->left)
        return;
    t->left = true;
    snprintf(path, sizeof path, "%s/%s-%llu.pml", folder, possible ? "yes" : "no", (unsigned long long)t->seed);
    FILE *file = fopen(path, "w");
    if (!file)
        return;
    promela_write(file, &t->m, q);
    fclose(file);
}

static bool try_wishes(struct trial *t, const uint32_t (*pairs)[2], uint32_t count, struct tally *tally)
{
    const struct record *records = t->r->records;
    struct question q = {.threads = {records[pairs[0][0]].thread, records[pairs[0][1]].thread}, .wish_count = count};
    for (uint32_t i = 0; i < count; i++)
        q.wishes[i] = (struct wish){pairs[i][0], pairs[i][1]};
    struct reordering w;
    enum feasible answer = reordering_find(&t->m, &q, GRID_POINTS, &w);
    bool possible = naive_possible(&t->n, pairs, count);
    if (t->seed % 3 == 0 || !possible)
        leave_model(t, &q, possible);
    const char *wrong = NULL;
    if (answer == FEASIBLE_YES && !naive_is_run(&t->n, w.start, w.records, w.count))
        wrong = "what was found is no run";
    if (answer == FEASIBLE_YES && !possible)
        wrong = "found, and not possible";
    if (answer == FEASIBLE_NO && possible)
        wrong = "denied, and possible";
    if (answer != FEASIBLE_YES && possible && t->r->thread_count == 2)
        wrong = "not found, with two threads";
    if (answer == FEASIBLE_YES)
        reordering_free(&w);
    tally->asked++;
    tally->possible += possible;
    tally->found += answer == FEASIBLE_YES;
    if (wrong)
        show_failure(t, wrong, pairs, count);
    return !wrong;
}

static bool is_access(const struct recording *r, uint32_t i)
{
    return record_table[r->records[i].kind].access;
}

static bool conflict(const struct recording *r, uint32_t a, uint32_t b)
{
    const struct record *x = &r->records[a], *y = &r->records[b];
    return x->thread != y->thread && x->object == y->object &&
           (record_table[x->kind].writes || record_table[y->kind].writes);
}

// Two conflicting accesses that can be next to each other.
static bool try_meeting(struct trial *t, uint32_t a, uint32_t b)
{
    struct question q = {.threads = {t->r->records[a].thread, t->r->records[b].thread}, .meet = {a, b}};
    struct reordering w;
    enum feasible answer = reordering_find(&t->m, &q, GRID_POINTS, &w);
    uint32_t next[2] = {a, b};
    bool possible = naive_meets(&t->n, next, 2, false);
    if (t->seed % 3 == 1)
        leave_model(t, &q, possible);
    const char *wrong = NULL;
    if (answer == FEASIBLE_YES && (!possible || !naive_is_run(&t->n, w.start, w.records, w.count)))
        wrong = "found to meet, and cannot";
    if (possible && (answer == FEASIBLE_NO || (answer != FEASIBLE_YES && t->r->thread_count == 2)))
        wrong = "can meet, and was not found";
    if (answer == FEASIBLE_YES)
        reordering_free(&w);
    t->meetings->asked++;
    t->meetings->possible += possible;
    t->meetings->found += answer == FEASIBLE_YES;
    if (wrong)
        show_failure(t, wrong, (const uint32_t(*)[2]) & next, 1);
    return !wrong;
}

// Every two accesses of a thread with one of another in between, and with two others.
static bool try_all(struct trial *t)
{
    const struct recording *r = t->r;
    for (uint32_t a = 0; a < r->count; a++)
        for (uint32_t b = 0; b < a; b++)
            if (is_access(r, a) && is_access(r, b) && conflict(r, a, b) && !try_meeting(t, a, b))
                return false;
    for (uint32_t a = 0; a < r->count; a++)
        for (uint32_t c = a + 1; is_access(r, a) && c < r->count; c++) {
            if (!is_access(r, c) || r->records[a].thread != r->records[c].thread)
                continue;
            for (uint32_t b = 0; b < r->count; b++) {
                if (!is_access(r, b) || !conflict(r, a, b))
                    continue;
                uint32_t triple[2][2] = {{a, b}, {b, c}};
                if (conflict(r, b, c) && !try_wishes(t, triple, 2, t->triples))
                    return false;
                for (uint32_t d = 0; r->records[a].object != r->records[c].object && d < r->count; d++) {
                    uint32_t four[2][2] = {{a, b}, {d, c}};
                    if (is_access(r, d) && r->records[d].thread == r->records[b].thread && conflict(r, c, d) &&
                        !try_wishes(t, four, 2, t->quadruples))
                        return false;
                }
            }
        }
    return true;
}

// Whether a listed prediction is what some run of the model does, and its order is a run.
static bool holds(const struct trial *t, const struct prediction *p)
{
    struct naive_run loosened, *n = &loosened;
    if (p->kind == PREDICT_LOST_WAKE && p->forgets)
        naive_make_losing(&loosened, &t->n, p->records[0], p->records[1]);
    else if (p->forgets)
        naive_make_forgetting(&loosened, &t->n, p->records[0]);
    else if (p->loosened)
        naive_make_without(&loosened, t->r, t->r->records[p->records[0]].object);
    else
        loosened = t->n;
    uint32_t pairs[MOST_WISHES][2];
    for (uint32_t i = 0; i < p->wish_count; i++) {
        pairs[i][0] = p->wishes[i].before;
        pairs[i][1] = p->wishes[i].after;
    }
    bool possible = p->wish_count ? naive_possible(n, (const uint32_t(*)[2])pairs, p->wish_count)
                                  : naive_meets(n, p->records, p->record_count, p->kind == PREDICT_DEADLOCK);
    return possible && naive_is_run(n, p->order.start, p->order.records, p->order.count);
}

static bool takes_lock(const struct trial *t, const struct record *e)
{
    return e->kind == RECORD_LOCK || e->kind == RECORD_LOCK_SHARED || e->kind == RECORD_WAIT_END ||
           (e->kind == RECORD_TAKE && t->n.semaphore_locks);
}

static bool is_listed(const struct hunt *h, enum prediction_kind kind, uint32_t a, uint32_t b)
{
    const struct record *e = h->r->records;
    for (uint32_t i = 0; i < h->found.count; i++) {
        const struct prediction *p = &h->found.list[i];
        uint32_t x = e[p->records[0]].place, y = e[p->records[1]].place;
        if (p->kind == kind && (kind != PREDICT_DEADLOCK || p->record_count == 2) &&
            ((x == e[a].place && y == e[b].place) || (x == e[b].place && y == e[a].place)))
            return true;
    }
    return false;
}

// Two threads that can wait for each other's lock.
static bool try_deadlocks(struct trial *t, const struct hunt *h)
{
    for (uint32_t a = 0; a < t->r->count; a++)
        for (uint32_t b = 0; b < a; b++) {
            uint32_t next[2] = {a, b};
            const struct record *e = t->r->records;
            if (!takes_lock(t, &e[a]) || !takes_lock(t, &e[b]) || e[a].thread == e[b].thread ||
                !naive_stuck_pair(&t->n, a, b))
                continue;
            bool found = is_listed(h, PREDICT_DEADLOCK, a, b);
            t->deadlocks->asked++;
            t->deadlocks->possible++;
            t->deadlocks->found += found;
            if (!found && t->r->thread_count == 2) {
                show_failure(t, "a deadlock was not found", (const uint32_t(*)[2]) & next, 1);
                return false;
            }
        }
    return true;
}

// Signals that can come before the wait that they ended.
static bool try_wakes(struct trial *t, const struct hunt *h)
{
    for (uint32_t s = 0; s < t->r->count; s++)
        for (uint32_t begin = 0; begin < s; begin++) {
            uint32_t pair[1][2] = {{s, begin}};
            struct naive_run losing;
            if (!naive_wakes(&t->n, s, begin))
                continue;
            naive_make_losing(&losing, &t->n, s, begin);
            bool possible = naive_possible(&losing, (const uint32_t(*)[2])pair, 1);
            bool found = is_listed(h, PREDICT_LOST_WAKE, s, begin);
            t->wakes->asked++;
            t->wakes->possible += possible;
            t->wakes->found += found && possible;
            if (found > possible || (possible && !found && t->r->thread_count == 2)) {
                show_failure(t, possible ? "a lost wake-up was not found" : "a wake-up that cannot be lost",
                             (const uint32_t(*)[2])pair, 1);
                return false;
            }
        }
    return true;
}

// What the command would list, from all hunts.
static bool try_hunts(struct trial *t)
{
    struct hunt h;
    struct correlations c;
    const struct predict_options options = {
        .kinds = (1u << PREDICTION_KINDS) - 1, .bounds = BOUND_ALL, .unlikely = true, .support = 1};
    const struct recording *recordings[] = {t->r};
    predict_run(recordings, 1, &options, &h, &c);
    bool good = true;
    for (uint32_t i = 0; good && i < h.found.count; i++) {
        good = holds(t, &h.found.list[i]);
        if (!good) {
            printf("%s\n", prediction_table[h.found.list[i].kind].name);
            show_failure(t, "listed, and not possible", (const uint32_t(*)[2])h.found.list[i].records, 1);
        }
    }
    good = good && try_deadlocks(t, &h) && try_wakes(t, &h);
    hunt_end(&h);
    correlate_free(&c);
    return good;
}

static bool try_seed(uint64_t seed, uint32_t threads, struct tally *tallies)
{
    struct trial t = {.seed = seed,
                      .r = predict_random(seed, threads),
                      .triples = &tallies[0],
                      .quadruples = &tallies[1],
                      .meetings = &tallies[2],
                      .deadlocks = &tallies[3],
                      .wakes = &tallies[4]};
    bool good = true;
    if (t.r->count <= NAIVE_RECORDS) {
        model_make(&t.m, t.r);
        t.m.margin = seed % 5 < 2 ? 1 : MODEL_MARGIN; // small parts first, as in long runs
        naive_make(&t.n, t.r);
        uint32_t as_recorded[NAIVE_RECORDS];
        for (uint32_t i = 0; i < t.r->count; i++)
            as_recorded[i] = i;
        good = naive_is_run(&t.n, 0, as_recorded, t.r->count);
        if (!good)
            show_failure(&t, "the recorded run is no run of the model", NULL, 0);
        good = good && try_all(&t) && try_hunts(&t);
        model_free(&t.m);
    }
    recording_free(t.r);
    return good;
}

static void print_tally(const char *what, uint32_t threads, const struct tally *t)
{
    printf("%u threads, %s: %llu asked, %llu possible, %llu found (%.1f %%)\n", threads, what, t->asked, t->possible,
           t->found, t->possible ? 100.0 * (double)t->found / (double)t->possible : 100.0);
}

int main(int argc, char **argv)
{
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    folder = argc > 3 ? argv[3] : NULL;
    struct tally tallies[MOST_THREADS + 1][5] = {{{0}}};
    unsigned failures = 0;
    for (uint64_t seed = first; seed < first + count && failures < 5; seed++) {
        uint32_t threads = seed % 2 ? 2 : seed % 4 ? 3 : 4;
        failures += !try_seed(seed, threads, tallies[threads]);
    }
    for (uint32_t t = 2; t <= MOST_THREADS; t++) {
        print_tally("one variable", t, &tallies[t][0]);
        print_tally("two variables", t, &tallies[t][1]);
        print_tally("meetings", t, &tallies[t][2]);
        print_tally("deadlocks of two", t, &tallies[t][3]);
        print_tally("lost wake-ups", t, &tallies[t][4]);
    }
    return failures != 0;
}
