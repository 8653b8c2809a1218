#include "supervise/proposal.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/time.h"
#include "build/rebuild.h"
#include "report/finding.h"
#include "report/places.h"
#include "repair/omp_edits.h"

enum { MOST_BUILDS = 12, MOST_FAILED = 16 };

// A directive, and the race that it is to mend.
struct remedy {
    struct omp_race race;
    struct omp_directive directive;
};

struct work {
    const struct check *check;
    const struct task *task;
    struct rebuild rebuild;
    int source; // which one is changed; -1: not chosen
    bool alone, plain_c;
    char *text;
    struct c_tokens *tokens;
    struct omp_edits edits;
    struct remedy put[OMP_EDITS]; // why they are there, in the order in which they came
    struct remedy failed[MOST_FAILED];
    uint32_t fails, builds;
    double until;
};

// ---- the race ----

// "main::sum", "table[3].n": the variable, and whether it is all of it.
static void take_name(struct omp_race *race, const char *name)
{
    const char *colons = strstr(name, "::");
    race->local = colons != NULL;
    for (; colons; colons = strstr(name, "::"))
        name = colons + 2;
    size_t length = 0;
    while (isalnum((unsigned char)name[length]) || name[length] == '_')
        length++;
    race->whole = length && !name[length];
    if (length && length < sizeof race->variable && !isdigit((unsigned char)*name))
        memcpy(race->variable, name, length);
    else
        race->whole = false;
}

