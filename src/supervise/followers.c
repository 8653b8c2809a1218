#include "supervise/followers.h"

#include <stdlib.h>

#include "base/alloc.h"

// Only a baseline or suppressions compare names: without them every bug that the search tells apart is reported.
bool followers_is_repeated(const struct outcome_room *o, uint32_t which)
{
    if (!o->check->tolerance)
        return false;
    for (uint32_t i = 0; i < which; i++)
        if (o->examined[i].identity.fingerprint == o->examined[which].identity.fingerprint)
            return true;
    return false;
}

static bool is_told(const struct outcome_room *o, uint32_t which)
{
    const struct examined *x = &o->examined[which];
    return x->ruling == RULING_NEW && x->happens && !followers_is_repeated(o, which);
}

static bool comes_after(const struct job_bug *bug, uint32_t other)
{
    return bug->after[other / 64] >> (other % 64) & 1;
}

// A bug follows only bugs that were kept before it, so this recursion ends.
uint32_t followers_leader(const struct outcome_room *o, uint32_t which)
{
    if (!is_told(o, which))
        return NO_LEADER;
    for (uint32_t other = 0; other < which; other++)
        if (comes_after(&o->check->job->answer.bug[which], other) && is_told(o, other))
            return followers_leader(o, other);
    return which;
}

// Finds the job's bug that is the same as this failure of a recorded run; NO_LEADER if the search did not meet it.
static uint32_t followers_find(const struct outcome_room *o, const struct bug *failure)
{
    const struct job *job = o->check->job;
    for (uint32_t i = 0; i < job->answer.bugs; i++)
        if (bug_same(&job->answer.bug[i].bug, failure, job->task.rules.tell_apart))
            return i;
    return NO_LEADER;
}

static struct report_bug *add_follower(struct report_bug *report, size_t *room)
{
    report->followers = alloc_grow(report->followers, report->follower_count, room, sizeof *report->followers);
    return &report->followers[report->follower_count++];
}

// A failure of the run that is shown. One that the search did not meet counts as well: shrinking has made another run.
static void add_here(const struct outcome_room *o, const struct examined *x, uint32_t failure, uint32_t which,
                     struct report_bug *report, size_t *room)
{
    struct report_bug *follower = add_follower(report, room);
    *follower = (struct report_bug){.bug = &x->failures[failure],
                                    .trace_path = report->trace_path,
                                    .schedule_path = report->schedule_path,
                                    .preemptions = report->preemptions,
                                    .unshrunk = true};
    if (which != NO_LEADER) {
        follower->identity = o->examined[which].identity.text.text;
        follower->fingerprint = o->examined[which].identity.fingerprint;
    }
}

void followers_add(const struct outcome_room *o, uint32_t leader, struct report_bug *report)
{
    const struct examined *x = &o->examined[leader];
    const struct job *job = o->check->job;
    bool here[JOB_BUGS] = {false};
    size_t room = 0;
    for (uint32_t i = x->failure + 1; x->recorded && i < x->failure_count; i++) {
        uint32_t which = followers_find(o, &x->failures[i].bug);
        bool unknown = which == NO_LEADER && comes_after(&x->failures[i], x->failure);
        bool follows = which != NO_LEADER && which != leader && followers_leader(o, which) == leader;
        if (!(unknown || follows) || (follows && here[which]))
            continue;
        add_here(o, x, i, which, report, &room);
        if (which != NO_LEADER)
            here[which] = true;
    }
    for (uint32_t i = 0; i < job->answer.bugs; i++)
        if (i != leader && !here[i] && followers_leader(o, i) == leader)
            *add_follower(report, &room) = (struct report_bug){.bug = &job->answer.bug[i], .elsewhere = true};
}

uint32_t followers_number(const struct outcome_room *o, const struct report_bug *follower)
{
    return (uint32_t)(follower->bug - o->check->job->answer.bug);
}

void followers_free(struct report_bug *report)
{
    free(report->followers);
    report->followers = NULL;
    report->follower_count = 0;
}
