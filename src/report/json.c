#include "report/json.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "report/coverage.h"
#include "report/difference_text.h"
#include "report/finding.h"
#include "report/format.h"
#include "report/json_build.h"
#include "report/phrase.h"
#include "report/places.h"
#include "report/search_account.h"

enum { MOST_DEPTH = 96, MOST_LOCKS = 32 };

static const char *const restart_names[] = {"auto", "undo", "replay", "verify", "fork", "checkpoint"};
static const char *const decisive_names[] = {"unknown", "proven", "not-proven", "always", "none", "undecided"};

// Always ASCII arrows: consumers parse it, not people.
static const struct style plain = {.gives = "->", .takes = "<-", .becomes = "->", .ellipsis = "..."};

static void add_thread(struct finding *f, cJSON *object, const char *name, uint32_t actor)
{
    struct buffer text = {0};
    if (actor < MAX_ACTORS)
        names_thread_path(&f->names, actor, &text);
    json_add_buffer(object, name, &text);
}

// What the program calls its threads, by how the report does.
static void add_thread_names(struct finding *f, cJSON *object)
{
    cJSON *list = json_object();
    for (uint32_t actor = 0; actor < MAX_ACTORS; actor++) {
        struct buffer path = {0}, text = {0};
        const char *name = names_thread_name(&f->names, actor);
        if (!name)
            continue;
        names_thread_path(&f->names, actor, &path);
        buffer_add_safe(&text, name, strlen(name), false);
        json_add_buffer(list, path.text, &text);
        buffer_free(&path);
    }
    json_add(object, "thread_names", list);
}

static cJSON *place_json(const struct symbols_place *place)
{
    cJSON *json = json_object();
    json_add_text(json, "file", place->file);
    json_add_number(json, "line", place->line);
    json_add_text(json, "function", place->function);
    return json;
}

// The user's own place that leads to the entry, or null.
static void add_location(struct finding *f, cJSON *object, const char *name, size_t entry)
{
    struct symbols_place place;
    bool known = f->trace && entry != NO_ENTRY && places_own(&f->names, entry, &place);
    json_add(object, name, known ? place_json(&place) : cJSON_CreateNull());
}

static void add_stack(struct finding *f, cJSON *object, size_t entry)
{
    struct symbols_place places[MOST_DEPTH];
    cJSON *stack = json_array();
    size_t count = places_stack(&f->names, entry, false, places, MOST_DEPTH);
    for (size_t i = 0; i < count; i++)
        json_append(stack, place_json(&places[i]));
    json_add(object, "stack", stack);
}

static void add_object(struct finding *f, cJSON *object, const char *name, uint64_t address, uint64_t size,
                       size_t entry)
{
    struct buffer text = {0};
    Dwarf_Die ignored;
    if (address)
        names_data(&f->names, address, size, entry, &text, &ignored);
    json_add_buffer(object, name, &text);
}

static void add_locks(struct finding *f, cJSON *object, uint32_t actor, size_t entry)
{
    struct trace_lock locks[MOST_LOCKS];
    cJSON *list = json_array();
    size_t count = trace_locks(f->trace, actor, entry, locks, MOST_LOCKS);
    for (size_t i = 0; i < count && i < MOST_LOCKS; i++) {
        cJSON *lock = json_object();
        add_object(f, lock, "name", locks[i].address, 0, entry);
        add_location(f, lock, "taken", locks[i].taken);
        json_append(list, lock);
    }
    json_add(object, "locks", list);
}

static const char *access_word(const struct finding *f, size_t entry)
{
    const struct trace_entry *e = &f->trace->entries[entry];
    if (e->record.type == TRACE_BUG)
        return f->second_writes ? "write" : "read";
    return trace_releases(e) ? "free" : trace_uses(e) ? "use" : trace_writes(e) ? "write" : "read";
}

