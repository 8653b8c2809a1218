#include "report/coverage.h"

#include <inttypes.h>
#include <string.h>

#include "report/json_build.h"

double coverage_of_one(const struct report_phase *phase)
{
    const struct account *a = &phase->account;
    if (!a->threads || !a->length || a->put_last)
        return 0;
    double one = 1 / (a->threads * a->outcomes);
    for (uint32_t i = 1; i < phase->depth; i++)
        one /= a->length;
    return one;
}

// 1 - (1 - one)^runs, without losing what is small: the executions are taken together two by two.
double coverage_of(double one, uint64_t runs)
{
    double all = 0;
    for (; runs; runs >>= 1) {
        if (runs & 1)
            all += one - all * one;
        one += one - one * one;
    }
    return all;
}

static void add_pct(const struct report_phase *phase, struct buffer *out)
{
    const struct account *a = &phase->account;
    double one = coverage_of_one(phase), all = coverage_of(one, a->runs);
    struct buffer drawn = {0};
    if (a->put_last) {
        buffer_add(out, "no probability is known, since threads that yielded or ran on for long were put last");
        return;
    }
    if (a->outcomes > 1)
        buffer_add(&drawn, ", choices that come out in up to %.4g ways", a->outcomes);
    buffer_add(out, "a bug of depth %u is found by one execution with a probability of at least 1/(%u*%u^%u",
               phase->depth, a->threads, a->length, phase->depth - 1);
    if (a->outcomes > 1)
        buffer_add(out, "*%.4g", a->outcomes);
    buffer_add(out,
               ") = %.2g (%u thread%s, at most %u events%s), by the %" PRIu64 " that were drawn so with at least %.*g",
               one, a->threads, a->threads == 1 ? "" : "s", a->length, buffer_text(&drawn), a->runs, all > 0.99 ? 4 : 2,
               all < 0.9999 ? all : 0.9999);
    buffer_add(out, ", so that it was missed with at most %.2g", all < 0.9999 ? 1 - all : 0.0001);
    buffer_free(&drawn);
}

// How many there are in all, at least, if so many were seen once and twice (Chao).
static double estimate_all(uint64_t seen, uint64_t once, uint64_t twice)
{
    double unseen = twice ? (double)once * (double)once / (2 * (double)twice) : (double)once * ((double)once - 1) / 2;
    return (double)seen + unseen;
}

static void add_drawn(const struct account *a, struct buffer *out)
{
    for (uint32_t i = 0; i < SAMPLERS; i++)
        buffer_add(out, "%s%s %" PRIu64, i ? ", " : "", strategy_table[sampler_kinds[i]].name, a->drawn[i]);
}

// How many new pairs the next execution shows, to be expected (Good and Turing): it may be several.
static double expected_pairs(const struct account *a)
{
    return a->sampled ? (double)a->pairs_once / (double)a->sampled : 1;
}

static void add_samples(const struct report_phase *phase, struct buffer *out)
{
    const struct account *a = &phase->account;
    buffer_add(out, "drawn by ");
    add_drawn(a, out);
    buffer_add(out, "; reads saw %" PRIu64 " different writes, and another execution shows ", a->pairs);
    if (a->sampled && expected_pairs(a) > 1)
        buffer_add(out, "about %.3g new ones", expected_pairs(a));
    else if (a->pairs_once)
        buffer_add(out, "a new one with a probability of about %.2g", expected_pairs(a));
    else
        buffer_add(out, "a new one hardly ever");
    buffer_add(out, "; %" PRIu64 " traces", a->traces);
    if (!a->overflowed)
        buffer_add(out, ", of at least about %.3g", estimate_all(a->traces, a->traces_once, a->traces_twice));
    if (!a->runs)
        return;
    buffer_add(out, "; of the executions that pct drew, and of no others: ");
    add_pct(phase, out);
}

static void add_bounds(const struct report_phase *phase, struct buffer *out)
{
    uint32_t bounds = phase->account.bounds;
    if (!bounds) {
        buffer_add(out, "not even the executions without a preemption were all covered");
        return;
    }
    if (bounds == 1)
        buffer_add(out, "every execution without a preemption was covered");
    else
        buffer_add(out, "every execution with at most %u preemption%s was covered", bounds - 1, bounds == 2 ? "" : "s");
    if (phase->counts.cut)
        buffer_add(out, ", up to its first %u events", phase->max_steps);
}

const char *coverage_why_changed(const struct job *job)
{
    if (job->answer.account.by_traces)
        return "traces were searched, since the program does what rf does not take apart (see heddle-check(1))";
    if (!job->answer.strategy_changed)
        return NULL;
    if (job->answer.strategy_changed == CHANGED_LONG)
        return "instead of optimal, which would take too long, since states repeat";
    if (job->answer.strategy_changed == CHANGED_ENDLESS)
        return "instead of optimal, for which executions are too long, since states repeat";
    if (job->answer.strategy_changed == CHANGED_CROWD)
        return "instead of optimal, since threads run one function, and states repeat";
    if (job->answer.strategy_changed == CHANGED_BACK)
        return "after states were tried, which do not repeat often enough to take its place";
    if (job->answer.strategy_changed == CHANGED_UNKNOWN)
        return "however long it takes, since not every write to memory is known, and states cannot be";
    if (job->answer.strategy_changed == CHANGED_RF)
        return job->learnt.write_order
                   ? "instead of rf, since atomic memory is read plainly, and the order of its writes counts"
                   : "instead of rf, since memory is accessed in pieces that overlap";
    if (job->answer.strategy_changed == CHANGED_STATES)
        return "instead of a search by states, since not every write to memory is known";
    return job->task.plain      ? "instead of optimal, since only the program's calls are seen"
           : job->learnt.shares ? "instead of optimal, since readers share a lock"
                                : "instead of optimal, since a try call can see a lock that another thread polls under";
}

