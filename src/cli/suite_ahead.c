#include "cli/suite_ahead.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/scratch.h"
#include "base/time.h"
#include "build/source.h"
#include "cli/suite_work.h"
#include "report/progress.h"
#include "supervise/errand.h"
#include "supervise/outcome_copy.h"

struct ahead_check {
    const char *test; // null: the program as a whole
    const char *stem;
    bool begun;
    struct errand *errand; // null if there is no process for it
};

struct ahead_program {
    char *file;         // null if it was built before
    struct check check; // complete once it is known
    bool begun, known;
    int status; // of finding it
    struct errand *errand;
    struct test_list tests;
    bool ends_all; // the suite ends before it is checked
    struct ahead_check *checks;
    size_t count, next; // of them; the first that has not begun
};

struct suite_ahead {
    struct suite *suite;
    struct errands errands;
    struct ahead_program *programs;
    size_t count;
    size_t open;  // all checks of programs before this one have begun
    size_t build; // all programs before this one are built, or being built
    struct progress progress;
    size_t built, begun,
        reported; // programs that are built, checks that have begun, and those that nobody waits for any more
};

// What a check leaves on its shelf, and what building does.
struct checked {
    const struct report_summary *summary; // null: the program cannot be started
    const struct tolerance *tolerance;
};

struct found {
    const char *program, *preload;
};

// ---- in a process of their own ----

static int build_program(void *context, struct shelf *shelf)
{
    struct ahead_program *p = context;
    setenv("TMPDIR", scratch_directory(), 1); // of compilers, too: they may have to end at any time
    int status = work_find_program(&p->check, 1, &p->file);
    struct found *found = shelf_take(shelf, 1, sizeof *found);
    if (!status)
        *found =
            (struct found){shelf_text(shelf, p->check.subject.program), shelf_text(shelf, p->check.subject.preload)};
    shelf->result = found;
    return status;
}

struct check_order {
    const struct ahead_program *program;
    const struct ahead_check *which;
    uint32_t workers;
};

static int check_ahead(void *context, struct shelf *shelf)
{
    const struct check_order *order = context;
    struct check check = order->program->check;
    struct checked *checked = shelf_take(shelf, 1, sizeof *checked);
    struct outcome outcome;
    check.subject.progress = false;
    check.job->task.workers = order->workers;
    if (work_check(&check, order->which->test, order->which->stem, &outcome) != 2)
        checked->summary = outcome_copy(shelf, &outcome.summary);
    if (check.tolerance)
        checked->tolerance = tolerance_copy(shelf, check.tolerance);
    shelf->result = checked;
    return 0; // the files of the outcome stay until they are reported
}

// ---- what to begin ----

static struct suite_ahead *make_ahead(struct suite *s, size_t programs)
{
    struct suite_ahead *a = alloc_zeroed(1, sizeof *a);
    a->suite = s;
    a->count = programs;
    a->programs = alloc_zeroed(programs, sizeof *a->programs);
    if (s->check.subject.progress)
        progress_begin(&a->progress, stderr);
    if (errands_open(&a->errands, s->check.job->task.workers)) {
        free(a->programs);
        free(a);
        return NULL;
    }
    return a;
}

// Its executable is there: now its checks are known.
static void list_checks(struct suite_ahead *a, struct ahead_program *p)
{
    const struct suite *s = a->suite;
    const char *trouble = tests_read(&p->tests, &p->check.subject);
    size_t wanted = trouble ? 0 : work_count_wanted(s, &p->check, &p->tests);
    p->ends_all = trouble || (wanted && work_refusal(s, &p->check, &p->tests));
    if (p->ends_all || !wanted || s->names)
        return;
    p->checks = alloc_zeroed(wanted, sizeof *p->checks);
    p->count = wanted;
    size_t n = 0;
    for (size_t i = 0; i < p->tests.count; i++)
        if (work_is_wanted(s, p->tests.names[i]))
            p->checks[n++].test = p->tests.names[i];
}

static void take_found(struct ahead_program *p)
{
    p->status = p->errand ? errand_status(p->errand) : 2;
    if (p->status == ERRAND_DIED)
        p->status = 2;
    if (p->status)
        return;
    const struct found *found = errand_shelf(p->errand)->result;
    p->check.name = p->file;
    p->check.subject.program = found->program;
    p->check.subject.preload = found->preload;
    if (is_source(p->file))
        p->check.origin.sources[0] = p->file;
    else
        p->check.origin.program = p->file;
}

static bool is_known(struct suite_ahead *a, struct ahead_program *p)
{
    if (p->known || !p->begun || (p->errand && !errand_is_over(p->errand)))
        return p->known;
    p->known = true;
    a->built++;
    if (p->file)
        take_found(p);
    p->ends_all = p->status >= WORK_INTERRUPTED;
    if (!p->status)
        list_checks(a, p);
    return true;
}

static uint32_t workers_for(const struct suite_ahead *a, const struct ahead_program *p)
{
    size_t beside = a->count > p->count ? a->count : p->count;
    return a->errands.most > beside ? a->errands.most / (uint32_t)beside : 1;
}

