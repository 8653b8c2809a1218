#define _GNU_SOURCE
#include "supervise/crew.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/time.h"
#include "report/timeline.h"
#include "spread/sights.h"
#include "supervise/run.h"

// Runs that are repeated to explain something, and searches of objects.
static bool is_search(const struct job *job)
{
    const struct task *t = &job->task;
    return !t->real && !t->bare && t->trace_fd < 0 && t->runs_fd < 0 && !t->only_wanted && !t->unless_wanted &&
           !t->turns && !job->client.clients && !job->blocks.ranges;
}

// Why the search cannot be divided; null if it can.
static const char *why_alone(const struct job *job)
{
    const struct task *t = &job->task;
    const struct lessons *l = &job->learnt;
    bool by_states = strategy_table[t->strategy].matches_states;
    bool forks = t->rules.restart == RESTART_FORK || t->rules.restart == RESTART_CHECKPOINT || l->needs_fork ||
                 l->needs_place || l->distrust >= DISTRUST_MEMORY;
    bool changes = t->strategy == STRATEGY_OPTIMAL && (l->shares || l->rounds_seen); // to dpor (worker/worker.c)
    if (t->plain || (!by_states && (!strategy_table[t->strategy].divides || changes)))
        return "only searches by optimal and by states can be shared";
    if (t->strategy == STRATEGY_SDPOR)
        return "what sdpor knows of operations cannot be shared";
    if (by_states && t->audit_states)
        return "whether equal states go on alike is looked at by one worker";
    if (by_states && t->max_executions != UINT64_MAX)
        return "a search by states whose executions are bounded is not shared";
    if (forks)
        return "each execution is a process of its own";
    if (t->ask)
        return "bugs that are known or suppressed are ruled on one after the other";
    if (t->output == OUTPUT_ALL)
        return "the output of all executions is shown in their order";
    return t->outside.allowed[0][0] ? "the program may change files" : NULL;
}

bool crew_can_search_elsewhere(const struct subject *subject, const struct job *job)
{
    return subject->fellows && is_search(job) && strategy_table[job->task.strategy].matches_states && !why_alone(job);
}

// Whether the search is to be divided, or at least kept; if not although somebody wants it, why.
static bool wants_ledger(struct crew *c, struct job *job, bool others)
{
    bool several = job->task.workers > 1, kept = c->keeper != NULL, wanted = several || kept || c->timeline || others;
    const char *why = is_search(job) && wanted ? why_alone(job) : NULL;
    bool by_states = strategy_table[job->task.strategy].matches_states; // then the worker finds helpers by itself
    snprintf(job->answer.alone, sizeof job->answer.alone, "%s", several && why ? why : "");
    job->task.helpers = is_search(job) && several && by_states && !why ? job->task.workers - 1 : 0;
    if (kept && (why || by_states))
        keeper_give_up(c->keeper, why ? why : "only searches by optimal can be kept");
    return is_search(job) && wanted && !why && !by_states;
}

static struct ledger *map_ledger(struct crew *c, uint32_t kept)
{
    c->bytes = ledger_size(c->count, kept);
    c->ledger_fd = memfd_create("heddle-ledger", MFD_CLOEXEC);
    if (c->ledger_fd < 0 || ftruncate(c->ledger_fd, (off_t)c->bytes))
        return NULL;
    void *ledger = mmap(NULL, c->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, c->ledger_fd, 0);
    return ledger == MAP_FAILED ? NULL : ledger;
}

static void forget_ledger(struct crew *c)
{
    if (c->ledger)
        munmap(c->ledger, c->bytes);
    if (c->ledger_fd >= 0)
        close(c->ledger_fd);
    c->ledger = NULL;
    c->ledger_fd = -1;
}

// With the units of a search that goes on, or the whole of it.
static void open_ledger(struct crew *c, struct job *job, const struct saved_search *search)
{
    uint32_t limit = job->task.max_steps + 2, kept = search ? (uint32_t)search->units : 0;
    c->ledger = map_ledger(c, kept);
    if (c->ledger) {
        ledger_open(c->ledger, c->count, kept, limit);
        if (search && !saved_put(search, c->ledger))
            forget_ledger(c);
    }
    if (!c->ledger) {
        forget_ledger(c);
        if (c->keeper)
            keeper_give_up(c->keeper, "there is no shared memory for it");
        if (c->count > 1)
            snprintf(job->answer.alone, sizeof job->answer.alone, "there is no shared memory for more");
        c->count = 1;
        return;
    }
    struct identities *all = &c->ledger->identities;
    all->count = job->threads.count;
    for (uint32_t i = 0; i < job->threads.count; i++) {
        all->actor[i].parent = job->threads.thread[i].parent;
        all->actor[i].number = job->threads.thread[i].number;
    }
}