static cJSON *access_json(struct finding *f, size_t entry)
{
    const struct trace_entry *e = &f->trace->entries[entry];
    cJSON *json = json_object();
    add_thread(f, json, "thread", e->record.actor);
    json_add_text(json, "access", access_word(f, entry));
    bool atomic = e->record.type == TRACE_EVENT && op_table[e->record.kind].access == ACCESS_ATOMIC;
    json_add(json, "atomic", cJSON_CreateBool(atomic));
    json_add_number(json, "size", e->record.size);
    add_location(f, json, "location", entry);
    add_stack(f, json, entry);
    add_locks(f, json, e->record.actor, entry);
    return json;
}

static void add_race(struct finding *f, cJSON *json)
{
    cJSON *list = json_array();
    if (f->focus.first != NO_ENTRY)
        json_append(list, access_json(f, f->focus.first));
    if (finding_entry(f) != NO_ENTRY)
        json_append(list, access_json(f, finding_entry(f)));
    json_add(json, "accesses", list);
}

static cJSON *wait_json(struct finding *f, const struct finding_wait *w)
{
    cJSON *json = json_object();
    add_thread(f, json, "thread", w->actor);
    json_add_text(json, "operation", op_table[w->kind].name);
    add_object(f, json, "object", w->address, 0, w->entry);
    add_location(f, json, "location", w->entry);
    add_thread(f, json, "held_by", w->holder);
    add_location(f, json, "held_since", w->taken);
    add_stack(f, json, w->entry);
    add_locks(f, json, w->actor, w->entry);
    return json;
}

static void add_waits(struct finding *f, cJSON *json)
{
    cJSON *list = json_array();
    for (size_t i = 0; i < f->wait_count; i++)
        json_append(list, wait_json(f, &f->waits[i]));
    json_add(json, "waits", list);
}

static void add_site(struct finding *f, cJSON *json, const char *name, size_t entry)
{
    if (entry == NO_ENTRY) {
        json_add(json, name, cJSON_CreateNull());
        return;
    }
    cJSON *site = json_object();
    add_thread(f, site, "thread", f->trace->entries[entry].record.actor);
    add_location(f, site, "location", entry);
    add_stack(f, site, entry);
    json_add(json, name, site);
}

static void add_block(struct finding *f, cJSON *json)
{
    const struct trace_block *block = f->focus.block;
    if (!block)
        return;
    cJSON *heap = json_object();
    json_add_number(heap, "size", (double)block->size);
    json_add_number(heap, "offset", (double)(f->address - block->address));
    add_site(f, heap, "allocated", block->allocated);
    add_site(f, heap, "released", finding_was_freed(f) ? block->freed : NO_ENTRY);
    json_add(json, "heap", heap);
}

static void add_value(struct finding *f, cJSON *json, const char *name, size_t entry, uint64_t value)
{
    const struct trace_record *r = &f->trace->entries[entry].record;
    struct buffer ignored = {0}, text = {0};
    Dwarf_Die type;
    bool typed = names_data(&f->names, r->address, r->size, entry, &ignored, &type);
    names_value(&f->names, typed ? &type : NULL, value, r->size, entry, &text);
    json_add_buffer(json, name, &text);
    buffer_free(&ignored);
}

static void fill_row(struct finding *f, const struct story_row *row, cJSON *json)
{
    const struct trace_entry *e = &f->trace->entries[row->entry];
    struct buffer text = {0};
    uint64_t value;
    phrase_entry(&f->names, &plain, row->entry, &text);
    json_add_text(json, "operation", phrase_operation(e));
    json_add_buffer(json, "text", &text);
    if (trace_is_scheduled(f->trace, row->entry))
        json_add_number(json, "event", e->record.event);
    if (phrase_has_object(e))
        add_object(f, json, "object", e->record.address, trace_is_access(e) ? e->record.size : 0, row->entry);
    if (phrase_read_value(e, &value))
        add_value(f, json, "read", row->entry, value);
    if (trace_written(f->trace, row->entry, &value))
        add_value(f, json, "written", row->entry, value);
    add_location(f, json, "location", row->entry);
    if (row->decisive)
        json_add(json, "decisive", cJSON_CreateTrue());
    if (row->failure)
        json_add(json, "failure", cJSON_CreateTrue());
}