static void begin_check(struct suite_ahead *a, struct ahead_program *p)
{
    struct ahead_check *check = &p->checks[p->next++];
    struct check_order order = {p, check, workers_for(a, p)};
    check->begun = true;
    a->begun++;
    check->stem = work_new_stem(a->suite, p->check.name, check->test);
    check->errand = errand_begin(&a->errands, order.workers, check_ahead, &order);
}

// The next check in the order of the report, if it is known and there is room for it.
static bool begin_next_check(struct suite_ahead *a)
{
    for (; a->open < a->count; a->open++) {
        struct ahead_program *p = &a->programs[a->open];
        if (!is_known(a, p) || p->ends_all)
            return false;
        if (p->next == p->count)
            continue;
        if (!errands_have_room(&a->errands, workers_for(a, p)))
            return false;
        begin_check(a, p);
        return true;
    }
    return false;
}

static bool begin_next_build(struct suite_ahead *a)
{
    if (a->build == a->count || !errands_have_room(&a->errands, 1))
        return false;
    struct ahead_program *p = &a->programs[a->build++];
    p->begun = true;
    p->errand = errand_begin(&a->errands, 1, build_program, p);
    return true;
}

static void begin_what_fits(struct suite_ahead *a)
{
    while (!run_interrupted() && (begin_next_check(a) || begin_next_build(a)))
        ;
}

// ---- what is shown meanwhile ----

static size_t count_over(const struct suite_ahead *a)
{
    size_t over = a->reported;
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < a->programs[i].next; k++)
            over += !a->programs[i].checks[k].errand || errand_is_over(a->programs[i].checks[k].errand);
    return over;
}

static void show_progress(struct suite_ahead *a)
{
    char line[160];
    if (!a->progress.wanted)
        return;
    size_t over = count_over(a);
    unsigned seconds = (unsigned)(time_now() - a->progress.started);
    snprintf(line, sizeof line, "%zu of %zu program%s built  %zu check%s done  %zu under way  %u:%02u", a->built,
             a->count, a->count == 1 ? "" : "s", over, over == 1 ? "" : "s", a->begun - over, seconds / 60,
             seconds % 60);
    progress_show(&a->progress, line);
}

static void wait_for_some(struct suite_ahead *a)
{
    fflush(stdout); // whoever reads it may want to know what is waited for
    errands_wait(&a->errands);
    begin_what_fits(a);
    show_progress(a);
}

// ---- what the suite asks for ----

struct suite_ahead *ahead_new(struct suite *s, const struct strings *programs)
{
    struct suite_ahead *a = make_ahead(s, programs->count);
    for (size_t i = 0; a && i < programs->count; i++) {
        a->programs[i].file = programs->item[i];
        a->programs[i].check = s->check;
    }
    return a;
}

struct suite_ahead *ahead_new_of(struct suite *s, const struct check *built)
{
    struct suite_ahead *a = make_ahead(s, 1);
    if (!a)
        return NULL;
    a->programs[0].check = *built;
    a->programs[0].begun = true;
    a->build = 1;
    return a;
}

void ahead_free(struct suite_ahead *a)
{
    for (size_t i = 0; i < a->count; i++)
        ahead_leave_program(a, i);
    errands_close(&a->errands);
    free(a->programs);
    free(a);
}

int ahead_program(struct suite_ahead *a, size_t which, struct check *check)
{
    struct ahead_program *p = &a->programs[which];
    begin_what_fits(a);
    while (!is_known(a, p) && (p->begun || !run_interrupted()))
        wait_for_some(a);
    progress_clear(&a->progress);
    if (p->errand)
        errand_say(p->errand);
    if (p->known && !p->status)
        *check = p->check;
    return p->status;
}

void ahead_leave_program(struct suite_ahead *a, size_t which)
{
    struct ahead_program *p = &a->programs[which];
    for (size_t i = 0; i < p->count; i++)
        if (p->checks[i].errand)
            errand_free(&a->errands, p->checks[i].errand);
    if (p->errand)
        errand_free(&a->errands, p->errand);
    a->reported += p->next;
    free(p->checks);
    tests_free(&p->tests);
    p->checks = NULL;
    p->errand = NULL;
    p->count = p->next = 0;
}

static struct ahead_check *find_check(const struct suite_ahead *a, size_t which, const char *test)
{
    const struct ahead_program *p = &a->programs[which];
    for (size_t i = 0; i < p->count; i++)
        if (test ? p->checks[i].test && !strcmp(p->checks[i].test, test) : !p->checks[i].test)
            return &p->checks[i];
    return NULL;
}

static bool is_under_way(const struct ahead_check *check)
{
    return check->begun ? check->errand && !errand_is_over(check->errand) : !run_interrupted();
}

const struct report_summary *ahead_check(struct suite_ahead *a, size_t which, const char *test, const char **why)
{
    begin_what_fits(a);
    struct ahead_check *check = find_check(a, which, test);
    require(check);
    while (is_under_way(check))
        wait_for_some(a);
    progress_clear(&a->progress);
    if (check->errand)
        errand_say(check->errand);
    *why = check->begun ? "the process that checked it died" : NULL;
    if (!check->errand || errand_status(check->errand))
        return NULL;
    const struct checked *checked = errand_shelf(check->errand)->result;
    if (checked->tolerance)
        tolerance_merge(a->suite->reports.tolerance, checked->tolerance);
    *why = "the program cannot be started";
    return checked->summary;
}
