// Checks the estimate of how many executions a search has, on random programs whose number is then counted.
//
//     fuzz_estimate [count [first seed]]
//
// After a tenth of its executions each search is asked; nine answers out of ten have to be right within a factor of two. And a
// search that is interrupted by estimates has to run what it runs without them.
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "explore/search.h"
#include "fuzz/machine.h"

enum { FEWEST = 4000, MOST = 150000, PROBES = 6000, PROBES_BETWEEN = 60, PARTS = 4 };

static const uint32_t languages[] = {
    0,        WITH_MUTEX,  WITH_MUTEX | WITH_TRYLOCK, WITH_MUTEX | WITH_CHOOSE, WITH_MUTEX | WITH_COND,
    WITH_SEM, WITH_RWLOCK, WITH_MUTEX | WITH_THREADS};
enum { LANGUAGES = sizeof languages / sizeof *languages };

// Several of the small programs that other tests use, one after the other: large enough to be worth an estimate.
static void make_program(struct program *p, uint64_t seed)
{
    uint32_t language = languages[seed % LANGUAGES];
    program_random(p, language, seed * PARTS);
    for (uint32_t part = 1; part < PARTS; part++) {
        struct program more;
        program_random(&more, language & ~(uint32_t)WITH_THREADS, seed * PARTS + part);
        for (uint32_t t = 0; t < p->threads && t < more.threads; t++)
            for (uint32_t i = 0; i < more.length[t] && p->length[t] < MAX_CODE; i++)
                program_add(p, t, more.code[t][i]);
    }
}

struct watch {
    struct machine *m;
    struct strategy *strategy;
    struct search *search;
    uint64_t traces;  // sum of the hashes of all, which does not depend on their order
    uint64_t between; // estimates after so many executions, and twice as many, and so on; 0: none
};

struct budget {
    uint64_t asked, most;
};

static double spent(void *context)
{
    struct budget *budget = context;
    return (double)budget->asked++ / (double)budget->most;
}

static bool ask(struct watch *w, bool planned, uint64_t probes, struct estimate *estimate)
{
    struct budget budget = {.most = probes};
    *estimate = (struct estimate){.done = w->search->executions,
                                  .max_steps = MACHINE_STEPS,
                                  .planned = planned,
                                  .spent = spent,
                                  .context = &budget};
    return w->strategy->estimate(w->strategy, estimate);
}

static bool on_leaf(void *context, bool whole)
{
    struct watch *w = context;
    struct estimate estimate;
    (void)whole;
    w->traces += w->m->now.trace;
    if (w->between && w->search->executions == w->between) {
        ask(w, false, PROBES_BETWEEN, &estimate);
        w->between *= 2;
    }
    return true;
}

// Searches the program, for at most `most` executions, and returns how many there were; 0 if that is not the end. With
// `estimate` it is asked then for it, and `*known` says whether there was an answer.
static uint64_t count(const struct program *p, uint64_t most, struct watch *w, struct estimate *estimate, bool *known)
{
    static struct machine m;
    static const struct strategy_options plain = {.preemptions = NO_BOUND};
    machine_init(&m, p);
    struct search search = {.strategy = strategy_new(STRATEGY_OPTIMAL, &m.target, &plain),
                            .max_executions = most,
                            .max_steps = MACHINE_STEPS,
                            .leaf = on_leaf,
                            .context = w};
    w->m = &m;
    w->strategy = search.strategy;
    w->search = &search;
    w->traces = 0;
    enum search_end end = search_run(&search);
    if (estimate)
        *known = ask(w, true, PROBES, estimate);
    search.strategy->free(search.strategy);
    machine_free(&m);
    return end == SEARCH_DONE ? search.executions : 0;
}

struct result {
    uint32_t asked, answered, close, within;
    uint32_t disturbed; // searches that estimates made others of
};

static void check_program(const struct program *p, uint64_t seed, struct result *r)
{
    struct watch plain = {0}, asked = {0}, interrupted = {.between = 1 + seed % 50};
    struct estimate estimate;
    bool known;
    uint64_t all = count(p, MOST, &plain, NULL, NULL);
    if (all < FEWEST)
        return;
    if (count(p, MOST, &interrupted, NULL, NULL) != all || interrupted.traces != plain.traces) {
        printf("FAILED: seed %llu: a search with estimates in between is another one\n", (unsigned long long)seed);
        program_print(p, stdout);
        r->disturbed++;
    }
    count(p, all / 10, &asked, &estimate, &known);
    double ratio = known ? estimate.total / (double)all : 0;
    r->asked++;
    r->answered += known;
    r->close += ratio > 0.5 && ratio < 2;
    r->within += known && estimate.least <= (double)all && estimate.most >= (double)all;
}

int main(int argc, char **argv)
{
    uint64_t wanted = argc > 1 ? strtoull(argv[1], NULL, 10) : 20, first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct result r = {0};
    uint64_t seed = first;
    for (; r.asked < wanted && seed < first + 1000 * wanted; seed++) {
        struct program p;
        make_program(&p, seed);
        check_program(&p, seed, &r);
    }
    printf("estimates: %u searches (seeds %llu to %llu), %u answered, %u within a factor of two, %u in the range, %u "
           "disturbed\n",
           r.asked, (unsigned long long)first, (unsigned long long)(seed - 1), r.answered, r.close, r.within,
           r.disturbed);
    return r.disturbed || r.asked < wanted || 10 * r.close < 9 * r.asked;
}
