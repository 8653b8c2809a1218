// SARIF 2.1.0 (OASIS), for code scanning: one run, a rule per kind of bug, a result per bug with the failing execution as a
// code flow that has a thread flow per thread.
#include "report/format.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "report/finding.h"
#include "report/json_build.h"
#include "report/phrase.h"
#include "report/places.h"
#include "report/sarif_build.h"

static const struct style plain = {.gives = "->", .takes = "<-", .becomes = "->", .ellipsis = "..."};

struct sarif {
    cJSON *results, *notifications;
};

static void *sarif_begin(const struct report_setting *setting)
{
    (void)setting;
    struct sarif *sarif = alloc_zeroed(1, sizeof *sarif);
    sarif->results = json_array();
    sarif->notifications = json_array();
    return sarif;
}

static cJSON *location_of(struct finding *f, size_t entry)
{
    struct symbols_place place;
    cJSON *location = json_object();
    if (entry != NO_ENTRY && places_own(&f->names, entry, &place) && place.file) {
        sarif_add_physical(location, place.file, place.line);
        sarif_add_function(location, place.function);
    }
    return location;
}

static cJSON *flow_location(struct finding *f, const struct story_row *row, size_t order)
{
    struct buffer text = {0};
    cJSON *step = json_object(), *location = location_of(f, row->entry);
    phrase_entry(&f->names, &plain, row->entry, &text);
    sarif_add_message(location, "message", buffer_text(&text));
    buffer_free(&text);
    json_add(step, "location", location);
    json_add_number(step, "executionOrder", (double)order);
    bool essential = row->decisive || row->failure || row->first_access;
    json_add_text(step, "importance", essential ? "essential" : "important");
    return step;
}

// Consumers show a step beside its source: what has no place there (folded steps, the end of a thread) is left out.
static bool is_shown(struct finding *f, const struct story_row *row)
{
    struct symbols_place place;
    return !row->steps && f->trace->entries[row->entry].record.pc && places_own(&f->names, row->entry, &place) &&
           place.file;
}

static cJSON *thread_flow(struct finding *f, uint32_t actor)
{
    cJSON *steps = NULL;
    for (size_t i = 0; i < f->story.count; i++) {
        if (f->story.rows[i].actor != actor || !is_shown(f, &f->story.rows[i]))
            continue;
        if (!steps)
            steps = json_array();
        json_append(steps, flow_location(f, &f->story.rows[i], i + 1));
    }
    if (!steps)
        return NULL;
    struct buffer name = {0};
    cJSON *flow = json_object();
    names_thread_path(&f->names, actor, &name);
    json_add_buffer(flow, "id", &name);
    json_add(flow, "locations", steps);
    return flow;
}

static void add_code_flow(struct finding *f, cJSON *result)
{
    cJSON *flows = json_array(), *flow = json_object(), *threads = json_array();
    for (uint32_t actor = 0; f->trace && actor < MAX_ACTORS; actor++) {
        cJSON *one = thread_flow(f, actor);
        if (one)
            json_append(threads, one);
    }
    if (!cJSON_GetArraySize(threads)) {
        cJSON_Delete(flows);
        cJSON_Delete(flow);
        cJSON_Delete(threads);
        return;
    }
    sarif_add_message(flow, "message", "The failing execution, in the order in which its steps ran.");
    json_add(flow, "threadFlows", threads);
    json_append(flows, flow);
    json_add(result, "codeFlows", flows);
}

static void add_locations(cJSON *result, const char *file, int line, const char *function)
{
    cJSON *list = json_array(), *location = json_object();
    sarif_add_physical(location, file, line);
    sarif_add_function(location, function);
    json_append(list, location);
    json_add(result, "locations", list);
}

static cJSON *new_result(const struct report_summary *summary, uint32_t kind, const char *level, const char *message)
{
    cJSON *result = json_object(), *properties = json_object();
    struct buffer id = {0}, text = {0};
    buffer_add(&id, "heddle/%s", bug_name(kind));
    buffer_add(&text, "%s", message);
    if (summary->test)
        buffer_add(&text, " (test: %s)", summary->test);
    json_add_buffer(result, "ruleId", &id);
    json_add_number(result, "ruleIndex", kind - 1);
    json_add_text(result, "level", level);
    sarif_add_message(result, "message", text.text);
    buffer_free(&text);
    json_add_text(properties, "program", summary->program);
    if (summary->test)
        json_add_text(properties, "test", summary->test);
    json_add(result, "properties", properties);
    return result;
}

static void add_followers(struct finding *f, const struct report_summary *summary, cJSON *list)
{
    for (size_t i = 0; i < f->report->follower_count; i++) {
        const struct report_bug *follower = &f->report->followers[i];
        struct buffer text = {0};
        cJSON *location =
            location_of(f, f->trace && !follower->elsewhere ? trace_failure(f->trace, &follower->bug->bug) : NO_ENTRY);
        buffer_add(&text, "followed by %s: ", bug_name(follower->bug->bug.kind));
        finding_other_sentence(f, summary, follower, &text);
        sarif_add_message(location, "message", text.text);
        buffer_free(&text);
        json_append(list, location);
    }
}

