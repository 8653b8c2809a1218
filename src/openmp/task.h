// Explicit tasks of a team. A program without any does not link task.c and has plain barriers; one with tasks has barriers at
// which waiting threads execute them.
//
// Of the tasks that could run a thread takes the oldest. Other orders need no choice of their own: threads that take tasks one
// after the other can be stopped between taking and executing.
#ifndef OPENMP_TASK_H
#define OPENMP_TASK_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "openmp/settings.h"

enum dependence_kind { DEPENDS_IN, DEPENDS_OUT, DEPENDS_EXCLUSIVE };

struct dependence {
    const void *on;
    enum dependence_kind kind;
};

struct task_group {
    struct task_group *outer;
    unsigned unfinished;
};

// Suspended: an untied task between two parts. Any thread may go on with it.
enum task_state { TASK_WAITS, TASK_RUNS, TASK_SUSPENDED, TASK_DETACHED };

// What a detached task waits for.
struct task_event {
    struct task_pool *pool; // of the task; null until there is one
    struct task *task;
    bool fulfilled;
};

struct task {
    struct task *parent;
    struct task *next; // in the order of creation, among all unfinished tasks of the team
    struct task_group *group;
    void (*run)(void *data);
    void *data;
    void *to_free;
    struct dependence *dependence;
    size_t dependences;
    enum task_state state;
    unsigned children;        // unfinished
    unsigned holders;         // itself until it is finished, and each child until that is released
    bool final, reserved;     // reserved: for the thread that made it
    bool unfinished_part;     // its code has returned, and wants to be called again for the next part
    struct task_event *event; // null if it ends with its code
    struct settings settings;
};

// The tasks of a team, and what protects them.
struct task_pool {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct task *unfinished;
    unsigned arrived;         // threads at the barrier …
    unsigned long generation; // … of this number
};

struct member;

// What a compiler's entry point knows of a new task. The data are the task's own copy.
struct task_wish {
    void (*run)(void *data);
    void *data;
    void *to_free; // once it is finished; null if nothing
    const struct dependence *dependence;
    size_t dependences;
    bool at_once; // the creator waits for its end (if(0), or inside of a final task)
    bool final;
    struct task_event *event; // of a task that is over only when this is fulfilled, too; null for others
};

void heddle_omp_task_create(struct member *m, const struct task_wish *wish);

// A task that the calling thread executes between the two, by itself.
void heddle_omp_task_enter(struct member *m, bool final);
void heddle_omp_task_leave(struct member *m);

void heddle_omp_task_wait(struct member *m); // for all children of the current task
void heddle_omp_task_wait_for(struct member *m, const struct dependence *dependence, size_t count);
void heddle_omp_group_begin(struct member *m);
void heddle_omp_group_end(struct member *m);

// An event that is freed with its task; any thread may fulfil it, before and after the task has run.
struct task_event *heddle_omp_event_make(void);
void heddle_omp_event_fulfil(struct task_event *event);

// Weak references of team.c: null where no task is linked.
void heddle_omp_pool_open(struct task_pool *pool) __attribute__((weak));
void heddle_omp_pool_close(struct task_pool *pool) __attribute__((weak));
void heddle_omp_barrier_with_tasks(struct member *m) __attribute__((weak));

#endif
