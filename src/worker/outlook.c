#include "worker/outlook.h"

#include "base/time.h"
#include "target/threads/engine/engine_room.h"
#include "worker/sharing.h"

// The first estimate comes after FIRST seconds, or a tenth of the time that there is if that is earlier; each further one when the
// search has taken twice as long. An estimate takes this part of the time so far, and at the end a larger one.
static const double first = 1, first_if_scouting = 0.2, part = 0.01, part_if_scouting = 0.04, part_at_end = 0.1,
                    least = 0.02, least_if_scouting = 0.06, most = 0.5;

static double outlook_within(double seconds, double low, double high)
{
    return seconds < low ? low : seconds > high ? high : seconds;
}

double outlook_reserve(double seconds)
{
    return outlook_within(seconds * part_at_end, 0, most);
}

struct look {
    const struct job *job;
    double began, allowed;
    bool heeds_interrupt;
};

static double outlook_spent(void *context)
{
    const struct look *look = context;
    if (engine.failure_count || engine.late || (look->heeds_interrupt && look->job->interrupt))
        return 1;
    return (time_now() - look->began) / look->allowed;
}

// Estimates during the search are made only for those who ask: a search that is interrupted may notice a spinning thread a
// round earlier or later.
static bool outlook_is_wanted(const struct job *job)
{
    return job->task.hopeless_after > 0 || job->task.shown || job->task.scouts;
}

// Nothing can be run in between where each execution is a process of its own, or is only repeated.
static bool can_look(const struct search *search, const struct job *job)
{
    return search->strategy->estimate && !engine.forking && !engine.real && !engine.record && !job->client.clients &&
           !job->task.unless_wanted && !job->task.only_wanted && !search->strategy->target->lost;
}

bool outlook_is_due(const struct search *search, const struct job *job, double passed)
{
    double usual = job->task.scouts ? first_if_scouting : first, tenth = job->task.hopeless_after / 10;
    double begin = tenth > 0 && tenth < usual ? tenth : usual;
    double last = job->answer.share.looked;
    return outlook_is_wanted(job) && can_look(search, job) && passed > (last > 0 ? 2 * last : begin);
}

void outlook_look(struct search *search, struct job *job, double passed)
{
    if (!can_look(search, job))
        return;
    bool at_end = job->answer.end != JOB_RUNNING || search->planned;
    double allowed = at_end ? outlook_reserve(passed) : passed * (job->task.scouts ? part_if_scouting : part);
    struct look look = {.job = job,
                        .began = time_now(),
                        .allowed = outlook_within(allowed, job->task.scouts ? least_if_scouting : least, most),
                        .heeds_interrupt = !at_end};
    struct estimate estimate = {.done = search->executions,
                                .max_steps = search->max_steps,
                                .planned = search->planned,
                                .spent = outlook_spent,
                                .context = &look};
    double done = (double)search->executions;
    uint32_t deepest = job->answer.deepest;
    job->answer.share.looked = passed;
    bool known = search->strategy->estimate(search->strategy, &estimate);
    job->answer.deepest = deepest; // samples are not among the executions that are counted
    if (!known)
        return;
    struct share share =
        sharing_share(the_worker, (struct prospect){done, estimate.total, estimate.least, estimate.most});
    share.looked = passed;
    job->answer.share = share;
}

// The estimate is rough at first, so at first only what is far out of reach is given up, and at the very first only what is
// five times as far.
bool outlook_is_hopeless(const struct job *job, double passed)
{
    double most_seconds = job->task.hopeless_after;
    if (most_seconds <= 0)
        return false;
    if (job->answer.share.likely < 0) // none could be made; `dpor`, in the place of `optimal`, does not even try
        return passed > most_seconds / (job->task.patient ? 2 : job->answer.share.looked > 0 ? 10 : 4);
    double needed = passed / (passed < most_seconds / 4 ? job->answer.share.most * 3 : job->answer.share.likely);
    return needed > (passed < most_seconds / 10 ? 5 : 1) * most_seconds;
}