static void add_rows(struct finding *f, cJSON *json)
{
    cJSON *list = json_array();
    for (size_t i = 0; i < f->story.count; i++) {
        const struct story_row *row = &f->story.rows[i];
        cJSON *item = json_object();
        add_thread(f, item, "thread", row->actor);
        if (row->steps)
            json_add_number(item, "folded", row->steps);
        else
            fill_row(f, row, item);
        json_append(list, item);
    }
    json_add(json, "events", list);
}

static void add_decisive(const struct report_bug *bug, cJSON *json)
{
    cJSON *decisive = json_object();
    bool known = bug->decisive == DECISIVE_PROVEN || bug->decisive == DECISIVE_NOT_PROVEN;
    json_add_text(decisive, "status", decisive_names[bug->decisive]);
    json_add(decisive, "event", known ? cJSON_CreateNumber(bug->decisive_event) : cJSON_CreateNull());
    json_add(json, "decisive", decisive);
}

static void add_run(struct finding *f, cJSON *json)
{
    if (!f->trace) {
        json_add_text(json, "trace_error", f->error[0] ? f->error : NULL);
        json_add(json, "events", json_array());
        return;
    }
    size_t entry = finding_entry(f);
    if (entry != NO_ENTRY) {
        add_stack(f, json, entry);
        add_locks(f, json, f->trace->entries[entry].record.actor, entry);
    }
    if (bug_traits(f->bug->kind)->shape == BUG_OF_TWO_ACCESSES)
        add_race(f, json);
    if (bug_traits(f->bug->kind)->shape == BUG_OF_WAITING)
        add_waits(f, json);
    add_block(f, json);
    add_rows(f, json);
}

// `after`: the place in the list of the bug that it follows; negative if it follows none.
static cJSON *bug_json(const struct report_summary *summary, const struct report_bug *bug, int after)
{
    struct finding f;
    struct buffer sentence = {0}, subject = {0};
    cJSON *json = json_object();
    finding_open(&f, summary, bug);
    finding_sentence(&f, &sentence);
    finding_subject(&f, &subject);
    json_add_text(json, "kind", bug_name(f.bug->kind));
    json_add_buffer(json, "message", &sentence);
    char text[BUG_TEXT + 1] = {0};
    memcpy(text, f.bug->text, BUG_TEXT);
    json_add_text(json, "text", text);
    add_thread(&f, json, "thread", f.bug->actor);
    add_thread(&f, json, "other_thread", f.bug->other);
    add_thread_names(&f, json);
    add_location(&f, json, "location", f.trace ? finding_entry(&f) : NO_ENTRY);
    json_add_buffer(json, "object", &subject);
    json_add(json, "after", after < 0 ? cJSON_CreateNull() : cJSON_CreateNumber(after));
    json_add_number(json, "execution", (double)bug->bug->execution);
    json_add_text(json, "schedule", bug->schedule_path);
    json_add_number(json, "preemptions", bug->preemptions);
    json_add(json, "minimal", cJSON_CreateBool(bug->minimal));
    add_decisive(bug, json);
    add_run(&f, json);
    json_add_text(json, "output", bug->output);
    if (bug->identity) {
        json_add_text(json, "identity", bug->identity);
        json_add_fingerprint(json, "fingerprint", bug->fingerprint);
    }
    finding_close(&f);
    return json;
}

static void add_phases(const struct report_summary *summary, cJSON *json)
{
    if (summary->phase_count == 1)
        coverage_json(&summary->phases[0], json);
    if (summary->phase_count < 2)
        return;
    cJSON *list = json_array();
    for (size_t i = 0; i < summary->phase_count; i++) {
        const struct report_phase *p = &summary->phases[i];
        cJSON *phase = json_object();
        json_add_text(phase, "strategy", strategy_table[p->strategy].name);
        json_add_number(phase, "executions", (double)p->counts.executions);
        json_add_number(phase, "events", (double)p->counts.events);
        json_add_number(phase, "seconds", p->seconds);
        coverage_share_json(&p->share, phase);
        coverage_json(p, phase);
        json_append(list, phase);
    }
    json_add(json, "phases", list);
}

