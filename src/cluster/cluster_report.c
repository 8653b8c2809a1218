#include "cluster/cluster_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/version.h"
#include "cluster/lines.h"
#include "cluster/tree_report.h"
#include "report/json_build.h"
#include "report/quote.h"
#include "target/nodes/looking.h"
#include "target/nodes/observer.h"
#include "target/nodes/relevant.h"

// States of which it is worth saying how many bytes each takes.
enum { ENOUGH_TO_MEASURE = 1000 };

enum verdict { VERIFIED, BUG, WRONG_RULE, INCOMPLETE };

static const struct {
    const char *name;
    int status;
} verdicts[] = {
    [VERIFIED] = {"verified", 0},
    [BUG] = {"bug", 1},
    [WRONG_RULE] = {"wrong rule", 1},
    [INCOMPLETE] = {"incomplete", 3},
};

// Sampling never verifies anything, nor do executions in which the protocol never reaches its goals.
static enum verdict verdict_of(const struct cluster_report *report)
{
    const struct cluster_result *r = report->result;
    const struct strategy_traits *strategy = report->options->strategy;
    if (r->end == CLUSTER_BUG)
        return BUG;
    if (r->end == CLUSTER_WRONG_RULE)
        return WRONG_RULE;
    bool whole = r->end == CLUSTER_DONE && !r->cut && !r->no_room[0], sampled = strategy && strategy->samples;
    return whole && !sampled && !goal_missed() ? VERIFIED : INCOMPLETE;
}

int cluster_report_status(const struct cluster_report *report)
{
    return verdicts[verdict_of(report)].status;
}

void cluster_report_open(struct cluster_report *report)
{
    if (report->result->end == CLUSTER_BUG)
        tale_record(&report->tale, report->result, report->options->patience);
}

void cluster_report_close(struct cluster_report *report)
{
    if (report->result->end == CLUSTER_BUG)
        tale_free(&report->tale);
}

// Appends the name of a variable or a member that has all of these bytes; false if they belong to several.
static bool add_name(uintptr_t start, size_t size, struct buffer *names)
{
    size_t length = names->length;
    if (lines_name(start, size, names) && (size == 1 || !strchr(names->text + length, '+')))
        return true;
    buffer_cut(names, length);
    return false;
}

// Variables that may share a run of bytes: as much as has one name at a time.
static void add_names(void *context, const void *bytes, size_t size)
{
    struct buffer *names = context;
    const uintptr_t start = (uintptr_t)bytes;
    for (size_t at = 0, part; at < size; at += part) {
        size_t length = names->length;
        if (length)
            buffer_add(names, ", ");
        for (part = size - at; part && !add_name(start + at, part, names); part = part > 8 ? 8 : part / 2)
            ;
        if (part)
            continue;
        buffer_cut(names, length);
        part = 1;
    }
}

static void name_unread(const struct cluster_report *report, struct buffer *names)
{
    if (!report->options->strategy && policy_has_states(&report->options->policy))
        relevant_each_unread(add_names, names);
}

static void print_unread(const struct cluster_report *report, FILE *out)
{
    struct buffer names = {0};
    name_unread(report, &names);
    if (names.length)
        fprintf(out, "  no part of states, since nothing reads it: %s\n", names.text);
    buffer_free(&names);
}

static void add_unread(const struct cluster_report *report, cJSON *json)
{
    struct buffer names = {0};
    name_unread(report, &names);
    json_add_text(json, "unread", names.length ? names.text : NULL);
    buffer_free(&names);
}

// How many states there were stands in the first line of the counts; here which, how far away and where they are kept.
static void print_states(const struct cluster_report *report, FILE *out)
{
    const struct policy_counts *c = &report->result->policy;
    const struct policy *p = &report->options->policy;
    if (!c->states)
        return;
    if (verdict_of(report) == VERIFIED)
        fprintf(out, "  states: all that %s%s, ", policy_has_rules(p) ? "the rules leave" : "can be reached",
                c->forced ? " and have more than one way to go on" : "");
    else
        fputs("  states: not all of them, ", out);
    fprintf(out, "the furthest after %u events", c->deepest);
    if (c->states >= ENOUGH_TO_MEASURE)
        fprintf(out, "; %.0f bytes each", (double)c->state_bytes / (double)c->states);
    if (c->forced)
        fprintf(out, "; %" PRIu64 " times one was not kept, since there was one way to go on", c->forced);
    if (c->disk_bytes)
        fprintf(out, "; %.0f MiB of them on the disk, read %" PRIu64 " times", (double)c->disk_bytes / (1 << 20),
                c->state_reads);
    fputs("\n", out);
    if (c->no_disk[0])
        fprintf(out, "  states could not be written to the disk: %s\n", c->no_disk);
}

