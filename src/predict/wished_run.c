#include "predict/wished_run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/scratch.h"
#include "base/whole_file.h"
#include "predict/sorted_lines.h"
#include "supervise/schedule_job.h"

enum { PATH = 4096 };

// Plain accesses are operations only where their word is among those that race.
static void show_words(struct job *job, const struct wish_job *wishes)
{
    job->learnt.racy_count = 0;
    for (uint32_t i = 0; i < wishes->count; i++) {
        uint64_t word = wishes->point[i].address & ~7ull;
        bool there = !wishes->point[i].plain;
        for (uint32_t k = 0; k < job->learnt.racy_count; k++)
            there |= job->learnt.racy[k] == word;
        if (!there)
            job->learnt.racy[job->learnt.racy_count++] = word;
    }
}

static char *trouble_of(const struct job *job)
{
    switch (job->answer.end) {
    case JOB_UNSUPPORTED:
    case JOB_DIVERGED:
        return alloc_format("heddle cannot follow the program: %s", job->answer.reason);
    case JOB_STUCK:
        return alloc_copy("a thread runs on for ever in the run under control");
    case JOB_TIME:
    case JOB_INTERRUPTED:
        return alloc_copy("the run under control did not come to its end");
    default:
        return NULL;
    }
}

void wished_run(const struct waypoints *w, const struct wish_job *wishes, uint64_t seed, struct wished_run *run)
{
    char path[PATH];
    struct job *job = waypoints_job(w);
    *run = (struct wished_run){.job = job};
    struct subject quiet = *w->subject;
    quiet.progress = quiet.shows_output = false;
    job->task.strategy = STRATEGY_WISHFUL;
    job->task.seed = seed;
    job->task.rules.status_matters = 1;
    job->task.output = OUTPUT_ALL;
    job->wishes = *wishes;
    job->learnt.unlock_visible = wishes->sees_unlocks;
    show_words(job, wishes);
    int output = scratch_file(path, sizeof path);
    if (run_job(&quiet, job, output))
        run->trouble = alloc_copy("the program cannot be run");
    else
        run->trouble = trouble_of(job);
    run->output = output >= 0 ? sorted_lines(output) : alloc_copy("");
    if (output >= 0) {
        close(output);
        unlink(path);
    }
    run->fulfilled = job->wishes.fulfilled;
    run->gave_up = job->wishes.gave_up;
    run->passed = job->wishes.passed;
    run->status = job->answer.status_seen;
    run->bug_count = job->answer.bugs;
    run->bugs = alloc_array(run->bug_count, sizeof *run->bugs);
    for (uint32_t i = 0; i < run->bug_count; i++)
        run->bugs[i] = job->answer.bug[i].bug;
}

void wished_run_free(struct wished_run *run)
{
    if (run->job)
        job_free(run->job);
    free(run->bugs);
    free(run->output);
    free(run->trouble);
    *run = (struct wished_run){0};
}

bool wished_run_fails_so(const struct wished_run *run, const struct bug *bug)
{
    for (uint32_t i = 0; i < run->bug_count; i++)
        if (bug_same(&run->bugs[i], bug, false))
            return true;
    return false;
}

// The failure to look for, if there is one: no race, if something else fails too.
static const struct job_bug *main_bug(const struct job *job)
{
    for (uint32_t i = 0; i < job->answer.bugs; i++)
        if (job->answer.bug[i].bug.kind != BUG_RACE)
            return &job->answer.bug[i];
    return job->answer.bugs ? &job->answer.bug[0] : NULL;
}

static void take_words(char *const *from, char **to)
{
    for (int i = 0; from && from[i] && i + 1 < SCHEDULE_WORDS; i++)
        to[i] = from[i];
}

char *wished_run_keep(const struct waypoints *w, const struct wished_run *run, char *const *sources, const char *stem,
                      const char *kind, uint32_t number)
{
    const struct recording *r = w->h->r;
    const struct job *job = run->job;
    const struct job_bug *bug = main_bug(job);
    char suffix[16] = "";
    if (number > 1)
        snprintf(suffix, sizeof suffix, "-%u", number);
    char *path = alloc_format("%s.%s%s.hd", stem, kind, suffix);
    struct schedule *s = alloc_zeroed(1, sizeof *s);
    schedule_take_job(s, job, w->subject->program, job->learnt.racy_count);
    s->program = sources ? NULL : (char *)(uintptr_t)w->subject->program;
    take_words(sources, s->sources);
    take_words(r->flags, s->flags);
    take_words(r->arguments, s->arguments);
    s->unlock_visible = bug ? bug->unlocks : job->learnt.unlock_visible;
    s->turns = bug ? bug->turns : job->answer.turns_used;
    s->bug = bug ? (char *)(uintptr_t)bug_name(bug->bug.kind) : NULL;
    s->steps = bug ? bug->steps : job->current_steps;
    s->step = (struct step *)(uintptr_t)(bug ? job->steps + bug->start : job->current);
    struct whole_file file;
    if (!whole_file_open(&file, path) || whole_file_close(&file, !schedule_write(file.out, s))) {
        fprintf(stderr, "heddle: the schedule cannot be kept in %s: %s\n", path, strerror(errno));
        free(path);
        path = NULL;
    }
    schedule_drop_words(s);
    free(s);
    return path;
}
