#include "worker/learning.h"

#include "target/threads/engine/engine_room.h"

static bool learn_racy_word(uint64_t word)
{
    struct lessons *learnt = &engine.learnt;
    for (uint32_t i = 0; i < learnt->racy_count; i++)
        if (learnt->racy[i] == word)
            return false;
    if (learnt->racy_count == RACY_WORDS) {
        cannot_follow("more words race than heddle makes visible (2048)");
        return false;
    }
    learnt->racy[learnt->racy_count++] = word;
    return true;
}

// Words whose races the program's annotations expect.
static void learn_expected(void)
{
    bool fresh = !engine.expected_count;
    for (uint32_t i = 0; i < engine.expected_count; i++)
        fresh |= learn_racy_word(engine.expected[i]);
    if (!fresh)
        cannot_follow("the program's annotations expect races on more words than heddle explores (256)");
}

// Blocks of a position-independent program are known from one attempt to the next by where they are in its file.
static void move_blocks(struct lessons *learnt, const struct job *job, bool into_job)
{
    const struct answer *answer = &job->answer;
    uint64_t first = into_job ? answer->base : 0;
    for (uint32_t i = 0; i < learnt->merged_count; i++) {
        uint64_t *block = &learnt->merged[i];
        if (answer->base && *block >= first && *block - first < answer->program_size)
            *block += into_job ? -answer->base : answer->base;
    }
}

static void leave_to_next(struct job *job)
{
    job->learnt = engine.learnt;
    move_blocks(&job->learnt, job, true);
}

void learning_apply(const struct job *job)
{
    engine.learnt = job->learnt;
    move_blocks(&engine.learnt, job, false);
    engine.racy_count = engine.learnt.racy_count;
    for (uint32_t i = 0; i < engine.racy_count; i++)
        shadow_cell(&engine.races.shadow, engine.learnt.racy[i])->state |= CELL_VISIBLE;
}

void learning_keep(struct job *job)
{
    engine.learnt.unlock_visible |= engine.unlock_visible && !engine.turns;
    learn_expected();
    if (engine.missed.area) {
        engine.learnt.missed = engine.missed;
        if (engine.learnt.distrust < DISTRUST_UNDO)
            engine.learnt.distrust = DISTRUST_UNDO;
    }
    leave_to_next(job);
}

bool learning_racy(struct job *job, const struct bug *bug)
{
    bool fresh = false;
    for (uint64_t a = bug->address & ~7ull; a < bug->address + bug->size; a += 8)
        fresh |= learn_racy_word(a);
    if (fresh)
        leave_to_next(job);
    return fresh;
}

void learning_distrust(struct job *job, enum distrust what)
{
    if (engine.learnt.distrust < what)
        engine.learnt.distrust = what;
    leave_to_next(job);
}

bool learning_may_be_heddle(const struct job *job)
{
    return job->task.rules.restart == RESTART_AUTO && !engine.forking && !engine.real && !engine.record;
}