// Why one worker did what several were asked for; see can_be_shared.
static const char *why_alone(const struct cluster_options *o)
{
    return o->strategy        ? "--strategy is for one"
           : o->has_mark      ? "--mark is for one"
           : o->keep_going    ? "--keep-going is for one"
           : o->keeping.exact ? "exact states are kept by one"
           : o->proposes      ? "what --propose proposes has to hold in all states, and one looks at them"
           : o->policy.audit  ? "this audit compares executions with one another"
                              : "no other could be started";
}

static void print_counts(const struct cluster_report *report, FILE *out)
{
    const struct cluster_result *r = report->result;
    double seconds = r->seconds > 0 ? r->seconds : 1e-9;
    if (!r->executions)
        return;
    fprintf(out,
            "  %" PRIu64 " executions (%" PRIu64 " given up as repeats of others), %" PRIu64
            " events, %.2f s, %.0f executions/s",
            r->executions, r->redundant, r->events, r->seconds, (double)r->executions / seconds);
    if (r->policy.states)
        fprintf(out, ", %" PRIu64 " states", r->policy.states);
    fputs("\n", out);
    print_states(report, out);
    print_unread(report, out);
    if (r->policy.sampled)
        fprintf(out, "  of these executions %" PRIu64 " were random samples beside the search\n", r->policy.sampled);
    if (r->samplers)
        fprintf(out, "  %u more worker%s drew %" PRIu64 " samples%s\n", r->samplers, r->samplers == 1 ? "" : "s",
                r->drawn, r->by_sampler ? ", of which one failed" : "");
    else if (r->searchers)
        fprintf(out, "  %u workers shared the %s\n", r->searchers, r->policy.states ? "states" : "search");
    else if (report->options->workers > 1)
        fprintf(out, "  one worker: %s\n", why_alone(report->options));
    if (r->policy.compared || r->policy.independent)
        fprintf(out, "  independent at one node: %" PRIu64 " times (%" PRIu64 " pairs of events compared)\n",
                r->policy.independent, r->policy.compared);
    if (r->policy.skipped)
        fprintf(out, "  left out as symmetric by the rules: %" PRIu64 " crashes and reboots\n", r->policy.skipped);
    if (r->policy.renamed)
        fprintf(out, "  left out as the same with other numbers of nodes: %" PRIu64 " %s\n", r->policy.renamed,
                report->options->keeping.alike ? "states" : "crashes");
    if (report->options->has_mark)
        fprintf(out,
                "  of %" PRIu64 " executions that came to their end the policy would have left out %" PRIu64
                ": %.1f times fewer\n",
                r->policy.complete, r->policy.marked,
                (double)r->policy.complete / (double)(r->policy.complete - r->policy.marked));
    if (report->options->proposes && r->policy.proposed[0])
        fprintf(out, "  could be called auxiliary, since nothing else changed with them: %s\n", r->policy.proposed);
    else if (report->options->proposes)
        fputs("  nothing to propose: every variable that changed mattered, or was tried too rarely\n", out);
    if (r->policy.audited)
        fprintf(out, "  audited: %" PRIu64 " answers of rules\n", r->policy.audited);
    if (r->policy.outcomes && r->end != CLUSTER_WRONG_RULE)
        fprintf(out, "  every way in which executions can end is left: %" PRIu64 "\n", r->policy.outcomes);
}

static void print_goals(FILE *out)
{
    for (uint32_t i = 0; i < goal_count(); i++) {
        if (goal_times(i))
            fprintf(out, "  reached: %s, at %" PRIu64 " event%s\n", goal_name(i), goal_times(i),
                    goal_times(i) == 1 ? "" : "s");
        else
            fprintf(out, "  never reached: %s\n", goal_name(i));
    }
}

// What "verified" rests on, of the way to search.
static void print_assumptions(const struct cluster_report *report, FILE *out)
{
    const struct policy *p = &report->options->policy;
    const struct strategy_traits *strategy = report->options->strategy;
    bool by_states = !strategy && policy_has_states(p), exact = report->options->keeping.exact;
    if (strategy && strategy->any_order)
        fputs("  assuming: one order for each set of equivalent ones: `check` saw every state of each node, not every "
              "state of "
              "all nodes together\n",
              out);
    if (!strategy && policy_has_rules(p))
        fputs("  assuming: the protocol's rules are right\n", out);
    if (by_states && !exact)
        fprintf(out, "  assuming: states with the same 64-bit hash are the same%s\n",
                report->result->policy.renamed ? ", and the protocol's renaming is right" : "");
    else if (by_states && report->result->policy.renamed)
        fputs("  assuming: the protocol's renaming is right\n", out);
    if (by_states && exact && p->automatic)
        fputs("  assuming: two events commute if what they lead to has the same 64-bit hash in both orders\n", out);
    if (by_states && relevant_is_assumed())
        fputs("  assuming: what the protocol calls auxiliary, or forgets, does not matter\n", out);
}

