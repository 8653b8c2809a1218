#define _GNU_SOURCE
#include "worker/restart.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "target/threads/engine/engine_room.h"
#include "target/threads/memory/memory_room.h"

// A process costs about as much as that many events.
enum { SPACING = 1024, FORCED_SPACING = 4 };

_Static_assert((int)ALLOWED <= (int)ALLOWED_PLACES, "restart_prepare");

void restart_prepare(const struct job *job)
{
    bool forced = job->task.rules.restart == RESTART_FORK || job->task.rules.restart == RESTART_CHECKPOINT;
    bool needed = job->learnt.needs_fork || job->learnt.distrust >= DISTRUST_MEMORY;
    bool forking = !job->task.real && (forced || needed);
    if (forking)
        forking_prepare();
    engine.forking = forking;
    engine.stays_in_memory = job->task.rules.restart != RESTART_AUTO && !forking;
    engine.may_fork = job->task.rules.restart == RESTART_AUTO && !forking && !job->task.real && job->task.trace_fd < 0;
    if (forking && job->task.rules.restart != RESTART_FORK)
        engine.checkpoint_spacing = forced ? FORCED_SPACING : SPACING;
    for (int i = 0; i < ALLOWED; i++) {
        engine.kept[i] = job->task.outside.kept[i][0] ? job->task.outside.kept[i] : NULL;
        engine.kept_at[i] = job->task.outside.kept_at[i];
    }
    for (int i = 0; i < ALLOWED; i++)
        engine.allowed[i] = job->task.outside.allowed[i][0] ? job->task.outside.allowed[i] : NULL;
    if (job->task.place[0]) {
        engine.private_place = job->task.place;
        engine.place_from = job->task.place_from;
    }
}

static enum restart_mode restart_way_used(const struct job *job)
{
    if (engine.forking)
        return job->task.rules.restart == RESTART_CHECKPOINT ? RESTART_CHECKPOINT : RESTART_FORK;
    if (engine.verifying)
        return RESTART_VERIFY;
    return engine.undoing ? RESTART_UNDO : RESTART_REPLAY;
}

// Memory goes back by the log of writes if that is known to be complete, else by starting over.
void restart_choose(struct job *job)
{
    const char *why = job->learnt.unlogged;
    bool known = !job->task.plain && !job->learnt.unlogged[0] && image_all_writes_known(&why);
    if (job->task.rules.restart == RESTART_AUTO)
        engine.undoing = known && !job->learnt.distrust;
    else
        engine.undoing =
            job->task.rules.restart == RESTART_UNDO || (job->task.rules.restart == RESTART_VERIFY && known);
    engine.undo_forced = job->task.rules.restart == RESTART_UNDO;
    engine.verifying = engine.inspecting = job->task.rules.restart == RESTART_VERIFY;
    engine.keeps_output = job->task.output == OUTPUT_ALL && job->task.trace_fd < 0;
    engine.undoing &= !engine.forking && !engine.keeps_output; // going back to a branch repeats no output
    if (!known && !job->task.plain)
        snprintf(job->answer.unlogged_by, sizeof job->answer.unlogged_by, "%.63s", why);
    job->answer.foreign = !job->task.plain && image_has_foreign_objects();
    job->answer.restart_used = restart_way_used(job);
}

int restart_out_of_the_way(int fd)
{
    enum { FAR = 240 }; // below what is left to the kernel where descriptors are heddle's (descriptors.c)
    int moved = fcntl(fd, F_DUPFD_CLOEXEC, FAR);
    if (moved < 0)
        return fd;
    close(fd);
    return moved;
}
