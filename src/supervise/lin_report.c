#include "supervise/lin_report.h"

#include <inttypes.h>

#include "base/version.h"
#include "report/json.h"
#include "report/json_build.h"
#include "report/report_text.h"
#include "report/style.h"
#include "supervise/growth_report.h"
#include "supervise/repair_report.h"

static const char *lin_report_plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static void print_counts(FILE *out, const struct lin *lin)
{
    fprintf(out, "  %" PRIu64 " client%s, %" PRIu64 " execution%s, %" PRIu64 " event%s, %" PRIu64 " different histor%s",
            lin->clients, lin_report_plural(lin->clients), lin->executions, lin_report_plural(lin->executions),
            lin->events, lin_report_plural(lin->events), lin->histories, lin->histories == 1 ? "y" : "ies");
    if (lin->stuck)
        fprintf(out, ", %" PRIu64 " that wait for ever as they may", lin->stuck);
    if (lin->matched)
        fprintf(out, ", %" PRIu64 " state%s of %" PRIu64 " client%s", lin->states, lin_report_plural(lin->states),
                lin->matched, lin_report_plural(lin->matched));
    fprintf(out, ", %.2f s\n", lin->took);
}

static const char *operation_name(const struct lin *lin, uint32_t operation)
{
    return operation == CLIENT_OBSERVE ? "state" : lin->check.job->client.object.operation[operation].name;
}

// "push can block pop, push (stack.c:41)"
static void print_blocker(FILE *out, const struct lin *lin, uint32_t blocker)
{
    const char *between = " can block ";
    struct buffer place = {0};
    fprintf(out, "  blocking: %s", operation_name(lin, blocker));
    for (uint32_t i = 0; i < lin->blockings; i++) {
        if (lin->blocking[i].blocker != blocker)
            continue;
        if (!place.text)
            lin_place(lin, lin->blocking[i].pc, &place);
        fprintf(out, "%s%s", between, operation_name(lin, lin->blocking[i].blocked));
        between = ", ";
    }
    if (place.text)
        fprintf(out, " (%s)", place.text);
    fputc('\n', out);
    buffer_free(&place);
}

static void print_blocking(FILE *out, const struct lin *lin)
{
    for (uint32_t operation = 0; operation <= CLIENT_OBSERVE; operation++)
        for (uint32_t i = 0; i < lin->blockings; i++)
            if (lin->blocking[i].blocker == operation) {
                print_blocker(out, lin, operation);
                break;
            }
    if (lin->watched && !lin->blockings)
        fprintf(out,
                "  no blocking seen: in %" PRIu64 " client%s, wherever a call stops for ever, the others can return\n",
                lin->watched, lin_report_plural(lin->watched));
}

// "pop promises to be lock-free, but waits for ever if a call of push stops at stack.c:41"
static void add_broken(const struct lin *lin, struct buffer *text)
{
    static const char *const promises[] = {[PROGRESS_OBSTRUCTION_FREE] = "obstruction-free",
                                           [PROGRESS_LOCK_FREE] = "lock-free",
                                           [PROGRESS_WAIT_FREE] = "wait-free"};
    const struct client_blocking *b = lin->broken;
    struct buffer place = {0};
    lin_place(lin, b->pc, &place);
    buffer_add(text, "%s promises to be %s, but waits for ever if a call of %s stops%s%s",
               operation_name(lin, b->blocked), promises[lin->check.job->client.object.operation[b->blocked].progress],
               operation_name(lin, b->blocker), place.text ? " at " : "", place.text ? place.text : "");
    buffer_free(&place);
}

static void print_broken(FILE *out, const struct lin *lin)
{
    struct buffer text = {0};
    add_broken(lin, &text);
    fprintf(out, "bug: no-progress\n  %s\n", text.text);
    buffer_free(&text);
}