// The search goes on with what was known of the program, and found, when it was saved.
static void take_over(struct crew *c, struct job *job, struct saved_search *f)
{
    job->learnt = f->learnt;
    job->threads = f->threads;
    job->answer.bugs = f->before.answer->bugs;
    memcpy(job->answer.bug, f->before.answer->bug, f->before.answer->bugs * sizeof *job->answer.bug);
    job->steps_used = f->before.steps_used;
    memcpy(job->steps, f->before.steps, f->before.steps_used * sizeof *job->steps);
    c->seconds_before = f->seconds;
    c->legacy = f->legacy;
    c->legacies = f->legacies;
    c->legacy_room = f->legacy_room;
    f->legacy = NULL;
    f->legacies = f->legacy_room = 0;
}

// Bugs of earlier attempts, which nobody has to find again.
static void copy_bugs(struct job *to, const struct job *from)
{
    to->answer.bugs = from->answer.bugs;
    to->steps_used = from->steps_used;
    memcpy(to->steps, from->steps, from->steps_used * sizeof *to->steps);
    for (uint32_t i = 0; i < from->answer.bugs; i++) {
        to->answer.bug[i] = from->answer.bug[i];
        to->answer.bug[i].unit = 0;
    }
}

static double seconds_so_far(const struct crew *c)
{
    return c->seconds_before + (time_now() - c->began);
}

static void crew_save(struct crew *c)
{
    struct saved_search f = {.seconds = seconds_so_far(c), .learnt = c->learnt};
    legacy_copy(&f.before, &c->all->answer, c->all->steps, c->all->steps_used);
    for (size_t i = 0; i < c->legacies; i++) {
        f.legacy = alloc_grow(f.legacy, f.legacies, &f.legacy_room, sizeof *f.legacy);
        const struct legacy *legacy = &c->legacy[i];
        legacy_copy(&f.legacy[f.legacies++], legacy->answer, legacy->steps, legacy->steps_used);
    }
    saved_take(&f, c->ledger, c->job);
    keeper_write(c->keeper, &f);
    saved_free(&f);
}

// What a worker has to know of the job that was asked for.
static void tell_worker(const struct crew *c, struct job *job, uint32_t which)
{
    job->task = c->task;
    job->task.worker = which;
    job->task.shown = which ? 0 : c->task.shown;
    job->learnt = c->learnt;
    job->threads = c->threads;
    job->answer.found_by = c->task.strategy;
    copy_bugs(job, c->all);
}

// The workers' jobs.
static void hire(struct crew *c, struct job *job)
{
    c->task = job->task;
    c->learnt = job->learnt;
    c->threads = job->threads;
    copy_bugs(c->all = job_new(), job);
    for (uint32_t i = 0; i < job->answer.bugs; i++)
        job->answer.bug[i].unit = 0;
    for (uint32_t i = 1; i < c->count; i++) {
        tell_worker(c, c->job[i] = job_new(), i);
        c->job[i]->tolerated = job->tolerated;
    }
}

// Lets others explore what they can before anybody does here. The time that they take is not there any more.
static void let_fellows_explore(struct crew *c, struct job *job, const struct subject *subject,
                                struct saved_search *search)
{
    if (!search->units) {
        saved_begin(search);
        search->learnt = job->learnt;
        search->threads = job->threads;
        legacy_copy(&search->before, &job->answer, job->steps, job->steps_used);
    }
    subject->fellows->explore(subject->fellows->context, subject, job, search);
    double passed = time_now() - c->began;
    if (job->task.seconds > 0)
        job->task.seconds = job->task.seconds > passed ? job->task.seconds - passed : 0.001;
    search->seconds += passed;
    c->began = time_now();
}

