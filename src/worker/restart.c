#define _GNU_SOURCE
#include "worker/restart.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "target/threads/engine/engine.h"
#include "target/threads/memory/forking.h"
#include "target/threads/memory/image.h"

// A process costs about as much as that many events.
enum { SPACING = 1024, FORCED_SPACING = 4 };

_Static_assert((int)ALLOWED <= (int)ALLOWED_PLACES, "restart_prepare");

void restart_prepare(const struct job *job)
{
    bool forced = job->restart == RESTART_FORK || job->restart == RESTART_CHECKPOINT;
    bool needed = job->learnt.needs_fork || job->learnt.distrust >= DISTRUST_MEMORY;
    bool forking = !job->real && (forced || needed);
    if (forking)
        forking_prepare();
    engine.forking = forking;
    engine.stays_in_memory = job->restart != RESTART_AUTO && !forking;
    engine.may_fork = job->restart == RESTART_AUTO && !forking && !job->real && job->trace_fd < 0;
    if (forking && job->restart != RESTART_FORK)
        engine.checkpoint_spacing = forced ? FORCED_SPACING : SPACING;
    for (int i = 0; i < ALLOWED; i++)
        engine.allowed[i] = job->allowed[i][0] ? job->allowed[i] : NULL;
    if (job->place[0]) {
        engine.private_place = job->place;
        engine.place_from = job->place_from;
    }
}

static enum restart_mode used(const struct job *job)
{
    if (engine.forking)
        return job->restart == RESTART_CHECKPOINT ? RESTART_CHECKPOINT : RESTART_FORK;
    if (engine.verifying)
        return RESTART_VERIFY;
    return engine.undoing ? RESTART_UNDO : RESTART_REPLAY;
}

// Memory goes back by the log of writes if that is known to be complete, else by starting over.
void restart_choose(struct job *job)
{
    const char *why = job->learnt.unlogged;
    bool known = !job->plain && !job->learnt.unlogged[0] && image_all_writes_known(&why);
    if (job->restart == RESTART_AUTO)
        engine.undoing = known && !job->learnt.distrust;
    else
        engine.undoing = job->restart == RESTART_UNDO || (job->restart == RESTART_VERIFY && known);
    engine.undo_forced = job->restart == RESTART_UNDO;
    engine.verifying = engine.inspecting = job->restart == RESTART_VERIFY;
    engine.keeps_output = job->output == OUTPUT_ALL && job->trace_fd < 0;
    engine.undoing &= !engine.forking && !engine.keeps_output; // going back to a branch repeats no output
    if (!known && !job->plain)
        snprintf(job->unlogged_by, sizeof job->unlogged_by, "%.63s", why);
    job->foreign = !job->plain && image_has_foreign_objects();
    job->restart_used = used(job);
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
