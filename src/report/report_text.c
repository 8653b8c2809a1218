#include "report/report_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "report/columns.h"
#include "report/coverage.h"
#include "report/details.h"
#include "report/finding.h"
#include "report/phrase.h"
#include "report/places.h"
#include "report/quote.h"
#include "report/search_account.h"
#include "report/style.h"

static const char *const restart_names[] = {"auto", "undo", "replay", "verify", "fork", "checkpoint"};

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static size_t find_columns(const struct finding *f, struct columns *t, size_t column_of[MAX_ACTORS])
{
    bool seen[MAX_ACTORS] = {false};
    for (size_t i = 0; i < f->story.count; i++)
        if (f->story.rows[i].actor < MAX_ACTORS)
            seen[f->story.rows[i].actor] = true;
    for (uint32_t actor = 0; actor < MAX_ACTORS; actor++) {
        column_of[actor] = t->columns;
        if (seen[actor])
            names_thread(&f->names, actor, columns_add_column(t));
    }
    return t->columns;
}

static void fill_row(struct finding *f, const struct style *style, const struct story_row *row,
                     struct columns_row *cell)
{
    const struct trace_entry *e = &f->trace->entries[row->entry];
    cell->rule = row->switched;
    if (row->steps) {
        cell->look = LOOK_FAINT;
        buffer_add(&cell->text, "%s %u step%s%s", style->ellipsis, row->steps, plural(row->steps),
                   row->actor == MAX_ACTORS ? " of several threads" : "");
        return;
    }
    if (trace_is_scheduled(f->trace, row->entry))
        buffer_add(&cell->number, "%u", e->record.event);
    places_name(&f->names, row->entry, &cell->where);
    if (row->failure)
        buffer_add(&cell->text, "%s ", style->failure);
    phrase_entry(&f->names, style, row->entry, &cell->text);
    if (row->failure && (trace_is_access(e) || row->entry == f->focus.second))
        buffer_add(&cell->text, " (%s)", bug_name(f->bug->kind));
    if (row->decisive)
        buffer_add(&cell->text, " %s", style->decisive);
    cell->look = row->failure        ? LOOK_FAILURE
                 : row->decisive     ? LOOK_DECISIVE
                 : row->first_access ? LOOK_BOLD
                                     : LOOK_PLAIN;
}

static void print_table(struct finding *f, FILE *out, const struct style *style)
{
    struct columns t = {0};
    size_t column_of[MAX_ACTORS];
    find_columns(f, &t, column_of);
    for (size_t i = 0; i < f->story.count; i++) {
        const struct story_row *row = &f->story.rows[i];
        struct columns_row *cell = columns_add_row(&t);
        cell->column = row->actor < MAX_ACTORS ? column_of[row->actor] : t.columns;
        fill_row(f, style, row, cell);
    }
    fputc('\n', out);
    columns_print(&t, out, style);
    columns_free(&t);
}

static void print_labels(FILE *out, const struct style *style, const char *word, uint32_t from, uint32_t until,
                         const char *site)
{
    struct buffer text = {0};
    buffer_add(&text, "%s%u", word, from);
    if (until > from)
        buffer_add(&text, " to %s%u, each", word, until);
    buffer_add(&text, ": %s", site);
    fprintf(out, "  ");
    columns_print_wrapped(out, style, text.text, 4);
    buffer_free(&text);
}

// Explains the names heap1, heap2, … in their order, or those of mappings; neighbours from the same place together.
static void print_blocks(struct finding *f, enum label_kind kind, FILE *out, const struct style *style)
{
    const char *word = names_label_word(kind);
    uint32_t labels = f->names.labels[kind];
    struct buffer site = {0}, next = {0};
    uint32_t from = 1;
    for (uint32_t label = 1; label <= labels; label++) {
        buffer_cut(&next, 0);
        names_label_site(&f->names, kind, label, &next);
        if (label > from && strcmp(site.text, next.text)) {
            print_labels(out, style, word, from, label - 1, site.text);
            from = label;
        }
        buffer_cut(&site, 0);
        buffer_add(&site, "%s", next.text);
    }
    if (labels)
        print_labels(out, style, word, from, labels, site.text);
    buffer_free(&site);
    buffer_free(&next);
}

