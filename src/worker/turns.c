#include "worker/turns.h"

#include <string.h>

#include "base/mem.h"
#include "target/threads/engine/engine_room.h"
#include "worker/wanted.h"

bool turns_count(const struct job *job)
{
    bool bound = job->task.strategy == STRATEGY_DFS && job->task.preemptions != NO_BOUND;
    return job->task.turns || bound || strategy_table[job->task.strategy].counts_preemptions;
}

bool turns_unlocks(const struct job *job)
{
    return job->learnt.unlock_visible || engine.lets_go_seen || (engine.unlock_visible && !engine.turns);
}

uint32_t turns_drop_minor(const struct job *job, struct step *steps, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!op_is_minor(engine.exec.events[i].kind, turns_unlocks(job)))
            steps[kept++] = steps[i];
    return kept;
}

void turns_begin_counting(const struct job *job)
{
    if (!strategy_table[job->task.strategy].follows_schedule)
        return;
    engine.counts_preemptions = true;
    if (!engine.preemptions)
        engine.preemptions = mem_reserve((job->task.max_steps + 2ull) * sizeof *engine.preemptions);
}

static uint32_t up_to(uint32_t event)
{
    return event < engine.exec.count ? engine.preemptions[event] : 0;
}

// A failure in an operation comes before the operation is an event, so the next event counts as well.
static uint32_t up_to_failure(const struct bug *bug)
{
    uint32_t next = bug->last + 1;
    bool takes_it = next < engine.exec.count && engine.exec.events[next].actor == bug->actor;
    return up_to(takes_it ? next : bug->last);
}

uint32_t turns_preemptions(const struct job *job)
{
    if (!engine.preemptions)
        return 0;
    for (uint32_t i = 0; job->task.only_wanted && i < engine.failure_count; i++)
        if (wanted_is(job, &engine.failures[i]))
            return up_to_failure(&engine.failures[i]);
    return up_to(engine.exec.count - 1);
}