static void add_difference(const struct report_summary *summary, cJSON *json)
{
    if (!summary->job || !summary->job->answer.difference.kind || !summary->executable)
        return;
    struct buffer expected = {0}, seen = {0};
    cJSON *difference = json_object();
    difference_sides(summary->job, summary->executable, &expected, &seen);
    json_add_number(difference, "event", summary->job->answer.difference.event);
    json_add_text(difference, "kind", difference_kind(&summary->job->answer.difference));
    json_add_buffer(difference, "expected", &expected);
    json_add_buffer(difference, "seen", &seen);
    json_add(json, "difference", difference);
}

static void add_counts(const struct report_summary *summary, cJSON *json)
{
    const struct job *job = summary->job;
    if (!job)
        return;
    bool known = job->answer.restart_used < sizeof restart_names / sizeof *restart_names;
    json_add_number(json, "executions", (double)job->answer.counts.executions);
    json_add_number(json, "blocked", (double)job->answer.counts.blocked);
    json_add_number(json, "events", (double)job->answer.counts.events);
    json_add_number(json, "redundant", (double)job->answer.counts.redundant);
    json_add_number(json, "cut", (double)job->answer.counts.cut);
    json_add_number(json, "longest", job->answer.deepest);
    if (job->answer.account.states) {
        json_add_number(json, "states", (double)job->answer.account.states);
        json_add_number(json, "states_forgotten", (double)job->answer.account.forgotten);
        json_add_number(json, "states_bytes", (double)job->answer.account.state_bytes);
        json_add_number(json, "states_stood_for", job->answer.account.stood_for);
    }
    coverage_share_json(&job->answer.share, json);
    json_add_text(json, "strategy", strategy_table[coverage_strategy(summary)].name);
    json_add_text(json, "strategy_reason", coverage_why_changed(job));
    json_add_number(json, "workers", job->answer.workers ? job->answer.workers : 1);
    json_add_text(json, "workers_reason", job->answer.alone[0] && summary->phase_count <= 1 ? job->answer.alone : NULL);
    add_phases(summary, json);
    search_account_json(summary, json);
    json_add_text(json, "restart", known ? restart_names[job->answer.restart_used] : NULL);
    json_add_text(json, "restart_reason", summary->restart_reason);
}

static void add_assumptions(const struct report_summary *summary, cJSON *json)
{
    cJSON *list = json_array();
    for (size_t i = 0; i < summary->assumption_count; i++)
        json_append_text(list, summary->assumptions[i]);
    json_add(json, "assumptions", list);
}

static cJSON *tolerated_json(const struct report_tolerated *t)
{
    cJSON *json = json_object();
    json_add_text(json, "kind", bug_name(t->kind));
    json_add_text(json, "message", t->message);
    json_add_text(json, "identity", t->identity);
    json_add_fingerprint(json, "fingerprint", t->fingerprint);
    if (t->rule)
        json_add_text(json, "rule", t->rule);
    return json;
}

static void add_tolerated(const struct report_summary *summary, const char *name, bool known, cJSON *json)
{
    cJSON *list = json_array();
    for (size_t i = 0; i < summary->tolerated_count; i++)
        if (summary->tolerated[i].known == known)
            json_append(list, tolerated_json(&summary->tolerated[i]));
    json_add(json, name, list);
}

static cJSON *bugs_json(const struct report_summary *summary)
{
    cJSON *bugs = json_array();
    for (size_t i = 0; i < summary->bug_count; i++) {
        const struct report_bug *bug = &summary->bugs[i];
        int leader = cJSON_GetArraySize(bugs);
        json_append(bugs, bug_json(summary, bug, -1));
        for (size_t k = 0; k < bug->follower_count; k++)
            json_append(bugs, bug_json(summary, &bug->followers[k], leader));
    }
    return bugs;
}