enum strategy_kind coverage_strategy(const struct report_summary *summary)
{
    return summary->phase_count > 1 ? STRATEGY_PORTFOLIO
           : summary->phase_count   ? summary->phases[0].strategy
                                    : summary->job->task.strategy;
}

static void add_percent(struct buffer *out, double share)
{
    double percent = share * 100;
    if (percent < 0.001)
        buffer_add(out, "less than 0.001 %%");
    else
        buffer_add(out, "%.*f %%",
                   percent < 0.01  ? 4
                   : percent < 0.1 ? 3
                   : percent < 1   ? 2
                   : percent < 10  ? 1
                                   : 0,
                   percent);
}

static void add_likely(const struct share *share, struct buffer *out)
{
    bool bounded = share->least > 0, tiny = share->likely < 0.00001;
    buffer_add(out, bounded ? tiny ? "" : "about " : tiny ? "probably " : "probably less than ");
    add_percent(out, share->likely);
    buffer_add(out, " explored");
    if (!bounded || share->most < 0.00001)
        return;
    buffer_add(out, ", by samples of the rest probably between ");
    add_percent(out, share->least);
    buffer_add(out, " and ");
    add_percent(out, share->most);
}

static void add_share(const struct report_phase *phase, struct buffer *out)
{
    if (phase->end == JOB_TOO_LARGE)
        buffer_add(out, "too large to be covered in the time, ");
    if (phase->share.likely < 0)
        buffer_add(out, "how much of it was explored is not known");
    else
        add_likely(&phase->share, out);
}

// Whether the search had more to do, and nothing else to tell.
static bool ended_early(uint32_t end)
{
    return end == JOB_TIME || end == JOB_TOO_LARGE || end == JOB_EXECUTIONS || end == JOB_INTERRUPTED;
}

bool coverage_sentence(const struct report_phase *phase, struct buffer *out)
{
    if (phase->strategy == STRATEGY_PCT && phase->account.runs)
        add_pct(phase, out);
    else if (phase->strategy == STRATEGY_SAMPLE && phase->account.sampled)
        add_samples(phase, out);
    else if (phase->strategy == STRATEGY_BOUNDED && phase->account.bounds != NO_BOUND)
        add_bounds(phase, out);
    else if (strategy_table[phase->strategy].estimates && ended_early(phase->end))
        add_share(phase, out);
    else
        return false;
    return true;
}

void coverage_phase(const struct report_phase *phase, struct buffer *out)
{
    struct buffer text = {0};
    buffer_add(out, "%s, %" PRIu64 " execution%s in %.1f s", strategy_table[phase->strategy].name,
               phase->counts.executions, phase->counts.executions == 1 ? "" : "s", phase->seconds);
    if (coverage_sentence(phase, &text))
        buffer_add(out, ": %s", text.text);
    buffer_free(&text);
}

static void pct_json(const struct report_phase *phase, cJSON *json)
{
    const struct account *a = &phase->account;
    double one = coverage_of_one(phase);
    cJSON *pct = json_object();
    json_add_number(pct, "depth", phase->depth);
    json_add_number(pct, "threads", a->threads);
    json_add_number(pct, "length", a->length);
    json_add_number(pct, "runs", (double)a->runs);
    json_add_number(pct, "outcomes", a->outcomes);
    json_add_number(pct, "probability_each", one);
    json_add_number(pct, "probability", coverage_of(one, a->runs));
    json_add_number(pct, "missed", 1 - coverage_of(one, a->runs));
    json_add(json, "pct", pct);
}

static void samples_json(const struct account *a, cJSON *json)
{
    cJSON *samples = json_object(), *drawn = json_object();
    for (uint32_t i = 0; i < SAMPLERS; i++)
        json_add_number(drawn, strategy_table[sampler_kinds[i]].name, (double)a->drawn[i]);
    json_add_number(samples, "executions", (double)a->sampled);
    json_add(samples, "drawn", drawn);
    json_add_number(samples, "pairs", (double)a->pairs);
    json_add_number(samples, "new_pair_probability", expected_pairs(a) < 1 ? expected_pairs(a) : 1);
    json_add_number(samples, "traces", (double)a->traces);
    json_add(samples, "traces_at_least",
             a->overflowed ? cJSON_CreateNull()
                           : cJSON_CreateNumber(estimate_all(a->traces, a->traces_once, a->traces_twice)));
    json_add(json, "samples", samples);
}

void coverage_share_json(const struct share *share, cJSON *json)
{
    bool known = share->likely >= 0;
    json_add(json, "share", known ? cJSON_CreateNumber(share->likely) : cJSON_CreateNull());
    const double range[] = {share->least, share->most};
    json_add(json, "share_range", known ? cJSON_CreateDoubleArray(range, 2) : cJSON_CreateNull());
}

void coverage_json(const struct report_phase *phase, cJSON *json)
{
    bool samples = phase->strategy == STRATEGY_SAMPLE;
    if (samples)
        samples_json(&phase->account, json);
    if (phase->strategy == STRATEGY_PCT || (samples && phase->account.runs))
        pct_json(phase, json);
    if (phase->strategy != STRATEGY_BOUNDED)
        return;
    if (phase->account.bounds == NO_BOUND)
        json_add_text(json, "bounds", "all");
    else
        json_add_number(json, "bounds", phase->account.bounds);
}