void crew_open(struct crew *c, struct job *job, const struct subject *subject)
{
    struct keeper *keeper = subject->keeper;
    struct saved_search fresh = {0}, *search = keeper && keeper->resumes && is_search(job) ? &keeper->search : NULL;
    bool resumes = search != NULL;
    memset(c, 0, sizeof *c);
    c->ledger_fd = -1;
    c->job[0] = job;
    c->count = 1;
    c->keeper = keeper;
    c->timeline = subject->timeline;
    c->began = time_now();
    if (search)
        job->learnt = search->learnt;
    bool divided = wants_ledger(c, job, subject->fellows != NULL);
    if (divided && subject->fellows)
        let_fellows_explore(c, job, subject, search = search ? search : &fresh);
    if (search)
        take_over(c, job, search);
    if (divided) {
        c->count = job->task.workers > 1 ? job->task.workers : 1;
        open_ledger(c, job, search);
    }
    saved_free(&fresh);
    job->answer.workers = c->count;
    job->task.worker = 0;
    job->task.ledger_fd = c->ledger_fd;
    job->task.ledger_bytes = c->bytes;
    if (!c->ledger)
        return;
    hire(c, job);
    if (keeper && !resumes)
        crew_save(c);
    if (keeper)
        keeper->resumes = false;
}

bool crew_is_at_work(const struct crew *c)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (c->process[i])
            return true;
    return false;
}

uint64_t crew_executions_of_others(const struct crew *c)
{
    uint64_t sum = c->ledger ? (uint64_t)c->ledger->gone : 0;
    for (uint32_t i = 1; i < c->count; i++)
        sum += c->job[i]->answer.counts.executions;
    return sum;
}

void crew_note_end(struct crew *c, uint32_t which)
{
    const struct job *job = c->job[which];
    if (!c->ledger)
        return;
    ledger_bury(c->ledger, which, (uint32_t)c->process[which]);
    uint32_t unit = ledger_unit_of(c->ledger, which);
    if (unit == NO_UNIT)
        return;
    if (job_is_bounded(job->answer.end)) { // it did not come to say so itself
        ledger_return(c->ledger, which, UNIT_LEFT);
        return;
    }
    if (job_stops_all(job))
        ledger_stop(c->ledger, unit);
    ledger_leave(c->ledger, job, unit, UNIT_LAST, NULL);
}

// Whether the killing of workers comes to nothing: they have been killed so often in a row that no unit gets on.
static bool is_hopeless(struct crew *c)
{
    enum { IN_A_ROW = 20 };
    struct counts counts = ledger_counts(c->ledger);
    if (counts.executions > c->executions_at_kill || c->ledger->units > c->units_at_kill)
        c->kills_in_a_row = 0;
    c->executions_at_kill = counts.executions;
    c->units_at_kill = c->ledger->units;
    return ++c->kills_in_a_row > IN_A_ROW;
}

void crew_tend(struct crew *c)
{
    const struct keeper *keeper = c->keeper;
    const double between = keeper && keeper->every < 2 ? keeper->every / 2 : 1;
    double now = time_now();
    if (!c->ledger || now < c->asked_at + between)
        return;
    c->asked_at = now;
    if (keeper && now >= keeper->tried_at + keeper->every)
        crew_save(c);
    c->ledger->wish++;
}

static void draw_unit(const struct crew *c, uint32_t unit, uint32_t worker, bool killed)
{
    const struct unit *u = &c->ledger->unit[unit];
    if (c->timeline && u->began > 0)
        timeline_add(c->timeline, (struct timeline_piece){.worker = worker,
                                                          .unit = unit,
                                                          .began = u->began,
                                                          .ended = u->ended > u->began ? u->ended : time_now(),
                                                          .executions = u->counts.executions,
                                                          .killed = killed});
}

// What a worker has left that is no longer there.
static void bequeath(struct crew *c, uint32_t which)
{
    struct saved_search f = {.legacy = c->legacy, .legacies = c->legacies, .legacy_room = c->legacy_room};
    f.before.answer = &c->all->answer;
    saved_bequeath(&f, &c->ledger->told[which][c->ledger->valid[which]], c->job[which]->steps);
    c->legacy = f.legacy;
    c->legacies = f.legacies;
    c->legacy_room = f.legacy_room;
}

