#include "fuzz/check_rf.h"

#include <string.h>

#include "explore/search.h"

enum { MOST_EXECUTIONS = 1000000 };

struct run {
    struct machine *m;
    struct set locals, classes;
    uint64_t executions, dropped;
    bool by_traces;
    struct step last[MACHINE_STEPS];
    uint32_t length;
};

// What each event looked at, by names that are the same in every search.
static uint64_t class_of(const struct machine *m)
{
    const struct exec *x = &m->exec;
    uint32_t thread[MAX_ACTORS] = {0};
    for (uint32_t t = 0; t < m->program->threads; t++)
        thread[m->now.thread[t].actor] = t;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < x->count; i++) {
        const struct event *e = &x->events[i];
        bool looks = exec_is_on_object(e) && !op_table[e->kind].blind;
        uint32_t source = looks ? exec_source(e) : NO_EVENT;
        const struct event *f = source == NO_EVENT ? NULL : &x->events[source];
        uint32_t key[8] = {
            thread[e->actor], e->index, e->kind, e->object, e->effect, e->alternative, f ? thread[f->actor] + 1 : 0,
            f ? f->index : 0};
        sum += hash_bytes(key, sizeof key);
    }
    return sum;
}

static bool on_leaf(void *context, bool whole)
{
    struct run *r = context;
    if (!whole || !machine_finished(r->m))
        return true;
    set_add(&r->locals, machine_local_outcome(r->m));
    set_add(&r->classes, class_of(r->m));
    r->length = r->m->exec.count;
    for (uint32_t i = 0; i < r->length; i++)
        r->last[i] = (struct step){r->m->exec.events[i].actor, r->m->exec.events[i].alternative};
    return true;
}

static bool run(struct run *r, struct machine *m, enum strategy_kind kind, struct strategy_options options)
{
    memset(r, 0, sizeof *r);
    r->m = m;
    m->target.restart(&m->target, 0);
    options.preemptions = NO_BOUND;
    struct strategy *s = strategy_new(kind, &m->target, &options);
    struct search search = {.strategy = s,
                            .max_executions = MOST_EXECUTIONS,
                            .max_steps = MACHINE_STEPS - 1,
                            .leaf = on_leaf,
                            .context = r};
    bool whole = search_run(&search) == SEARCH_DONE && !search.cut;
    r->executions = search.executions;
    r->dropped = s->redundant;
    r->by_traces = s->account.by_traces;
    s->free(s);
    return whole;
}

static void run_end(struct run *r)
{
    set_free(&r->locals);
    set_free(&r->classes);
}

// The classes of all traces. Waits on a condition variable commute in traces, and not where sources count.
static const char *compare(struct machine *m, const struct run *r, struct strategy_options options, struct tally *tally)
{
    static struct run all;
    const char *wrong = NULL;
    if (r->by_traces) {
        tally->by_traces++;
        return NULL;
    }
    if (r->executions - r->dropped != r->classes.count) // one that is given up may have come to its end as well
        return "rf meets a class twice";
    if (program_has(m->program, DO_WAIT))
        return NULL;
    if (!run(&all, m, STRATEGY_DPOR, options))
        wrong = NULL;
    else if (!set_equal(&all.classes, &r->classes))
        wrong = "rf misses classes, or has some that are none";
    else if (!set_equal(&all.locals, &r->locals))
        wrong = "rf has other local outcomes than dpor";
    run_end(&all);
    return wrong;
}

// The same below a given beginning.
static const char *check_below(struct machine *m, uint64_t seed, struct tally *tally)
{
    static struct run drawn, r;
    const char *wrong = NULL;
    run(&drawn, m, STRATEGY_RANDOM, (struct strategy_options){.seed = seed, .runs = 1});
    run_end(&drawn);
    struct strategy_options options = {.root = drawn.length / 3, .prefix = drawn.last};
    if (!run(&r, m, STRATEGY_RF, options))
        wrong = "rf does not come to an end below a root";
    else if (compare(m, &r, options, tally))
        wrong = "rf is wrong below a root";
    run_end(&r);
    return wrong;
}

const char *check_rf(struct machine *m, const struct set *locals, uint64_t seed, struct tally *tally)
{
    static struct run r;
    const char *wrong = NULL;
    if (!run(&r, m, STRATEGY_RF, (struct strategy_options){0}))
        wrong = "rf does not come to an end";
    else if (!set_equal(&r.locals, locals))
        wrong = "rf misses local outcomes";
    else
        wrong = compare(m, &r, (struct strategy_options){0}, tally);
    tally->classes += r.classes.count;
    tally->rf += r.executions;
    tally->rf_dropped += r.dropped;
    run_end(&r);
    return wrong ? wrong : check_below(m, seed, tally);
}

uint64_t count_rf(const struct program *p)
{
    static struct run r;
    struct machine m;
    machine_init(&m, p);
    run(&r, &m, STRATEGY_RF, (struct strategy_options){0});
    uint64_t executions = r.executions == r.classes.count ? r.executions : 0;
    run_end(&r);
    machine_free(&m);
    return executions;
}