void lin_report_text(FILE *out, const struct lin *lin, int status, bool colour)
{
    const char *judgement = lin_judgements[lin->check.job->client.judgement];
    struct style style;
    style_init(&style, out, colour);
    if (lin->failed) {
        fprintf(out, "client: %s\n", lin->client);
        if (lin->shrunk || lin->given || lin->beyond)
            fprintf(out, "  %s\n",
                    lin->smallest ? "minimal: with a call less, or a smaller argument, it does not fail"
                                  : "the best within the time (--explain)");
        else if (lin->smallest)
            fprintf(out, "  the first in order of size: no client with fewer calls fails\n");
        report_text(out, &lin->outcome.summary, colour);
        repair_text(out, &lin->repair, &style);
        fputs("all clients up to this one:\n", out);
    } else if (lin->broken) {
        print_broken(out, lin);
    } else if (status == 3) {
        fprintf(out, "incomplete: %s\n", lin->reason);
        growth_text_covered(out, lin);
    } else if (lin->given) {
        fprintf(out, "verified: %s is %s under this client\n", lin->check.name,
                lin->check.job->client.judgement ? judgement : "linearizable");
    } else {
        fprintf(out, "verified: %s is %s under all clients of up to %u thread%s with %u call%s each and %u in all\n",
                lin->check.name, judgement, lin->bounds.threads, lin_report_plural(lin->bounds.threads),
                lin->bounds.calls, lin_report_plural(lin->bounds.calls), lin->bounds.total);
    }
    if (lin->samples && !lin->failed && status != 3)
        fprintf(
            out,
            "  and under %" PRIu64 " random ones of %u thread%s with %u calls each, %" PRIu64 " of them only in part\n",
            lin->samples, lin->sample_threads, lin_report_plural(lin->sample_threads), lin->sample_calls, lin->left);
    growth_text(out, lin);
    print_counts(out, lin);
    if (!lin->failed)
        print_blocking(out, lin);
    if (!lin->failed)
        report_text_assumptions(out, lin->assumptions, lin->assumption_count, &style);
}

static cJSON *bounds_json(const struct lin *lin)
{
    cJSON *json = json_object();
    json_add_number(json, "threads", lin->bounds.threads);
    json_add_number(json, "calls", lin->bounds.calls);
    json_add_number(json, "total", lin->bounds.total);
    json_add_number(json, "samples", (double)lin->samples);
    return json;
}

static cJSON *blocking_json(const struct lin *lin)
{
    cJSON *json = json_array();
    for (uint32_t i = 0; i < lin->blockings; i++) {
        struct buffer place = {0};
        cJSON *entry = json_object();
        lin_place(lin, lin->blocking[i].pc, &place);
        json_add_text(entry, "operation", operation_name(lin, lin->blocking[i].blocker));
        json_add_text(entry, "blocks", operation_name(lin, lin->blocking[i].blocked));
        json_add_text(entry, "place", place.text);
        json_append(json, entry);
        buffer_free(&place);
    }
    return json;
}

// What there is to say beyond the search of one client.
static cJSON *lin_json(const struct lin *lin)
{
    cJSON *json = json_object();
    json_add_text(json, "judgement", lin_judgements[lin->check.job->client.judgement]);
    json_add_number(json, "clients", (double)lin->clients);
    json_add_number(json, "executions", (double)lin->executions);
    json_add_number(json, "events", (double)lin->events);
    json_add_number(json, "histories", (double)lin->histories);
    json_add_number(json, "stuck", (double)lin->stuck);
    json_add_number(json, "outcomes", (double)lin->outcomes);
    json_add_number(json, "matched", (double)lin->matched);
    json_add_number(json, "states", (double)lin->states);
    json_add_number(json, "most_states", (double)lin->most_states);
    json_add_number(json, "left", (double)lin->left);
    json_add_number(json, "watched", (double)lin->watched);
    json_add(json, "blocking", blocking_json(lin));
    json_add_number(json, "seconds", lin->took);
    json_add(json, "bounds", lin->given ? cJSON_CreateNull() : bounds_json(lin));
    json_add(json, "growth", growth_json(lin));
    json_add_text(json, "client", lin->failed ? lin->client : NULL);
    json_add(json, "repair", repair_json(&lin->repair));
    json_add(json, "minimal", lin->failed ? cJSON_CreateBool(lin->smallest) : cJSON_CreateNull());
    return json;
}

int lin_report_json(FILE *out, const struct lin *lin, int status)
{
    struct json_report *report = json_report_new(false);
    struct buffer broken = {0};
    if (lin->broken)
        add_broken(lin, &broken);
    struct report_summary plain = {.program = lin->check.name,
                                   .verdict = status == 3   ? "incomplete"
                                              : lin->broken ? "bug"
                                                            : "verified",
                                   .reason = lin->broken ? buffer_text(&broken) : lin->reason,
                                   .assumptions = lin->assumptions,
                                   .assumption_count = lin->assumption_count,
                                   .seconds = lin->took,
                                   .heddle = HEDDLE_VERSION};
    json_report_add(report, lin->failed ? &lin->outcome.summary : &plain);
    json_report_add_member(report, "lin", lin_json(lin));
    int wrong = json_report_write(report, out, NULL);
    buffer_free(&broken);
    return wrong;
}
