#include "cluster/shortening.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/interrupt.h"
#include "base/time.h"

bool shortening_is_same(const struct cluster_result *r)
{
    return world.failure == r->failure && world.failure_sort == r->sort &&
           (r->failure != FAILURE_CHECK || !strcmp(world.failure_text, r->text));
}

// How much there is to read: the steps of the execution at hand and, if it failed while settling, the events of settling. Those
// count more, since a step may be only the choice of an event. If the failure is that nodes never come to rest, they do not
// count: how long that was watched says nothing.
static uint32_t story_length(void)
{
    return world.exec.count + (world.failure == FAILURE_QUIET ? 0 : 4 * world.settled);
}

// Whether the schedule fails in the same way without these steps, and no longer and with no more faults; if so it is
// taken instead.
static bool take_shorter(const struct cluster_options *o, struct cluster_result *r, const struct step *steps,
                         uint32_t count)
{
    size_t start = undo_mark(&world.undo);
    cluster_follow(steps, count);
    world_settle(o->patience);
    bool failed = world.failure != FAILURE_NONE && shortening_is_same(r);
    uint32_t faults = cluster_faults(), length = story_length();
    bool better = failed && (faults < r->faults || (faults == r->faults && length < r->length));
    if (better) {
        free(r->steps);
        cluster_keep_steps(r);
        cluster_keep_failure(r);
        r->faults = faults;
        r->length = length;
    }
    cluster_rewind();
    world_back(start);
    return better;
}

// The next step of the same actor, or `count`.
static uint32_t follower(const struct cluster_result *r, uint32_t at)
{
    uint32_t i = at + 1;
    while (i < r->step_count && r->steps[i].actor != r->steps[at].actor)
        i++;
    return i;
}

// Without the steps from `from` to `to`, and without `other`.
static bool leave_out(const struct cluster_options *o, struct cluster_result *r, uint32_t from, uint32_t to,
                      uint32_t other)
{
    struct step *steps = alloc_array(r->step_count, sizeof *steps);
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->step_count; i++)
        if ((i < from || i >= to) && i != other)
            steps[n++] = r->steps[i];
    bool better = take_shorter(o, r, steps, n);
    free(steps);
    return better;
}

// With the same steps, but for a fault that does not happen.
static bool decline_fault(const struct cluster_options *o, struct cluster_result *r, uint32_t at)
{
    struct step *steps = alloc_array(r->step_count, sizeof *steps);
    uint32_t count = r->step_count;
    memcpy(steps, r->steps, count * sizeof *steps);
    steps[at].alternative = 0;
    bool better = take_shorter(o, r, steps, count);
    free(steps);
    return better;
}

// Long stretches first.
static void shorten_coarsely(const struct cluster_options *o, struct cluster_result *r, double limit)
{
    for (uint32_t length = r->step_count / 2; length > 1; length /= 2)
        for (uint32_t to = r->step_count; to > 0 && time_now() < limit && !interrupted();
             to = to > length ? to - length : 0) {
            if (to > r->step_count)
                to = r->step_count;
            leave_out(o, r, to > length ? to - length : 0, to, r->step_count);
        }
}

// A step alone; or with the next one of its actor, since a choice and its event belong together.
static bool shorten_once(const struct cluster_options *o, struct cluster_result *r, bool faults_only)
{
    for (uint32_t i = r->step_count; i-- > 0;) {
        if (faults_only && !r->steps[i].alternative)
            continue;
        if (leave_out(o, r, i, i + 1, r->step_count) || leave_out(o, r, i, i + 1, follower(r, i)))
            return true;
        if (r->steps[i].alternative && decline_fault(o, r, i))
            return true;
    }
    return false;
}

void shortening_do(const struct cluster_options *o, struct cluster_result *r)
{
    if (r->step_count == 0 || r->failure == FAILURE_HANG) // each try would take as long as giving up does
        return;
    double limit = time_now() + 10;
    cluster_rewind();
    size_t start = undo_mark(&world.undo);
    cluster_follow(r->steps, r->step_count);
    world_settle(o->patience);
    r->faults = cluster_faults();
    r->length = story_length();
    cluster_rewind();
    world_back(start);
    shorten_coarsely(o, r, limit);
    while (time_now() < limit && !interrupted() && shorten_once(o, r, true))
        ;
    while (time_now() < limit && !interrupted() && shorten_once(o, r, false))
        ;
}