bool crew_replaces(struct crew *c, uint32_t which, double passed)
{
    struct job *job = c->job[which];
    if (!c->ledger || job->answer.end != JOB_RUNNING || job->interrupt || is_hopeless(c))
        return false;
    ledger_bury(c->ledger, which, (uint32_t)c->process[which]);
    uint32_t unit = ledger_return(c->ledger, which, UNIT_WAITS);
    if (unit != NO_UNIT)
        draw_unit(c, unit, which, true);
    bequeath(c, which);
    c->killed++;
    const struct told none = {.answer = {.share = share_unknown}};
    struct told *told = &c->ledger->told[which][c->ledger->valid[which]];
    const struct counts elsewhere = told->answer.elsewhere;
    const struct sampled sampled = told->answer.sampled;
    *told = none;
    job->answer = none.answer;
    job->answer.elsewhere = elsewhere;
    job->answer.sampled = sampled;
    job->answer.workers = c->count;
    job->current_steps = 0;
    job->asked = job->ruled = 0;
    tell_worker(c, job, which);
    if (job->task.seconds > 0)
        job->task.seconds = job->task.seconds > passed ? job->task.seconds - passed : 0.001;
    return true;
}

// The worker whose end is that of the search; `count` if all did what there was to do. Without a unit that ended it: one that had
// to stop afterwards, when it looked at what it had done, or whose time was over.
static uint32_t who_ended_it(const struct crew *c)
{
    if (c->ledger->last != NO_UNIT)
        return c->ledger->unit[c->ledger->last].worker;
    uint32_t bounded = c->count;
    for (uint32_t i = 0; i < c->count; i++) {
        enum job_end end = c->job[i]->answer.end;
        if (end != JOB_DONE && !job_is_bounded(end))
            return i;
        if (end != JOB_DONE && bounded == c->count)
            bounded = i;
    }
    return bounded;
}

// Somebody's bugs, with the schedules that show them.
struct finder {
    const struct answer *answer;
    const struct step *steps;
};

// A bug with where it was found: by whom, and its number there.
struct found {
    struct finder finder;
    uint32_t number, unit;
    const struct job_bug *bug;
};

// One of the workers, or of those who were there before.
static struct finder finder_number(const struct crew *c, size_t number)
{
    if (number < c->count)
        return (struct finder){&c->job[number]->answer, c->job[number]->steps};
    const struct legacy *legacy = &c->legacy[number - c->count];
    return (struct finder){legacy->answer, legacy->steps};
}

static bool counts_for(const struct crew *c, const struct job_bug *bug)
{
    const struct ledger *l = c->ledger;
    return l->last == NO_UNIT || l->at_once || bug->unit == l->last || ledger_is_before(l, bug->unit, l->last);
}

static const struct ledger *ordering; // of qsort

static int compare_found(const void *one, const void *other)
{
    const struct found *a = one, *b = other;
    if (a->unit != b->unit)
        return ledger_is_before(ordering, a->unit, b->unit) ? -1 : 1;
    if (a->bug->in_unit != b->bug->in_unit)
        return a->bug->in_unit < b->bug->in_unit ? -1 : 1;
    return a->number < b->number ? -1 : 1;
}

static size_t collect_found(const struct crew *c, struct found **found)
{
    size_t count = 0, room = 0;
    for (size_t i = 0; i < c->count + c->legacies; i++) {
        struct finder finder = finder_number(c, i);
        for (uint32_t k = 0; k < finder.answer->bugs; k++) {
            const struct job_bug *bug = &finder.answer->bug[k];
            if (bug->start < c->all->steps_used || !counts_for(c, bug))
                continue;
            *found = alloc_grow(*found, count, &room, sizeof **found);
            (*found)[count++] = (struct found){finder, k, bug->unit, bug};
        }
    }
    ordering = c->ledger;
    if (count)
        qsort(*found, count, sizeof **found, compare_found);
    return count;
}

// The number of a bug among those that are kept; NO_UNIT if it is not there.
static uint32_t find_kept(const struct answer *kept, const struct bug *bug, bool tell_apart)
{
    for (uint32_t i = 0; i < kept->bugs; i++)
        if (bug_same(&kept->bug[i].bug, bug, tell_apart))
            return i;
    return NO_UNIT;
}

// Which of the bugs that are kept a worker's bugs are, for what follows from what.
static void name_after(const struct found *f, struct job_bug *bug, const struct answer *kept, bool tell_apart)
{
    const struct answer *own = f->finder.answer;
    memset(bug->after, 0, sizeof bug->after);
    for (uint32_t i = 0; i < own->bugs; i++) {
        uint32_t number =
            f->bug->after[i / 64] >> (i % 64) & 1 ? find_kept(kept, &own->bug[i].bug, tell_apart) : NO_UNIT;
        if (number != NO_UNIT)
            bug->after[number / 64] |= 1ull << (number % 64);
    }
}