// The outcome of one search, without what is said only once in a file.
static void add_proposal(const struct report_proposal *proposal, cJSON *json)
{
    if (!proposal->patch)
        return;
    cJSON *object = json_object();
    json_add_text(object, "sentence", proposal->sentence);
    json_add_text(object, "checked", proposal->checked);
    json_add(object, "verified", cJSON_CreateBool(proposal->verified));
    json_add_text(object, "patch", proposal->patch);
    json_add(json, "proposal", object);
}

static void fill_summary(cJSON *json, const struct report_summary *summary)
{
    json_add_text(json, "program", summary->program);
    if (summary->test)
        json_add_text(json, "test", summary->test);
    json_add_text(json, "verdict", summary->verdict);
    json_add_text(json, "reason", summary->reason);
    add_counts(summary, json);
    add_difference(summary, json);
    json_add_number(json, "seconds", summary->seconds);
    json_add(json, "bugs", bugs_json(summary));
    add_proposal(&summary->proposal, json);
    add_tolerated(summary, "known", true, json);
    add_tolerated(summary, "suppressed", false, json);
    add_assumptions(summary, json);
}

struct json_report {
    bool several;
    cJSON *tests;
    cJSON *only; // of one search that is no test: its members stand at the top
};

struct json_report *json_report_new(bool several)
{
    struct json_report *report = alloc_zeroed(1, sizeof *report);
    report->several = several;
    report->tests = json_array();
    report->only = json_object();
    json_add_number(report->only, "version", JSON_VERSION);
    return report;
}

void json_report_add(struct json_report *report, const struct report_summary *summary)
{
    if (!report->several) {
        if (summary->heddle)
            json_add_text(report->only, "heddle", summary->heddle);
        fill_summary(report->only, summary);
        return;
    }
    cJSON *test = json_object();
    fill_summary(test, summary);
    json_append(report->tests, test);
}

void json_report_add_member(struct json_report *report, const char *name, struct cJSON *member)
{
    json_add(report->only, name, member);
}

static void add_totals(cJSON *json, const struct report_end *end)
{
    if (end->heddle)
        json_add_text(json, "heddle", end->heddle);
    json_add_text(json, "verdict", end->verdict);
    json_add_number(json, "executions", (double)end->executions);
    json_add_number(json, "seconds", end->seconds);
    cJSON *counts = json_object();
    for (size_t i = 0; i < REPORT_VERDICTS; i++)
        json_add_number(counts, report_verdicts[i], (double)end->count[i]);
    json_add(json, "counts", counts);
}

static void add_unused(cJSON *json, const struct report_end *end)
{
    cJSON *list = json_array();
    for (size_t i = 0; i < end->unused_count; i++)
        json_append_text(list, end->unused[i]);
    json_add(json, "unused_suppressions", list);
    json_add_number(json, "baseline_unseen", (double)end->unseen);
}

int json_report_write(struct json_report *report, FILE *out, const struct report_end *end)
{
    cJSON *json = report->only;
    if (end && end->several) {
        add_totals(json, end);
        json_add(json, "tests", report->tests);
    } else {
        cJSON_Delete(report->tests);
    }
    if (end)
        add_unused(json, end);
    free(report);
    return json_write(json, out);
}

int report_json(FILE *out, const struct report_summary *summary)
{
    struct json_report *report = json_report_new(false);
    json_report_add(report, summary);
    return json_report_write(report, out, NULL);
}

static void *json_begin(const struct report_setting *setting)
{
    return json_report_new(setting->several);
}

static void json_add_summary(void *report, const struct report_summary *summary)
{
    json_report_add(report, summary);
}

static int json_end(void *report, FILE *out, const struct report_end *end)
{
    return json_report_write(report, out, end);
}

const struct report_format json_format = {
    "json",         "write the report as JSON ('-': standard output, and no text)",
    REPORT_TO_FILE, json_begin,
    NULL,           json_add_summary,
    json_end};