static void print_sentence(struct finding *f, FILE *out, const struct style *style)
{
    struct buffer text = {0};
    finding_sentence(f, &text);
    fprintf(out, "  ");
    columns_print_wrapped(out, style, text.text, 2);
    buffer_free(&text);
}

// The program's own words, marked so that they cannot be taken for heddle's.
static void print_output(FILE *out, const char *output)
{
    struct buffer text = {0};
    if (!output || !*output)
        return;
    buffer_add_safe(&text, output, strlen(output), true);
    fprintf(out, "\n  output of the failing run:\n");
    for (char *line = text.text; line && *line;) {
        char *end = strchr(line, '\n');
        int length = end ? (int)(end - line) : (int)strlen(line);
        fprintf(out, "    | %.*s\n", length, line);
        line = end ? end + 1 : NULL;
    }
    buffer_free(&text);
}

static void describe_event(struct finding *f, const struct style *style, uint32_t event, struct buffer *out)
{
    for (size_t i = 0; f->trace && i < f->trace->count; i++) {
        const struct trace_entry *e = &f->trace->entries[i];
        if (e->record.type != TRACE_EVENT || e->record.event != event)
            continue;
        buffer_add(out, ": ");
        names_thread(&f->names, e->record.actor, out);
        buffer_add(out, ", ");
        phrase_entry(&f->names, style, i, out);
        struct buffer place = {0};
        if (places_name(&f->names, i, &place))
            buffer_add(out, " at %s", place.text);
        buffer_free(&place);
        return;
    }
}

static void print_decisive(struct finding *f, FILE *out, const struct style *style)
{
    struct buffer text = {0};
    switch (f->report->decisive) {
    case DECISIVE_UNKNOWN:
        return;
    case DECISIVE_ALWAYS:
        buffer_add(&text, "no step decides: every run fails like this");
        break;
    case DECISIVE_NONE:
        buffer_add(&text, "no step decides: until the failure itself, the process can end otherwise");
        break;
    case DECISIVE_UNDECIDED:
        buffer_add(&text, "undecided: the time was too short to find out which runs fail like this");
        break;
    case DECISIVE_PROVEN:
    case DECISIVE_NOT_PROVEN:
        buffer_add(&text, "event %u", f->report->decisive_event);
        describe_event(f, style, f->report->decisive_event, &text);
        buffer_add(&text,
                   f->report->decisive == DECISIVE_PROVEN
                       ? "; after it every continuation fails like this, before it some do not"
                       : "; after it every continuation fails like this; whether it does before it is undecided");
        break;
    }
    fprintf(out, "  decisive:    ");
    columns_print_wrapped(out, style, text.text, 15);
    buffer_free(&text);
}

static void print_end(struct finding *f, FILE *out, const struct style *style)
{
    const struct report_bug *r = f->report;
    fprintf(out, "\n  preemptions: %u%s\n", r->preemptions,
            r->unshrunk  ? ""
            : r->minimal ? " (no run that fails like this has fewer)"
                         : " (the fewest found in the time for it)");
    print_decisive(f, out, style);
    if (r->schedule_path)
        quote_print(out, "  replay:      heddle replay", r->schedule_path);
}

static bool is_listed(char *const *lines, size_t count, const char *line)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(lines[i], line))
            return true;
    return false;
}

