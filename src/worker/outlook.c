#include "worker/outlook.h"

#include "base/time.h"
#include "target/threads/engine/engine.h"

// The first estimate comes after FIRST seconds, or a tenth of the time that there is if that is earlier; each further one when the
// search has taken twice as long. An estimate takes this part of the time so far, and at the end a larger one.
static const double first = 1, part = 0.01, part_at_end = 0.1, least = 0.02, most = 0.5;

static double within(double seconds, double low, double high)
{
    return seconds < low ? low : seconds > high ? high : seconds;
}

double outlook_reserve(double seconds)
{
    return within(seconds * part_at_end, 0, most);
}

struct look {
    const struct job *job;
    double began, allowed;
    bool heeds_interrupt;
};

static double spent(void *context)
{
    const struct look *look = context;
    if (engine.failure_count || engine.late || (look->heeds_interrupt && look->job->interrupt))
        return 1;
    return (time_now() - look->began) / look->allowed;
}

// In between only where somebody wants to know, since a search that is interrupted may find a spinning thread a round earlier or
// later.
static bool is_wanted(const struct job *job)
{
    return job->hopeless_after > 0 || job->shown;
}

// Where each execution is a process of its own, or is only repeated, there is nothing to be run in between.
static bool can_look(const struct search *search, const struct job *job)
{
    return search->strategy->estimate && !engine.forking && !engine.real && !engine.record && !job->client.clients &&
           !job->unless_wanted && !job->only_wanted && !search->strategy->target->lost;
}

bool outlook_is_due(const struct search *search, const struct job *job, double passed)
{
    double begin = job->hopeless_after > 0 && job->hopeless_after / 10 < first ? job->hopeless_after / 10 : first;
    double last = job->share.looked;
    return is_wanted(job) && can_look(search, job) && passed > (last > 0 ? 2 * last : begin);
}

void outlook_look(struct search *search, struct job *job, double passed, bool planned)
{
    if (!can_look(search, job))
        return;
    bool at_end = job->end != JOB_RUNNING || planned;
    double allowed = at_end ? outlook_reserve(passed) : passed * part;
    struct look look = {.job = job,
                        .began = time_now(),
                        .allowed = allowed < least  ? least
                                   : allowed < most ? allowed
                                                    : most,
                        .heeds_interrupt = !at_end};
    struct estimate estimate = {.done = search->executions,
                                .max_steps = search->max_steps,
                                .planned = planned,
                                .spent = spent,
                                .context = &look};
    double done = (double)search->executions;
    job->share.looked = passed;
    if (!search->strategy->estimate(search->strategy, &estimate))
        return;
    job->share.least = done / estimate.most;
    job->share.most = done / estimate.least;
    job->share.likely = done / estimate.total;
}

// The estimate is rough at first, so at first only what is far out of reach is given up.
bool outlook_is_hopeless(const struct job *job, double passed)
{
    double most_seconds = job->hopeless_after;
    if (most_seconds <= 0)
        return false;
    if (job->share.likely < 0) // `dpor`, in the place of `optimal`, makes no estimate
        return passed > most_seconds / 4;
    double needed = passed / (passed < most_seconds / 4 ? job->share.most * 3 : job->share.likely);
    return passed >= most_seconds / 10 && needed > most_seconds;
}
