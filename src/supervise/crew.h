// The workers of one attempt at a job: one, or several that share the search (spread/ledger.h). Each has a job of its own; the first
// has the one that was asked for, and in the end that one has the answer of all.
#ifndef SUPERVISE_CREW_H
#define SUPERVISE_CREW_H

#include <sys/types.h>

#include "spread/ledger.h"
#include "supervise/watchdog.h"

struct crew {
    uint32_t count;
    struct job *job[WORKERS];
    pid_t process[WORKERS]; // 0: it has ended …
    int status[WORKERS];    // … like this
    struct watchdog watchdog[WORKERS];
    struct job *all;       // the bugs of all, in the order of the search; at first those of earlier attempts
    struct ledger *ledger; // null if there is one worker
    size_t bytes;
    int ledger_fd;
};

// As many workers as the task asks for and the search can be shared by. None runs yet.
void crew_open(struct crew *crew, struct job *job);

// The worker has ended, and its answer says how.
void crew_note_end(struct crew *crew, uint32_t which);

// All have ended: puts the answers together.
void crew_gather(struct crew *crew);
void crew_close(struct crew *crew);

// Whether some are still at it; and executions of all but the first.
bool crew_is_at_work(const struct crew *crew);
uint64_t crew_executions_of_others(const struct crew *crew);

#endif
