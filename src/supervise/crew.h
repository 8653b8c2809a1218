// The workers of one attempt at a job: one, or several that share the search (spread/ledger.h). Each has a job of its own; the first
// has the one that was asked for, and in the end that one has the answer of all.
#ifndef SUPERVISE_CREW_H
#define SUPERVISE_CREW_H

#include <sys/types.h>

#include "spread/saved_search.h"
#include "supervise/keeper.h"
#include "supervise/run.h"
#include "supervise/watchdog.h"

// Whether this is a search by states that fellows can do.
bool crew_can_search_elsewhere(const struct subject *subject, const struct job *job);

struct crew {
    uint32_t count;
    struct job *job[WORKERS];
    pid_t process[WORKERS]; // 0: it has ended …
    int status[WORKERS];    // … like this
    int end[WORKERS];       // a descriptor of the process, which can be read once it has ended; or -1
    struct watchdog watchdog[WORKERS];
    struct task task; // what each worker is asked, and begins with: as it was at the beginning …
    struct lessons learnt;
    struct job_threads threads; // … also for those who take the places of others
    struct keeper *keeper;      // where the search is saved, or null
    struct timeline *timeline;  // or null
    double began;               // this part of it …
    double seconds_before;      // … and what others took
    struct legacy *legacy;
    size_t legacies, legacy_room;
    uint32_t killed, kills_in_a_row; // workers; and since something got on:
    uint64_t executions_at_kill;
    uint32_t units_at_kill;
    double asked_at;       // when everybody was last asked to tell
    struct job *all;       // the bugs of all, in the order of the search; at first those of earlier attempts
    struct ledger *ledger; // null if the search is not divided
    size_t bytes;
    int ledger_fd;
};

// As many workers as the task asks for and the search can be shared by. None runs yet. With a keeper the search is saved, and goes on
// where that says; a timeline gets who explored what; and what fellows explore is done before.
void crew_open(struct crew *crew, struct job *job, const struct subject *subject);

// The worker has ended, and its answer says how.
void crew_note_end(struct crew *crew, uint32_t which);

// To be called now and then while they work: asks them from time to time to tell how far they are, and saves that.
void crew_tend(struct crew *crew);

// The worker was killed from outside, when the search had taken `passed` seconds. Its unit goes to others, and its place to a new
// process, which the caller starts with the same job. False if the search has to end.
bool crew_replaces(struct crew *crew, uint32_t which, double passed);

// All have ended: puts the answers together.
void crew_gather(struct crew *crew);
void crew_close(struct crew *crew);

// Whether some are still at it; and executions of all but the first.
bool crew_is_at_work(const struct crew *crew);
uint64_t crew_executions_of_others(const struct crew *crew);

#endif