// Debug information may name it from the current directory.
static bool is_changed_copy(const struct work *w, const char *file)
{
    struct stat a, b;
    return w->rebuild.changed && !stat(file, &a) && !stat(w->rebuild.changed, &b) && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

// The number of the source, whether it stands in the program as it was or as it is tried; -1: none of them.
static int source_of(const struct work *w, const char *file)
{
    return is_changed_copy(w, file) ? w->source : rebuild_find(&w->rebuild, file);
}

static void take_place(struct work *w, struct finding *f, size_t entry, struct omp_race *race, int which)
{
    struct symbols_place place;
    int source =
        entry != NO_ENTRY && places_own(&f->names, entry, &place) && place.file ? source_of(w, place.file) : -1;
    if (source >= 0 && w->source < 0)
        w->source = source;
    if (source < 0 || source != w->source || place.line <= 0)
        return;
    race->line[which] =
        is_changed_copy(w, place.file) ? omp_edits_old_line(&w->edits, (uint32_t)place.line) : (uint32_t)place.line;
}

// What is to be known of a race; false if it is no race, or no run shows it.
static bool read_race(struct work *w, const struct report_summary *found, size_t bug, struct omp_race *race)
{
    struct finding f;
    struct buffer name = {0};
    Dwarf_Die type;
    *race = (struct omp_race){0};
    if (found->bugs[bug].bug->bug.kind != BUG_RACE)
        return false;
    finding_open(&f, found, &found->bugs[bug]);
    bool known = f.trace && f.focus.first != NO_ENTRY && f.focus.second != NO_ENTRY && !finding_releases(&f);
    if (known) {
        take_place(w, &f, f.focus.first, race, 0);
        take_place(w, &f, f.focus.second, race, 1);
        race->writes[0] = trace_writes(&f.trace->entries[f.focus.first]);
        race->writes[1] = f.second_writes;
        if (!f.focus.block) {
            names_data(&f.names, f.address, f.size, f.focus.second, &name, &type);
            take_name(race, buffer_text(&name));
        }
    }
    buffer_free(&name);
    finding_close(&f);
    return known && (race->line[0] || race->line[1]);
}

// ---- what could mend it ----

static bool is_same_race(const struct omp_race *a, const struct omp_race *b)
{
    return !strcmp(a->variable, b->variable) &&
           (*a->variable || a->line[0] == b->line[0] || a->line[1] == b->line[1] || a->line[0] == b->line[1]);
}

static bool has_failed(const struct work *w, const struct omp_race *race, const struct omp_directive *d)
{
    for (uint32_t i = 0; i < w->fails; i++) {
        const struct remedy *f = &w->failed[i];
        if (f->directive.kind == d->kind && f->directive.line == d->line && !strcmp(f->race.variable, race->variable))
            return true;
    }
    return false;
}

// Takes all of them out; one is not tried again.
static void begin_without(struct work *w, uint32_t which)
{
    if (w->fails < MOST_FAILED)
        w->failed[w->fails++] = w->put[which];
    w->edits.count = 0;
}

// The text and the tokens of the source that is going to be changed.
static bool read_source(struct work *w)
{
    if (w->tokens)
        return true;
    const char *path = w->rebuild.sources[w->source], *ending = strrchr(path, '.');
    w->plain_c = ending && !strcmp(ending, ".c");
    w->text = rebuild_text(&w->rebuild, w->source);
    char *preprocessed = w->text ? rebuild_preprocessed(&w->rebuild, w->source) : NULL;
    if (preprocessed)
        w->tokens = c_tokens_read(preprocessed, path, true);
    free(preprocessed);
    return w->tokens != NULL;
}

static bool put_in(struct work *w, const struct omp_race *race)
{
    struct omp_directive d;
    for (enum omp_directive_kind kind = 0; kind < OMP_DIRECTIVES; kind++)
        if (omp_directive_find(w->tokens, race, kind, w->alone, &d) && !has_failed(w, race, &d)) {
            if (!omp_edits_add(&w->edits, w->text, &d))
                continue;
            w->put[w->edits.count - 1] = (struct remedy){*race, d};
            return true;
        }
    return false;
}

// ---- the program with it ----

// A clause that does not go with the type of its variable is no news to the user.
static const char *build_quietly(struct work *w, const char *text)
{
    int kept = dup(STDERR_FILENO), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (kept >= 0 && nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
    const char *program = rebuild_with(&w->rebuild, w->source, text);
    if (kept >= 0 && nowhere >= 0)
        dup2(kept, STDERR_FILENO);
    close(kept);
    close(nowhere);
    return program;
}

static void prepare_trial(const struct work *w, struct check *trial, const char *program)
{
    double left = w->until - time_now();
    *trial = *w->check;
    trial->job = job_new();
    trial->job->task = *w->task;
    struct task *task = &trial->job->task;
    task->output = OUTPUT_NONE;
    task->keep_going = 0;
    task->seconds = task->seconds > 0 && task->seconds < left ? task->seconds : left;
    if (task->strategy == STRATEGY_PATIENT)
        task->strategy = STRATEGY_PORTFOLIO;
    trial->subject.program = program;
    trial->subject.progress = false;
    trial->trial = true;
    trial->explain_seconds = 0;
    trial->tolerance = NULL;
    trial->keeper = NULL;
    trial->timeline = NULL;
    trial->fellows = NULL;
}

// Explores the source as it is changed now. False: it cannot be built or run.
static bool explore_changed(struct work *w, struct check *trial, struct outcome *outcome)
{
    char *text = omp_edits_apply(&w->edits, w->text);
    const char *program = build_quietly(w, text);
    free(text);
    w->builds++;
    if (!program)
        return false;
    prepare_trial(w, trial, program);
    if (check_run(trial, outcome) != 2)
        return true;
    outcome_free(outcome);
    job_free(trial->job);
    return false;
}

// ---- words ----

static void add_sentence(const struct work *w, struct buffer *out)
{
    const char *name = w->rebuild.sources[w->source], *slash = strrchr(name, '/');
    for (uint32_t i = 0; i < w->edits.count; i++) {
        const struct omp_directive *d = &w->edits.directive[i];
        const char *text = omp_is_clause(d->kind) ? d->text : d->text + strlen("#pragma omp ");
        buffer_add(out, "%s%s %s %s:%u",
                   i == 0                   ? ""
                   : i + 1 < w->edits.count ? ", "
                                            : " and ",
                   text, omp_is_clause(d->kind) ? "at" : "in front of", slash ? slash + 1 : name, d->line);
    }
}

static void add_checked(const struct report_summary *result, struct buffer *out)
{
    unsigned long long executions = (unsigned long long)result->job->answer.counts.executions;
    if (!result->reason)
        buffer_add(out, "with it, no interleaving fails (%llu execution%s)", executions, executions == 1 ? "" : "s");
    else
        buffer_add(out, "with it, nothing failed in %llu execution%s, which are not all: %s", executions,
                   executions == 1 ? "" : "s", result->reason);
}

static void take_result(const struct work *w, const struct report_summary *result, struct report_proposal *proposal)
{
    const char *name = w->rebuild.sources[w->source], *slash = strrchr(name, '/');
    struct buffer sentence = {0}, checked = {0};
    bool bare = (name[0] == '/' || !strncmp(name, "../", 3)) && slash; // a patch has no names from the root
    add_sentence(w, &sentence);
    add_checked(result, &checked);
    *proposal = (struct report_proposal){.sentence = sentence.text,
                                         .checked = checked.text,
                                         .patch = omp_edits_diff(&w->edits, w->text, bare ? slash + 1 : name),
                                         .verified = !result->reason};
}

// ---- rounds ----

// What was put in for this race already; -1 if nothing was.
static int remedy_of(const struct work *w, const struct omp_race *race)
{
    for (uint32_t i = 0; i < w->edits.count; i++)
        if (is_same_race(&w->put[i].race, race))
            return (int)i;
    return -1;
}

// Puts in something for one of the races. If what was put in for it did not help, begins again without that. False: there is
// nothing left to try.
static bool try_next(struct work *w, const struct report_summary *now, const struct report_summary *first)
{
    struct omp_race race;
    for (size_t i = 0; i < now->bug_count; i++) {
        if (!read_race(w, now, i, &race) || !read_source(w))
            continue;
        race.whole &= w->plain_c;
        int put = remedy_of(w, &race);
        if (put >= 0) {
            begin_without(w, (uint32_t)put);
            return now != first && try_next(w, first, first);
        }
        if (put_in(w, &race))
            return true;
    }
    return false;
}

// Whether a search that found nothing came to more than its beginning.
static bool counts_for_something(const struct report_summary *result)
{
    return !result->bug_count && result->job->answer.counts.executions > 0;
}

static bool find_in_rounds(struct work *w, const struct report_summary *found, struct report_proposal *proposal)
{
    struct check trial[2] = {{.job = NULL}, {.job = NULL}};
    struct outcome outcome[2] = {{.room = NULL}, {.room = NULL}};
    const struct report_summary *now = found;
    bool done = false;
    for (int turn = 0; !done && w->builds < MOST_BUILDS && time_now() < w->until; turn ^= 1) {
        if (!try_next(w, now, found))
            break;
        if (outcome[turn].room) {
            outcome_free(&outcome[turn]);
            job_free(trial[turn].job);
        }
        if (!explore_changed(w, &trial[turn], &outcome[turn])) {
            begin_without(w, w->edits.count - 1);
            now = found;
            continue;
        }
        now = &outcome[turn].summary;
        done = counts_for_something(now);
    }
    if (done)
        take_result(w, now, proposal);
    for (int i = 0; i < 2; i++)
        if (outcome[i].room) {
            outcome_free(&outcome[i]);
            job_free(trial[i].job);
        }
    return done;
}

static bool uses_openmp(const struct schedule *origin)
{
    for (size_t i = 0; origin->flags[i]; i++)
        if (!strncmp(origin->flags[i], "-fopenmp", strlen("-fopenmp")))
            return true;
    return false;
}

bool proposal_find(struct report_proposal *proposal, struct check *check, const struct task *task,
                   const struct report_summary *found)
{
    const struct schedule *origin = &check->origin;
    if (check->explain_seconds <= 0 || !origin->sources[0] || !uses_openmp(origin) || !found->bug_count)
        return false;
    struct work w = {
        .check = check,
        .task = task,
        .rebuild = {.sources = (const char *const *)origin->sources, .flags = (const char *const *)origin->flags},
        .source = -1,
        .alone = !origin->sources[1],
        .plain_c = true,
        .until = time_now() + check->explain_seconds};
    bool good = find_in_rounds(&w, found, proposal);
    c_tokens_free(w.tokens);
    free(w.text);
    rebuild_close(&w.rebuild);
    return good;
}

void proposal_free(struct report_proposal *proposal)
{
    free((char *)(uintptr_t)proposal->sentence);
    free((char *)(uintptr_t)proposal->checked);
    free((char *)(uintptr_t)proposal->patch);
    *proposal = (struct report_proposal){0};
}
