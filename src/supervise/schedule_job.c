#include "supervise/schedule_job.h"

#include <stdlib.h>

#include "supervise/globals.h"

static void name_words(const char *program, const uint64_t *addresses, uint32_t count, char **names)
{
    for (uint32_t i = 0; i < count; i++) {
        struct buffer name = {0};
        globals_name(program, addresses[i], &name);
        names[i] = name.text;
    }
}

void schedule_take_job(struct schedule *s, const struct job *job, const char *program, uint32_t racy)
{
    const struct surroundings *outside = &job->task.outside;
    s->directory = outside->directory[0] ? (char *)(uintptr_t)outside->directory : NULL;
    s->input = outside->input[0] ? (char *)(uintptr_t)outside->input : NULL;
    for (int i = 0; i < ALLOWED; i++)
        s->kept[i] = outside->kept[i][0] ? (char *)(uintptr_t)outside->kept[i] : NULL;
    for (int i = 0; i < ALLOWED; i++)
        s->allowed[i] = outside->allowed[i][0] ? (char *)(uintptr_t)outside->allowed[i] : NULL;
    s->trusted = outside->trusted[0] ? (char *)(uintptr_t)outside->trusted : NULL;
    s->test = outside->test[0] ? (char *)(uintptr_t)outside->test : NULL;
    s->rules = job->task.rules;
    if (s->rules.races == RACES_EXPLORE)
        s->rules.races = RACES_REPORT; // the words that were visible are, and no others
    s->rules.outlives_all |= job->tolerated.outlived != 0;
    s->build = globals_code_hash(program);
    name_words(program, job->learnt.merged, job->learnt.merged_count, s->merged);
    name_words(program, job->learnt.racy, racy, s->racy);
    s->threads = job->threads;
}

void schedule_drop_words(struct schedule *s)
{
    for (char **word = s->merged; *word; word++)
        free(*word);
    for (char **word = s->racy; *word; word++)
        free(*word);
}
