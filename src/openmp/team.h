// OpenMP for programs under test: teams of threads, made of pthreads. The runtimes of the compilers (libgomp, libomp) sleep
// by system calls of their own and cannot be followed; what is here is compiled by `heddle cc` like the program itself and
// linked into it, so that a search sees locks, barriers and semaphores that it knows.
//
// The entry points of the two compilers are in gomp_*.c and kmp_*.c; everything else knows nothing of them. All names that
// the linker sees begin with heddle_omp_, since the program has names of its own.
//
// What orders threads here is what OpenMP promises and no more, or races would be hidden: who takes an iteration or a
// `single` is decided by relaxed atomics, which order nothing. Only task queues have a lock.
#ifndef OPENMP_TEAM_H
#define OPENMP_TEAM_H

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>

#include "openmp/loop.h"
#include "openmp/task.h"

enum { SHARES_AT_HAND = 32 };

struct team {
    unsigned size;
    unsigned level, active_level; // enclosing parallel regions, this one included; those with more than one thread
    struct member *creator;       // who met the parallel construct; null for the team of one outside of all regions
    void (*body)(void *data);
    void *data;
    pthread_barrier_t barrier;
    unsigned long singles; // how many `single` constructs have found their thread
    void *copied;          // copyprivate
    struct share shares[SHARES_AT_HAND];
    struct share_block *more_shares;
    pthread_mutex_t turns; // ordered and doacross
    pthread_cond_t turn_changed;
    struct task_pool tasks;
};

// A thread in a team.
struct member {
    struct team *team;
    unsigned number;
    unsigned threads_wanted;           // for the next parallel region alone (num_threads); 0 if not said
    unsigned long constructs, singles; // work-sharing constructs it has met
    struct loop loop;
    struct nest nest;
    struct task implicit;
    struct task *task; // the one it executes
};

// The calling thread's; outside of all parallel regions a team of one.
struct member *heddle_omp_member(void);

// How many threads a parallel region gets that asks for `wanted` (0: for no special number).
unsigned heddle_omp_team_size(const struct member *creator, unsigned wanted);

// Executes body(data) by a team, and waits for all of it.
void heddle_omp_run_team(unsigned size, void (*body)(void *data), void *data);

// The same in two halves around what the calling thread does as a team of one.
void heddle_omp_serial_begin(void);
void heddle_omp_serial_end(void);

// Waits until every thread of the team is here and all its tasks are done.
void heddle_omp_barrier(struct member *m);

// Whether the calling thread is the one for this `single`.
bool heddle_omp_single(struct member *m);

// The k-th work-sharing construct of a team is one for all its threads.
struct share *heddle_omp_next_share(struct member *m);

#endif