static const char *bound_of_search(enum cluster_end end)
{
    switch (end) {
    case CLUSTER_TIME:
        return "the time is over";
    case CLUSTER_MEMORY:
        return "the memory that it may take is used up; see --memory";
    case CLUSTER_INTERRUPTED:
        return interrupt_reason();
    case CLUSTER_EXECUTIONS:
        return "--max-executions was reached";
    case CLUSTER_UNSTEADY:
        return looking_depends()
                   ? "`check` or `quiet` depends on what it left in variables when it was asked before; use the "
                     "memory of `observe`"
                   : "the nodes do not always do the same: a run ended differently when it was repeated";
    default:
        return NULL;
    }
}

static const char *bound(const struct cluster_report *report)
{
    const struct cluster_result *r = report->result;
    const char *of_search = bound_of_search(r->end);
    if (of_search)
        return of_search;
    if (r->no_room[0])
        return r->no_room;
    if (r->cut)
        return "executions were cut at --max-events";
    return goal_missed() ? "a goal was never reached: what holds may hold for no reason"
                         : "random executions are a sample";
}

static void print_bug(const struct cluster_report *report, FILE *out)
{
    const struct cluster_result *r = report->result;
    char line[400];
    lines_tell(r->place, line, sizeof line);
    fprintf(out, "  %s%s", r->text, line);
    if (r->node >= 0)
        fprintf(out, " (after an event of node %d)", r->node);
    fputs("\n\n", out);
    tale_text(&report->tale, out);
    if (tree_report_has())
        tree_report_text(r, out);
    size_t events = 0;
    for (size_t i = 0; i < report->tale.count; i++)
        events += !report->tale.rows[i].later && tale_is_event(&report->tale.rows[i]);
    fprintf(out, "\n  faults: %u, events: %zu\n", r->faults, events);
    if (report->schedule)
        quote_print(out, "  replay: heddle replay", report->schedule);
}

int cluster_report_text(struct cluster_report *report, FILE *out)
{
    const struct cluster_result *r = report->result;
    enum verdict verdict = verdict_of(report);
    fprintf(out, "%s%s%s%s\n", report->is_other ? "\n" : "", verdicts[verdict].name, r->end == CLUSTER_BUG ? ": " : "",
            r->end == CLUSTER_BUG ? failure_names[r->failure] : "");
    if (r->end == CLUSTER_BUG)
        print_bug(report, out);
    if (r->end == CLUSTER_WRONG_RULE)
        fprintf(out, "  %s\n", r->policy.wrong);
    if (verdict == INCOMPLETE)
        fprintf(out, "  %s\n", bound(report));
    return ferror(out) ? -1 : 0;
}

// With --keep-going, whether there may be more.
static void print_rest(const struct cluster_report *report, FILE *out)
{
    const struct cluster_result *r = report->result;
    if (!report->options->keep_going || r->end != CLUSTER_BUG)
        return;
    fprintf(out, "\n  %u bug%s", r->other_count + 1, r->other_count ? "s" : "");
    const char *why = bound_of_search(r->searched);
    if (r->searched == CLUSTER_BUG)
        fputs(", and there are more than heddle tells of at a time\n", out);
    else if (why || r->cut || r->no_room[0])
        fprintf(out, "; there may be others: %s\n",
                why      ? why
                : r->cut ? "executions were cut at --max-events"
                         : r->no_room);
    else
        fputs("; every execution was looked at, up to where it failed\n", out);
}

