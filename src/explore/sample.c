// Several samplers in turns: random walks, random priorities (pct), partial order sampling (pos) and fuzzing (fuzz). Which of
// them shows most depends on the program, and on how long they have been at it; so turns are drawn, and
// the more a sampler's last turns still showed that none had shown before the more of them it gets (a bandit whose rewards fade).
// Executions that showed something are all there for `fuzz` to go on from.
//
// All of them are measured by the same two things: what reads saw (pairs.h), and which traces there were. How often things
// were seen once and twice tells how much was never seen (Good and Turing; Chao, Scandinavian Journal of Statistics 1984).
#include "base/mem.h"
#include "explore/draw.h"
#include "explore/fuzz.h"
#include "explore/pairs.h"
#include "explore/seen.h"
#include "explore/strategy.h"

enum { TURN = 16, TRACES = 1 << 21 };

enum { RANDOM_ARM, PCT_ARM, POS_ARM, FUZZ_ARM };

const enum strategy_kind sampler_kinds[SAMPLERS] = {
    [RANDOM_ARM] = STRATEGY_RANDOM, [PCT_ARM] = STRATEGY_PCT, [POS_ARM] = STRATEGY_POS, [FUZZ_ARM] = STRATEGY_FUZZ};

// A trace that was seen.
struct trace_seen {
    uint64_t key; // 0: free
    uint64_t hits;
};

struct sample {
    struct strategy s;
    uint32_t root;
    uint64_t run, runs;
    struct draw draw;
    struct pairs *pairs;
    struct seen *seen;
    struct trace_seen *traces;
    struct {
        struct strategy *strategy;
        double value; // what its last turns have shown, per execution
    } arm[SAMPLERS];
    uint32_t now, left; // whose turn it is, and how many executions are left of it
    double shown;       // in this turn
};

static struct sample *self(struct strategy *s)
{
    return (struct sample *)s;
}

// Whether the trace that has just ended is new.
static bool note_trace(struct sample *m)
{
    struct account *a = &m->s.account;
    uint64_t key = seen_trace(m->seen) | 1;
    struct trace_seen *t;
    for (uint64_t i = 0;; i++) {
        t = &m->traces[((key >> 1) + i) % TRACES];
        if (!t->key || t->key == key)
            break;
    }
    bool is_new = !t->key;
    if (is_new && a->traces >= TRACES / 4 * 3ull) {
        a->overflowed = true;
        return true;
    }
    t->key = key;
    t->hits++;
    a->traces += is_new;
    a->traces_once += t->hits == 1;
    a->traces_once -= t->hits == 2;
    a->traces_twice += t->hits == 2;
    a->traces_twice -= t->hits == 3;
    return is_new;
}

// Each is drawn as often as its last turns have shown something, and none is ever left out.
static uint32_t draw_arm(struct sample *m)
{
    static const double least = 0.05;
    double sum = 0;
    for (uint32_t i = 0; i < SAMPLERS; i++)
        sum += m->arm[i].value + least;
    double at = draw_fraction(&m->draw) * sum;
    for (uint32_t i = 0; i + 1 < SAMPLERS; i++) {
        at -= m->arm[i].value + least;
        if (at < 0)
            return i;
    }
    return SAMPLERS - 1;
}

static void end_turn(struct sample *m)
{
    static const double fading = 0.3;
    double *value = &m->arm[m->now].value;
    *value += fading * (m->shown / TURN - *value);
    m->now = draw_arm(m);
    m->left = TURN;
    m->shown = 0;
}

static bool sample_pick(struct strategy *s, struct step *next)
{
    struct sample *m = self(s);
    seen_follow(m->seen);
    pairs_follow(m->pairs);
    struct strategy *arm = m->arm[m->now].strategy;
    if (!arm->pick(arm, next))
        return false;
    pairs_step(m->pairs, next->actor);
    return true;
}

// What an execution has shown: what reads saw counts for more than a trace, of which there are new ones nearly for ever.
static void judge(struct sample *m)
{
    static const double trace_worth = 0.02;
    struct account *a = &m->s.account;
    seen_follow(m->seen);
    pairs_follow(m->pairs);
    bool news = pairs_news(m->pairs);
    m->shown += (news ? 1 : 0) + (note_trace(m) ? trace_worth : 0);
    if (news && m->now != FUZZ_ARM)
        fuzz_keep(m->arm[FUZZ_ARM].strategy);
    struct pairs_count count = pairs_count(m->pairs);
    a->sampled++;
    a->drawn[m->now]++;
    a->pairs = count.all;
    a->pairs_once = count.once;
}

// Only what pct drew counts for its probability.
static void take_over_bound(struct sample *m)
{
    struct account *a = &m->s.account;
    const struct account *pct = &m->arm[PCT_ARM].strategy->account;
    a->threads = pct->threads;
    a->length = pct->length;
    a->runs = pct->runs;
    a->outcomes = pct->outcomes;
    a->put_last = pct->put_last;
}

static bool sample_next(struct strategy *s, uint32_t *depth)
{
    struct sample *m = self(s);
    uint32_t before = m->now;
    struct strategy *arm = m->arm[before].strategy;
    judge(m);
    arm->next(arm, depth); // also ends the execution for `pairs`
    if (before != FUZZ_ARM)
        pairs_end(m->pairs);
    take_over_bound(m);
    if (++m->run >= m->runs)
        return false;
    if (!--m->left)
        end_turn(m);
    if (m->now != before)
        *depth = m->root;
    return true;
}

static void sample_free(struct strategy *s)
{
    struct sample *m = self(s);
    for (uint32_t i = 0; i < SAMPLERS; i++)
        m->arm[i].strategy->free(m->arm[i].strategy);
    pairs_free(m->pairs);
    seen_free(m->seen);
    mem_release(m->traces, TRACES * sizeof *m->traces);
    mem_release(m, sizeof *m);
}

struct strategy *sample_new(struct target *target, const struct strategy_options *options)
{
    static const double unknown = 1; // as if it had shown something in each execution
    struct sample *m = mem_reserve(sizeof *m);
    m->s = (struct strategy){.name = "sample",
                             .target = target,
                             .exec = target->exec,
                             .pick = sample_pick,
                             .next = sample_next,
                             .free = sample_free};
    m->root = options->root;
    m->runs = options->runs;
    m->pairs = pairs_new(target);
    m->seen = seen_new(target->exec);
    m->traces = mem_reserve(TRACES * sizeof *m->traces);
    draw_begin(&m->draw, options->seed, 0);
    struct strategy_options shared = *options;
    shared.runs = UINT64_MAX;
    shared.pairs = m->pairs;
    for (uint32_t i = 0; i < SAMPLERS; i++) {
        m->arm[i].strategy = strategy_new(sampler_kinds[i], target, &shared);
        m->arm[i].value = unknown;
    }
    m->now = FUZZ_ARM;
    m->left = TURN;
    return &m->s;
}