// Failures that came after this one, each in a sentence.
static void print_followers(struct finding *f, FILE *out, const struct report_summary *summary,
                            const struct style *style)
{
    size_t count = f->report->follower_count, listed = 0, shown = 0;
    char **lines = alloc_zeroed(count + 1, sizeof *lines);
    struct buffer own = {0};
    buffer_add(&own, "%s: ", bug_name(f->bug->kind));
    finding_other_sentence(f, summary, f->report, &own);
    lines[listed++] = own.text; // in other words it may be the same once more
    for (size_t i = 0; i < count; i++) {
        const struct report_bug *follower = &f->report->followers[i];
        struct buffer text = {0};
        buffer_add(&text, "%s: ", bug_name(follower->bug->bug.kind));
        finding_other_sentence(f, summary, follower, &text);
        if (follower->elsewhere && follower->schedule_path) {
            buffer_add(&text, " (in another run: heddle replay ");
            quote_file(&text, follower->schedule_path);
            buffer_add(&text, ")");
        }
        if (is_listed(lines, listed, text.text)) {
            buffer_free(&text);
            continue;
        }
        fprintf(out, "%s    %s ", shown++ ? "" : "\n  what followed it:\n", style->bullet);
        columns_print_wrapped(out, style, text.text, 6);
        lines[listed++] = text.text;
    }
    for (size_t i = 0; i < listed; i++)
        free(lines[i]);
    free(lines);
}

static void print_bug(FILE *out, const struct report_summary *summary, size_t index, const struct style *style)
{
    const struct report_bug *bug = &summary->bugs[index];
    struct finding f;
    finding_open(&f, summary, bug);
    const char *kind = bug_name(f.bug->kind);
    fprintf(out, "%sbug", style_on(style, LOOK_FAILURE));
    if (summary->bug_count > 1)
        fprintf(out, " %zu of %zu", index + 1, summary->bug_count);
    fprintf(out, ": %s after %" PRIu64 " execution%s%s\n", kind, bug->bug->execution, plural(bug->bug->execution),
            style_off(style, LOOK_FAILURE));
    print_sentence(&f, out, style);
    if (f.trace) {
        print_table(&f, out, style);
        details_print(&f, out, style);
        print_followers(&f, out, summary, style);
        if (f.names.labels[LABELS_HEAP] || f.names.labels[LABELS_MAPPING])
            fputc('\n', out);
        print_blocks(&f, LABELS_HEAP, out, style);
        print_blocks(&f, LABELS_MAPPING, out, style);
    } else if (f.error[0]) {
        fprintf(out, "  (no table: %s)\n", f.error);
    }
    print_output(out, bug->output);
    print_end(&f, out, style);
    fputc('\n', out);
    finding_close(&f);
}

static size_t count_tolerated(const struct report_summary *summary, bool known)
{
    size_t count = 0;
    for (size_t i = 0; i < summary->tolerated_count; i++)
        count += summary->tolerated[i].known == known;
    return count;
}

// "1 known and 2 suppressed bugs"
static void tolerated_counts(const struct report_summary *summary, struct buffer *out)
{
    size_t known = count_tolerated(summary, true), suppressed = count_tolerated(summary, false);
    if (known)
        buffer_add(out, "%zu known", known);
    if (suppressed)
        buffer_add(out, "%s%zu suppressed", known ? " and " : "", suppressed);
    buffer_add(out, " bug%s", plural(known + suppressed));
}

static void print_tolerated(FILE *out, const struct report_summary *summary, const struct style *style)
{
    for (size_t i = 0; i < summary->tolerated_count; i++) {
        const struct report_tolerated *t = &summary->tolerated[i];
        struct buffer text = {0};
        buffer_add(&text, "%s: ", bug_name(t->kind));
        buffer_add(&text, "%s", t->message);
        if (t->rule)
            buffer_add(&text, " (by %s)", t->rule);
        fprintf(out, "  %s ", t->known ? "known:     " : "suppressed:");
        columns_print_wrapped(out, style, text.text, 14);
        buffer_free(&text);
    }
}

