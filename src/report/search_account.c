#include "report/search_account.h"

#include <inttypes.h>

#include "report/json_build.h"

static void add_duration(double seconds, struct buffer *out)
{
    static const struct {
        double seconds;
        const char *name;
    } units[] = {{365.25 * 86400, "year"}, {86400, "day"}, {3600, "hour"}, {60, "minute"}, {1, "second"}};
    enum { UNITS = sizeof units / sizeof *units };
    int i = 0;
    while (i < UNITS - 1 && seconds < 2 * units[i].seconds)
        i++;
    double count = seconds / units[i].seconds;
    if (count > 1e6)
        buffer_add(out, "more than a million years");
    else
        buffer_add(out, "%.0f %s%s", count, units[i].name, count > 0.5 && count < 1.5 ? "" : "s");
}

// How long the whole search would take; 0 if that is not known.
static double estimated_seconds(const struct report_phase *phase)
{
    return phase->share.likely > 0 ? phase->seconds / phase->share.likely : 0;
}

static bool searches_states(const struct report_phase *phase)
{
    return strategy_table[phase->strategy].matches_states;
}

static void add_states(const struct report_phase *phase, struct buffer *out)
{
    const struct account *a = &phase->account;
    buffer_add(out,
               "; %" PRIu64 " state%s (at most %" PRIu64 " open at a time), and %" PRIu64
               " step%s that led to one of them again",
               a->states, a->states == 1 ? "" : "s", a->most_open, a->known, a->known == 1 ? "" : "s");
    if (a->forgotten)
        buffer_add(out, "; %" PRIu64 " were forgotten to keep within --memory", a->forgotten);
}

static void add_subspaces(const struct account *a, struct buffer *out)
{
    buffer_add(out, "; %" PRIu64 " subspace%s asked for races, %" PRIu64 " of them left out since they have none",
               a->judged, a->judged == 1 ? " was" : "s were", a->pruned);
}

static void add_given_up(const struct report_phase *phase, struct buffer *out)
{
    if (phase->unknown_states) {
        buffer_add(out, "not begun, since not every write to memory is known: then states cannot be known");
    } else if (searches_states(phase) && phase->crowd) {
        buffer_add(out, "given up for now, since states are not few");
    } else if (searches_states(phase)) {
        buffer_add(out, "given up, since states do not repeat often enough");
    } else if (phase->crowd) {
        buffer_add(out, "given up for now, since threads run one function");
    } else if (estimated_seconds(phase) > 0) {
        buffer_add(out, "given up, since by its estimate it would take about ");
        add_duration(estimated_seconds(phase), out);
    } else {
        buffer_add(out, "given up, since it did not end soon, and no estimate can be made");
    }
}

static void add_end(const struct report_phase *phase, struct buffer *out)
{
    bool cut = phase->counts.cut, samples = strategy_table[phase->strategy].samples != NULL;
    if (phase->end == JOB_DONE && !samples)
        buffer_add(out, cut ? "came to its end, with executions that were cut" : "came to its end");
    else if (phase->end == JOB_BUG)
        buffer_add(out, "found a bug");
    else if (phase->end == JOB_TOO_LARGE)
        add_given_up(phase, out);
    else if (phase->end == JOB_TIME && cut && !samples)
        buffer_add(out, "ended, since executions were cut, so that it can verify nothing any more");
    else if (phase->end == JOB_TIME || phase->end == JOB_DONE)
        buffer_add(out, "ended with its time");
    else
        buffer_add(out, "was stopped");
}

void search_account_sentence(const struct report_phase *phase, struct buffer *out)
{
    if (phase->scouts)
        buffer_add(out, "fuzz, %" PRIu64 " execution%s at the beginning; ", phase->scouts,
                   phase->scouts == 1 ? "" : "s");
    buffer_add(out, "%s, %" PRIu64 " execution%s in %.1f s: ", strategy_table[phase->strategy].name,
               phase->counts.executions, phase->counts.executions == 1 ? "" : "s", phase->seconds);
    add_end(phase, out);
    if (phase->counts.cut)
        buffer_add(out, "; %" PRIu64 " cut after %u events", phase->counts.cut, phase->max_steps);
    if (searches_states(phase) && !phase->unknown_states)
        add_states(phase, out);
    if (phase->account.judged)
        add_subspaces(&phase->account, out);
}

static cJSON *account_of(const struct report_phase *phase)
{
    const struct account *a = &phase->account;
    struct buffer end = {0};
    cJSON *json = json_object();
    add_end(phase, &end);
    json_add_text(json, "strategy", strategy_table[phase->strategy].name);
    json_add_number(json, "scouts", (double)phase->scouts);
    json_add_number(json, "executions", (double)phase->counts.executions);
    json_add_number(json, "cut", (double)phase->counts.cut);
    json_add_number(json, "seconds", phase->seconds);
    json_add(json, "estimated_seconds",
             estimated_seconds(phase) > 0 ? cJSON_CreateNumber(estimated_seconds(phase)) : cJSON_CreateNull());
    if (searches_states(phase)) {
        json_add_number(json, "states", (double)a->states);
        json_add_number(json, "states_again", (double)a->known);
        json_add_number(json, "states_open", (double)a->most_open);
        json_add_number(json, "states_forgotten", (double)a->forgotten);
    }
    if (a->judged) {
        json_add_number(json, "subspaces", (double)a->judged);
        json_add_number(json, "subspaces_left_out", (double)a->pruned);
    }
    json_add_buffer(json, "end", &end);
    return json;
}

void search_account_json(const struct report_summary *summary, cJSON *json)
{
    if (!summary->history_count)
        return;
    cJSON *list = json_array();
    for (size_t i = 0; i < summary->history_count; i++)
        json_append(list, account_of(&summary->history[i]));
    json_add(json, "search", list);
}