static void add_related(struct finding *f, const struct report_summary *summary, cJSON *result)
{
    cJSON *list = json_array();
    if (bug_traits(f->bug->kind)->shape == BUG_OF_TWO_ACCESSES && f->focus.first != NO_ENTRY) {
        cJSON *location = location_of(f, f->focus.first);
        sarif_add_message(location, "message", "the other access");
        json_append(list, location);
    }
    for (size_t i = 1; i < f->wait_count; i++) {
        struct buffer text = {0};
        cJSON *location = location_of(f, f->waits[i].entry);
        finding_wait_text(f, &f->waits[i], &text);
        sarif_add_message(location, "message", text.text);
        buffer_free(&text);
        json_append(list, location);
    }
    add_followers(f, summary, list);
    json_add(result, "relatedLocations", list);
}

static void add_bug(struct sarif *sarif, const struct report_summary *summary, const struct report_bug *bug)
{
    struct finding f;
    struct buffer sentence = {0};
    struct symbols_place place = {.file = summary->program};
    finding_open(&f, summary, bug);
    finding_sentence(&f, &sentence);
    bool known = finding_place(&f, &place);
    cJSON *result = new_result(summary, f.bug->kind, "error", sentence.text);
    add_locations(result, known ? place.file : summary->program, known ? place.line : 1, known ? place.function : NULL);
    add_related(&f, summary, result);
    add_code_flow(&f, result);
    sarif_add_fingerprints(result, bug->fingerprint);
    json_append(sarif->results, result);
    buffer_free(&sentence);
    finding_close(&f);
}

// Bugs that are known or suppressed are results, too, so that the consumer can count them; it shows them as settled.
static void add_tolerated(struct sarif *sarif, const struct report_summary *summary, const struct report_tolerated *t)
{
    cJSON *result = new_result(summary, t->kind, "note", t->message);
    add_locations(result, t->file ? t->file : summary->program, t->line, NULL);
    sarif_add_fingerprints(result, t->fingerprint);
    cJSON *list = json_array(), *suppression = json_object();
    json_add_text(suppression, "kind", "external");
    json_add_text(suppression, "justification", t->known ? "known by the baseline" : t->rule);
    json_append(list, suppression);
    json_add(result, "suppressions", list);
    json_append(sarif->results, result);
}

// What was not verified is no result, but must not be silent.
static void add_notification(struct sarif *sarif, const struct report_summary *summary)
{
    struct buffer text = {0};
    cJSON *notification = json_object();
    bool error = report_verdict_of(summary) == VERDICT_ERROR;
    if (!error && report_verdict_of(summary) != VERDICT_INCOMPLETE) {
        cJSON_Delete(notification);
        return;
    }
    buffer_add(&text, "%s%s%s: %s: %s", summary->program, summary->test ? ": " : "", summary->test ? summary->test : "",
               summary->verdict, summary->reason ? summary->reason : "not every interleaving was covered");
    json_add_text(notification, "level", error ? "error" : "warning");
    sarif_add_message(notification, "message", text.text);
    json_append(sarif->notifications, notification);
    buffer_free(&text);
}

static void sarif_add(void *report, const struct report_summary *summary)
{
    struct sarif *sarif = report;
    for (size_t i = 0; i < summary->bug_count; i++)
        add_bug(sarif, summary, &summary->bugs[i]);
    for (size_t i = 0; i < summary->tolerated_count; i++)
        add_tolerated(sarif, summary, &summary->tolerated[i]);
    add_notification(sarif, summary);
}

// In the order of the kinds.
static cJSON *rules(void)
{
    cJSON *list = json_array();
    for (uint32_t kind = BUG_NONE + 1; kind < BUG_KINDS; kind++) {
        struct buffer id = {0};
        cJSON *rule = json_object(), *level = json_object();
        buffer_add(&id, "heddle/%s", bug_name(kind));
        json_add_buffer(rule, "id", &id);
        json_add_text(rule, "name", bug_name(kind));
        sarif_add_message(rule, "shortDescription", bug_table[kind].means);
        sarif_add_message(rule, "fullDescription", bug_table[kind].means);
        json_add_text(level, "level", "error");
        json_add(rule, "defaultConfiguration", level);
        json_append(list, rule);
    }
    return list;
}

static cJSON *invocations(struct sarif *sarif, const struct report_end *end)
{
    cJSON *list = json_array(), *invocation = json_object();
    json_add(invocation, "executionSuccessful", cJSON_CreateBool(!end->count[VERDICT_ERROR]));
    json_add(invocation, "toolExecutionNotifications", sarif->notifications);
    json_append(list, invocation);
    return list;
}

static int sarif_end(void *report, FILE *out, const struct report_end *end)
{
    struct sarif *sarif = report;
    cJSON *json = sarif_document(end->heddle, rules(), invocations(sarif, end), sarif->results);
    free(sarif);
    return json_write(json, out);
}

const struct report_format sarif_format = {
    "sarif", "write the bugs as SARIF 2.1.0", REPORT_TO_FILE, sarif_begin, NULL, sarif_add, sarif_end};