int cluster_report_counts(struct cluster_report *report, FILE *out)
{
    print_rest(report, out);
    print_counts(report, out);
    print_goals(out);
    bool verified = verdict_of(report) == VERIFIED;
    if (verified)
        print_assumptions(report, out);
    if (verified && world.library.asks_chance && world.options.draws > 1)
        fprintf(out, "  assuming: a random number of a node is one of %u; others were not tried\n",
                world.options.draws);
    else if (verified && world.library.asks_chance)
        fprintf(out,
                "  assuming: random numbers of nodes are those of --seed %" PRIu64
                "; others were not tried (see --draws)\n",
                world.options.seed);
    if (verified && world.library.asks_time)
        fputs("  assuming: the clocks of nodes go on by a second when a timer runs out, and at no other time\n", out);
    if (verified && world.library.needs[0])
        fprintf(out, "  assuming: %s keeps nothing from one call to the next: nodes share it\n", world.library.needs);
    if (verified && world.library.unknown[0])
        fprintf(out, "  assuming: %s keeps nothing from one call to the next: nodes share it\n", world.library.unknown);
    if (verified && looking_writes())
        fputs("  assuming: what `check`, `quiet` and others leave in variables does not matter to them; it is taken "
              "away\n",
              out);
    return ferror(out) ? -1 : 0;
}

static cJSON *goals_json(void)
{
    cJSON *goals = json_array();
    for (uint32_t i = 0; i < goal_count(); i++) {
        cJSON *goal = json_object();
        json_add_text(goal, "name", goal_name(i));
        json_add_number(goal, "times", (double)goal_times(i));
        json_append(goals, goal);
    }
    return goals;
}

static cJSON *bug_json(const struct cluster_report *report)
{
    const struct cluster_result *r = report->result;
    cJSON *bug = json_object();
    char line[400];
    lines_tell(r->place, line, sizeof line);
    json_add_text(bug, "kind", failure_names[r->failure]);
    json_add_text(bug, "text", r->text);
    json_add_number(bug, "node", r->node);
    json_add_text(bug, "place", line[0] ? line + strlen(" at ") : NULL);
    json_add_number(bug, "faults", r->faults);
    json_add_text(bug, "schedule", report->schedule);
    json_add(bug, "story", tale_json(&report->tale));
    if (tree_report_has())
        json_add(bug, "trees", tree_report_json(r));
    return bug;
}

int cluster_report_json(struct cluster_report *report, FILE *out)
{
    const struct cluster_result *r = report->result;
    cJSON *json = json_object();
    json_add_text(json, "heddle", HEDDLE_VERSION);
    json_add_text(json, "command", "cluster");
    json_add_text(json, "program", report->program);
    json_add_text(json, "verdict", verdicts[verdict_of(report)].name);
    json_add_number(json, "nodes", report->options->world.nodes);
    json_add_text(json, "order", order_names[world.options.order]);
    json_add_number(json, "executions", (double)r->executions);
    json_add_number(json, "redundant", (double)r->redundant);
    json_add_number(json, "samples", (double)r->policy.sampled);
    json_add_number(json, "workers", (double)(r->searchers ? r->searchers : r->samplers + 1));
    json_add_number(json, "samples_beside", (double)r->drawn);
    json_add_number(json, "events", (double)r->events);
    json_add_number(json, "states", (double)r->policy.states);
    json_add_number(json, "states_deepest", r->policy.deepest);
    json_add_number(json, "states_forced", (double)r->policy.forced);
    json_add_number(json, "states_bytes", (double)r->policy.state_bytes);
    json_add_number(json, "states_disk", (double)r->policy.disk_bytes);
    json_add_number(json, "skipped", (double)r->policy.skipped);
    json_add_number(json, "renamed", (double)r->policy.renamed);
    json_add_number(json, "audited", (double)r->policy.audited);
    json_add_number(json, "outcomes", (double)r->policy.outcomes);
    if (report->options->has_mark) {
        json_add_number(json, "complete", (double)r->policy.complete);
        json_add_number(json, "marked", (double)r->policy.marked);
    }
    json_add_number(json, "seconds", r->seconds);
    json_add_number(json, "processor_seconds", r->processor_seconds);
    json_add(json, "goals", goals_json());
    add_unread(report, json);
    if (report->options->proposes)
        json_add_text(json, "proposed", r->policy.proposed);
    json_add_text(json, "wrong_rule", r->policy.wrong[0] ? r->policy.wrong : NULL);
    if (r->end == CLUSTER_BUG)
        json_add(json, "bug", bug_json(report));
    if (report->options->keep_going)
        json_add_number(json, "bugs", r->end == CLUSTER_BUG ? r->other_count + 1 : 0);
    return json_write(json, out);
}

int cluster_report_svg(struct cluster_report *report, FILE *out)
{
    bool has_tree = tree_report_has();
    struct tale_annex annex = {.body = NULL};
    if (has_tree)
        annex = tree_report_annex(report->result, tale_svg_height(&report->tale));
    tale_svg(&report->tale, report->result->text, has_tree ? &annex : NULL, out);
    free(annex.body);
    return ferror(out) ? -1 : 0;
}