static void print_verdict(FILE *out, const struct report_summary *summary, const struct style *style)
{
    const char *program = summary->program ? summary->program : "the program";
    if (!strcmp(summary->verdict, "verified"))
        fprintf(out, "%sverified%s: no interleaving of %s %s\n", style_on(style, LOOK_BOLD),
                style_off(style, LOOK_BOLD), program,
                summary->job && summary->job->task.only_races ? "has a data race" : "fails");
    else if (!strcmp(summary->verdict, "tolerated")) {
        struct buffer counts = {0};
        tolerated_counts(summary, &counts);
        fprintf(out, "%stolerated%s: %s is verified except for %s\n", style_on(style, LOOK_BOLD),
                style_off(style, LOOK_BOLD), program, counts.text);
        buffer_free(&counts);
    } else if (!strcmp(summary->verdict, "error"))
        fprintf(out, "%serror%s: %s\n", style_on(style, LOOK_FAILURE), style_off(style, LOOK_FAILURE),
                summary->reason ? summary->reason : "it could not be checked");
    else if (!strcmp(summary->verdict, "incomplete"))
        fprintf(out, "%sincomplete%s: %s\n", style_on(style, LOOK_DECISIVE), style_off(style, LOOK_DECISIVE),
                summary->reason ? summary->reason : "not every interleaving was covered");
    else if (summary->reason)
        fprintf(out, "  (%s)\n", summary->reason);
}

// Whether executions that were not brought to their end are among those that are counted depends on the strategy.
static const char *how_given_up(const struct report_summary *summary)
{
    enum strategy_kind strategy = coverage_strategy(summary);
    if (strategy == STRATEGY_PORTFOLIO)
        return "given up half-way";
    return strategy_table[strategy].counts_what_it_drops ? "of them given up half-way" : "more begun and given up";
}

// What the table took at the end, over the states that were still in it.
static void print_states(FILE *out, const struct account *a)
{
    uint64_t kept = a->states - a->forgotten;
    fprintf(out, ", %" PRIu64 " state%s", a->states, plural(a->states));
    if (kept >= 1000)
        fprintf(out, " of %" PRIu64 " bytes", a->state_bytes / kept);
    if (a->forgotten)
        fprintf(out, ", %" PRIu64 " of them forgotten", a->forgotten);
}

static uint32_t count_alike(const struct answer *answer)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < MAX_ACTORS / 64; i++)
        count += (uint32_t)__builtin_popcountll(answer->alike[i]);
    return count;
}

// Which threads those are: "2 to 5, 7".
static void print_actors(FILE *out, const uint64_t *set)
{
    const char *between = "";
    for (uint32_t from = 0, until; from < MAX_ACTORS; from = until + 1) {
        for (until = from; until < MAX_ACTORS && set[until / 64] >> (until % 64) & 1; until++)
            ;
        if (until == from)
            continue;
        fprintf(out, "%sT%u", between, from);
        if (until - from > 1)
            fprintf(out, until - from > 2 ? " to T%u" : ", T%u", until - 1);
        between = ", ";
    }
}

// States that are the same if threads change places.
static void print_alike(FILE *out, const struct answer *answer)
{
    const struct account *a = &answer->account;
    if (!count_alike(answer) || (a->stood_for <= (double)a->states && !a->left_to_others))
        return;
    fprintf(out, "  symmetry: ");
    print_actors(out, answer->alike);
    fprintf(out, " take each other's places: ");
    if (a->left_to_others)
        fprintf(out, "%" PRIu64 " step%s left out\n", a->left_to_others, plural(a->left_to_others));
    else
        fprintf(out, "%" PRIu64 " states stand for %.*g\n", a->states, a->stood_for < 1e6 ? 6 : 3, a->stood_for);
}

