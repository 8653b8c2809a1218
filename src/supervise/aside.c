#include "supervise/aside.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "job/tolerated.h"

static bool is_listed(const struct outcome_room *o, uint64_t fingerprint)
{
    for (size_t i = 0; i < o->tolerated_count; i++)
        if (o->tolerated[i].fingerprint == fingerprint)
            return true;
    return false;
}

void aside_list(struct outcome_room *o, const struct examined *x)
{
    if (is_listed(o, x->identity.fingerprint))
        return;
    o->tolerated = alloc_grow(o->tolerated, o->tolerated_count, &o->tolerated_room, sizeof *o->tolerated);
    o->tolerated[o->tolerated_count++] =
        (struct report_tolerated){.kind = x->identity.kind,
                                  .known = x->ruling == RULING_KNOWN,
                                  .rule = x->rule,
                                  .identity = alloc_copy(x->identity.text.text ? x->identity.text.text : ""),
                                  .message = x->message.text ? alloc_copy(x->message.text) : NULL,
                                  .file = x->file.text ? alloc_copy(x->file.text) : NULL,
                                  .line = x->line,
                                  .fingerprint = x->identity.fingerprint};
}

// Removes bit number `which`; the bits behind it move up.
static void take_out_bit(uint64_t *bits, uint32_t which)
{
    for (uint32_t i = which; i < JOB_BUGS; i++) {
        uint64_t next = i + 1 < JOB_BUGS ? bits[(i + 1) / 64] >> ((i + 1) % 64) & 1 : 0;
        bits[i / 64] = (bits[i / 64] & ~(1ull << (i % 64))) | next << (i % 64);
    }
}

bool aside_put(struct outcome_room *o, struct job *job, uint32_t which)
{
    struct examined freed = o->examined[which];
    if (!job_tolerate(job, &job->answer.bug[which].bug))
        return false;
    aside_list(o, &o->examined[which]);
    uint32_t behind = job->answer.bugs - which - 1;
    memmove(&job->answer.bug[which], &job->answer.bug[which + 1], behind * sizeof *job->answer.bug);
    job->answer.bugs--;
    job->task.bugs_before -= which < job->task.bugs_before;
    for (uint32_t i = 0; i < job->answer.bugs; i++)
        take_out_bit(job->answer.bug[i].after, which);
    memmove(&o->examined[which], &o->examined[which + 1], (o->examined_count - which - 1) * sizeof *o->examined);
    o->examined[--o->examined_count] = freed; // the next one there forgets it
    return true;
}

void aside_tidy(struct job *job)
{
    uint32_t used = job->task.prefix_steps;
    for (uint32_t i = 0; i < job->answer.bugs; i++)
        if (job->answer.bug[i].start + job->answer.bug[i].steps > used)
            used = job->answer.bug[i].start + job->answer.bug[i].steps;
    if (used < job->steps_used)
        job->steps_used = used;
    if (used < job->task.steps_before)
        job->task.steps_before = used;
}

void aside_free(struct outcome_room *o)
{
    for (size_t i = 0; i < o->tolerated_count; i++) {
        free((char *)(uintptr_t)o->tolerated[i].identity);
        free((char *)(uintptr_t)o->tolerated[i].message);
        free((char *)(uintptr_t)o->tolerated[i].file);
    }
    free(o->tolerated);
}
