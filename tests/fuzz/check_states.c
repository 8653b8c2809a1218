#include "fuzz/check_states.h"

#include <setjmp.h>
#include <string.h>

#include "base/fail.h"
#include "explore/search.h"

enum {
    MOST_EXECUTIONS = 1000000,
    FEW_EXECUTIONS = 20000,
    GRAPH_STATES = 4000,
    SMALL_TABLE = 24 * 1024,
    SMALL_STEPS = 999, // as many states as there is room for on the way in a small table
    SMALL_ENOUGH = 300 // open states of a search that forgets nothing; one that does may have more
};

struct run {
    struct machine *m;
    uint32_t asked;
    struct set outcomes;
    struct search search;
    struct account account;
};

static bool on_leaf(void *context, bool whole)
{
    struct run *r = context;
    if (whole && machine_finished(r->m))
        set_add(&r->outcomes, machine_outcome(r->m));
    return true;
}

static bool each_third_time(void *context)
{
    return ((struct run *)context)->asked++ % 3 == 0;
}

// Something else is run in between, from the beginning: whoever can run, the highest number first.
static bool run_another(void *context)
{
    struct target *target = &((struct run *)context)->m->target;
    target->restart(target, 0);
    for (uint32_t actor = target->exec->known; actor-- > 0 && target->exec->count < 20;)
        if (exec_is_parked(target->exec, actor) && target->ready(target, actor)) {
            target->step(target, actor, 0);
            actor = target->exec->known;
        }
    return true;
}

static uint32_t growth_asked;

// Twice more belongs to states than before.
static bool grows(void *machine)
{
    (void)machine;
    growth_asked++;
    return growth_asked == 5 || growth_asked == 30;
}

static void state_of(void *machine, struct fingerprint *state)
{
    *state = fingerprint_of(machine_hash(machine), 0);
}

// Where more states are open than a small table has room for, heddle says so and ends; here only the search does.
static jmp_buf no_room;

static void leave_search(const char *what)
{
    (void)what;
    longjmp(no_room, 1);
}

// Whether it came to its end.
static bool search_within(struct search *search, uint64_t memory)
{
    if (setjmp(no_room))
        return false;
    fail_out_of_room = memory ? leave_search : NULL;
    enum search_end end = search_run(search);
    fail_out_of_room = NULL;
    return end == SEARCH_DONE && !search->cut;
}

// False if it was cut somewhere. With a bound on memory the search is interrupted, too, and begins anew.
static bool run(struct run *r, struct machine *m, enum strategy_kind kind, uint64_t memory)
{
    struct strategy_options options = {.preemptions = NO_BOUND,
                                       .state = state_of,
                                       .state_context = m,
                                       .memory = memory,
                                       .grown = memory ? grows : NULL};
    memset(r, 0, sizeof *r);
    growth_asked = 0;
    r->m = m;
    m->target.restart(&m->target, 0);
    struct strategy *s = strategy_new(kind, &m->target, &options);
    r->search = (struct search){.strategy = s,
                                .max_executions = memory ? FEW_EXECUTIONS : MOST_EXECUTIONS,
                                .max_steps = memory ? SMALL_STEPS : MACHINE_STEPS - 1,
                                .leaf = on_leaf,
                                .interlude_is_due = memory ? each_third_time : NULL,
                                .interlude = run_another,
                                .context = r};
    bool whole = search_within(&r->search, memory);
    r->account = s->account;
    s->free(s);
    return whole;
}

static const struct {
    enum strategy_kind kind;
    const char *misses, *goes_on, *circle;
} ways[] = {
    {STRATEGY_STATES, "states misses outcomes", "states does not come to an end",
     "states is wrong about threads that go round for ever"},
    {STRATEGY_SPOR, "spor misses outcomes", "spor does not come to an end",
     "spor is wrong about threads that go round for ever"},
    {STRATEGY_DLSPOR, "dlspor misses outcomes", "dlspor does not come to an end",
     "dlspor is wrong about threads that go round for ever"},
    {STRATEGY_SDPOR, "sdpor misses outcomes", "sdpor does not come to an end",
     "sdpor is wrong about threads that go round for ever"},
};

enum { WAYS = sizeof ways / sizeof *ways };

static void count(struct tally *tally, uint32_t way, const struct account *account)
{
    uint64_t *states[] = {&tally->states, &tally->spor, &tally->dlspor, &tally->sdpor};
    *states[way] += account->states;
}

const char *check_states(struct machine *m, const struct set *outcomes, struct tally *tally)
{
    struct run r;
    const char *wrong = NULL;
    for (uint32_t i = 0; i < WAYS * 2 && !wrong; i++) {
        uint32_t way = i / 2;
        bool small = i % 2;
        bool whole = run(&r, m, ways[way].kind, small ? SMALL_TABLE : 0);
        if (!whole)
            wrong = small ? NULL : ways[way].goes_on; // what was forgotten is explored again, which may take long
        else if (!set_equal(&r.outcomes, outcomes))
            wrong = ways[way].misses;
        else if (r.account.endless)
            wrong = ways[way].circle;
        tally->forgotten += whole ? r.account.forgotten : 0;
        if (!small)
            count(tally, way, &r.account);
        set_free(&r.outcomes);
    }
    return wrong;
}

static const char *circles_by(struct run *r, struct machine *m, uint32_t way, uint64_t memory,
                              const struct set *outcomes, bool endless)
{
    const char *wrong = NULL;
    if (!run(r, m, ways[way].kind, memory))
        wrong = memory ? NULL : ways[way].goes_on;
    else if (!set_equal(&r->outcomes, outcomes))
        wrong = ways[way].misses;
    else if ((r->account.endless != 0) != endless)
        wrong = ways[way].circle;
    set_free(&r->outcomes);
    return wrong;
}

const char *check_circles(struct machine *m, struct tally *tally)
{
    struct run r;
    const char *wrong = NULL;
    struct set outcomes = {0};
    bool endless;
    if (!oracle_endless(m, GRAPH_STATES, &endless) || !oracle_outcomes(m->program, &outcomes, NULL, GRAPH_STATES * 4)) {
        tally->skipped++;
        set_free(&outcomes);
        return NULL;
    }
    tally->programs++;
    tally->circular++;
    tally->endless += endless;
    for (uint32_t way = 0; way < WAYS && !wrong; way++) {
        wrong = circles_by(&r, m, way, 0, &outcomes, endless);
        count(tally, way, &r.account);
        if (wrong || r.account.most_open > SMALL_ENOUGH)
            continue;
        wrong = circles_by(&r, m, way, SMALL_TABLE, &outcomes, endless);
        tally->forgotten += r.account.forgotten;
    }
    set_free(&outcomes);
    return wrong;
}