static void print_counts(FILE *out, const struct report_summary *summary)
{
    const struct job *job = summary->job;
    if (!job)
        return;
    fprintf(out, "  %" PRIu64 " execution%s, %" PRIu64 " event%s, %.2f s", job->answer.counts.executions,
            plural(job->answer.counts.executions), job->answer.counts.events, plural(job->answer.counts.events),
            summary->seconds);
    if (job->answer.account.states)
        print_states(out, &job->answer.account);
    if (job->answer.counts.blocked)
        fprintf(out, ", %" PRIu64 " blocked", job->answer.counts.blocked);
    if (job->answer.counts.redundant &&
        job->task.strategy != STRATEGY_REPLAY) // there it says where the schedule was left
        fprintf(out, ", %" PRIu64 " %s as repeats of others", job->answer.counts.redundant, how_given_up(summary));
    if (job->answer.counts.cut)
        fprintf(out, ", %" PRIu64 " cut at the step bound", job->answer.counts.cut);
    fprintf(out, "; longest %u event%s, strategy %s", job->answer.deepest, plural(job->answer.deepest),
            strategy_table[coverage_strategy(summary)].name);
    if (job->answer.restart_used < sizeof restart_names / sizeof *restart_names)
        fprintf(out, ", restart %s", restart_names[job->answer.restart_used]);
    if (job->answer.workers > 1)
        fprintf(out, ", %u workers", job->answer.workers);
    fputc('\n', out);
    if (job->answer.alone[0] && summary->phase_count <= 1)
        fprintf(out, "  one worker: %s\n", job->answer.alone);
    print_alike(out, &job->answer);
    if (coverage_why_changed(job))
        fprintf(out, "  strategy %s: %s\n", strategy_table[job->task.strategy].name, coverage_why_changed(job));
    if (summary->restart_reason && job->answer.restart_used != RESTART_UNDO)
        fprintf(out, "  restart %s: %s\n", restart_names[job->answer.restart_used], summary->restart_reason);
}

static void print_coverage(FILE *out, const struct report_summary *summary, const struct style *style)
{
    for (size_t i = 0; i < summary->phase_count; i++) {
        const struct report_phase *p = &summary->phases[i];
        struct buffer text = {0};
        bool several = summary->phase_count > 1;
        if (several)
            coverage_phase(p, &text);
        if (several || coverage_sentence(p, &text)) {
            fprintf(out, "  ");
            columns_print_wrapped(out, style, text.text, several ? 4 : 2);
        }
        buffer_free(&text);
    }
}

static void print_search(FILE *out, const struct report_summary *summary, const struct style *style)
{
    if (summary->history_count)
        fprintf(out, "  search:\n");
    for (size_t i = 0; i < summary->history_count; i++) {
        struct buffer text = {0};
        search_account_sentence(&summary->history[i], &text);
        fprintf(out, "    %s ", style->bullet);
        columns_print_wrapped(out, style, text.text, 6);
        buffer_free(&text);
    }
}

void report_text_assumptions(FILE *out, const char *const *assumptions, size_t count, const struct style *style)
{
    if (count == 0)
        return;
    fprintf(out, "  assumptions:\n");
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "    %s ", style->bullet);
        columns_print_wrapped(out, style, assumptions[i], 6);
    }
}

// The patch stands at the edge, so that it can be taken as it is.
static void print_proposal(FILE *out, const struct report_proposal *proposal, const struct style *style)
{
    if (!proposal->patch)
        return;
    fprintf(out, "%sproposal%s: ", style_on(style, LOOK_BOLD), style_off(style, LOOK_BOLD));
    columns_print_wrapped(out, style, proposal->sentence, 2);
    fprintf(out, "  checked: ");
    columns_print_wrapped(out, style, proposal->checked, 2);
    fprintf(out, "\n%s\n", proposal->patch);
}

void report_text_styled(FILE *out, const struct report_summary *summary, const struct style *style)
{
    for (size_t i = 0; i < summary->bug_count; i++)
        print_bug(out, summary, i, style);
    print_proposal(out, &summary->proposal, style);
    print_verdict(out, summary, style);
    print_tolerated(out, summary, style);
    print_counts(out, summary);
    print_coverage(out, summary, style);
    print_search(out, summary, style);
    report_text_assumptions(out, summary->assumptions, summary->assumption_count, style);
}

void report_text(FILE *out, const struct report_summary *summary, bool colour)
{
    struct style style;
    style_init(&style, out, colour);
    report_text_styled(out, summary, &style);
}