// How many executions one worker alone would have run by then.
static uint64_t execution_of(const struct crew *c, const struct found *f)
{
    const struct job *first = c->job[0];
    return first->task.executions_before + first->answer.elsewhere.executions +
           ledger_executions_before(c->ledger, f->unit) + f->bug->in_unit;
}

// The bugs of all, each once, in the order of the search, in a job of their own: those of the first worker are among them.
static void gather_bugs(struct crew *c, struct job *all)
{
    struct found *found = NULL;
    size_t count = collect_found(c, &found);
    bool tell_apart = c->job[0]->task.rules.tell_apart;
    for (size_t i = 0; i < count; i++) {
        uint32_t number = find_kept(&all->answer, &found[i].bug->bug, tell_apart);
        bool is_new = number == NO_UNIT;
        if (!is_new && (!all->answer.bug[number].follows || found[i].bug->follows))
            continue;
        number = is_new ? all->answer.bugs : number;
        if (number == JOB_BUGS || all->steps_used + found[i].bug->steps > JOB_STEPS) {
            all->answer.dropped += is_new;
            continue;
        }
        struct job_bug *bug = &all->answer.bug[number];
        *bug = *found[i].bug;
        bug->execution = execution_of(c, &found[i]);
        bug->start = all->steps_used;
        memcpy(all->steps + bug->start, found[i].finder.steps + found[i].bug->start, bug->steps * sizeof *all->steps);
        all->steps_used += bug->steps;
        name_after(&found[i], bug, &all->answer, tell_apart);
        all->answer.bugs += is_new;
    }
    free(found);
}

// How the search ended, in the words of the one with whom it did.
static void take_end(struct job *job, const struct job *last)
{
    struct answer *a = &job->answer;
    const struct answer *from = &last->answer;
    a->end = from->end;
    a->found_by = from->found_by;
    memcpy(a->reason, from->reason, sizeof a->reason);
    a->death = from->death;
    a->difference = from->difference;
    a->restart_used = from->restart_used;
    if (from->end == JOB_STUCK || !a->cut_pc) {
        a->cut_pc = from->cut_pc;
        a->cut_actor = from->cut_actor;
    }
    job->learnt = last->learnt;
}

void crew_gather(struct crew *c)
{
    struct job *job = c->job[0];
    if (!c->ledger)
        return;
    struct job *all = c->all;
    uint32_t last = who_ended_it(c);
    if (c->keeper && (last == c->count || c->job[last]->answer.end != JOB_AGAIN || c->task.slice))
        crew_save(c);
    for (uint32_t i = 0; i < c->ledger->units; i++)
        draw_unit(c, i, c->ledger->unit[i].worker, false);
    if (c->killed || c->seconds_before > 0)
        job->answer.run_seconds = seconds_so_far(c);
    gather_bugs(c, all);
    for (size_t i = 1; i < c->count + c->legacies; i++)
        answer_gather_sights(&job->answer, finder_number(c, i).answer);
    if (last < c->count) {
        job->answer.share = ledger_share(c->ledger);
        take_end(job, c->job[last]);
    }
    if (job->answer.end == JOB_DONE &&
        !ledger_is_complete(c->ledger)) { // whoever has to answer for it, nothing is verified
        job->answer.end = JOB_UNSUPPORTED;
        snprintf(job->answer.reason, sizeof job->answer.reason,
                 "heddle's own fault: a part of the search was left, although all workers say that they are done");
    }
    job->answer.counts = ledger_counts(c->ledger);
    job->answer.bugs = all->answer.bugs;
    job->answer.dropped += all->answer.dropped;
    memcpy(job->answer.bug, all->answer.bug, all->answer.bugs * sizeof *all->answer.bug);
    job->steps_used = all->steps_used;
    memcpy(job->steps, all->steps, all->steps_used * sizeof *all->steps);
    job->threads.count = c->ledger->identities.count;
    for (uint32_t i = 0; i < job->threads.count; i++)
        job->threads.thread[i] =
            (struct job_thread){c->ledger->identities.actor[i].parent, c->ledger->identities.actor[i].number};
}

void crew_close(struct crew *c)
{
    if (c->all)
        job_free(c->all);
    for (uint32_t i = 1; i < c->count; i++)
        job_free(c->job[i]);
    for (size_t i = 0; i < c->legacies; i++)
        legacy_free(&c->legacy[i]);
    free(c->legacy);
    forget_ledger(c);
    c->job[0]->task.ledger_fd = -1;
}
