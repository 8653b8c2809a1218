#include "worker/wanted.h"

#include "target/threads/engine/engine_room.h"

bool wanted_is(const struct job *job, const struct bug *bug)
{
    return !job->task.only_wanted || bug_same(bug, &job->task.wanted, job->task.rules.tell_apart);
}

// Whether the failure stopped its thread, as its last one may have. The process would end there; here the others run on, as
// they could have done before it.
static bool stops_thread(uint32_t failure)
{
    const struct bug *bug = &engine.failures[failure];
    for (uint32_t i = failure + 1; i < engine.failure_count; i++)
        if (engine.failures[i].actor == bug->actor && !bug_traits(engine.failures[i].kind)->goes_on)
            return false;
    return !bug_traits(bug->kind)->goes_on && engine.threads[bug->actor].failed;
}

// Either the failure is not there, or the process can end in another way while the thread that fails is still on the way from
// its last step to the failure.
bool wanted_escapes(const struct job *job)
{
    bool there = false, on_the_way = false, otherwise = engine.over;
    for (uint32_t i = 0; i < engine.failure_count; i++) {
        const struct bug *bug = &engine.failures[i];
        bool wanted = bug_same(bug, &job->task.wanted, job->task.rules.tell_apart), stops = stops_thread(i);
        there |= wanted;
        on_the_way |= wanted && stops;
        otherwise |= !wanted && stops;
    }
    return !there || (on_the_way && otherwise);
}
