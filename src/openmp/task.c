#include "openmp/task.h"

#include <stdlib.h>
#include <string.h>

#include "heddle/heddle.h"
#include "openmp/team.h"

void heddle_omp_pool_open(struct task_pool *pool)
{
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->changed, NULL);
}

void heddle_omp_pool_close(struct task_pool *pool)
{
    pthread_cond_destroy(&pool->changed);
    pthread_mutex_destroy(&pool->lock);
}

// Whether the later of two siblings has to wait until the other is finished.
static bool comes_after(const struct task *later, const struct task *earlier)
{
    for (size_t i = 0; i < later->dependences; i++)
        for (size_t k = 0; k < earlier->dependences; k++) {
            const struct dependence *a = &later->dependence[i], *b = &earlier->dependence[k];
            if (a->on == b->on && a->kind != b->kind)
                return true;
            if (a->on == b->on && a->kind == DEPENDS_OUT)
                return true;
        }
    return false;
}

// Whether two siblings may be executed in any order, but not at the same time.
static bool excludes(const struct task *a, const struct task *b)
{
    for (size_t i = 0; i < a->dependences; i++)
        for (size_t k = 0; k < b->dependences; k++)
            if (a->dependence[i].on == b->dependence[k].on && a->dependence[i].kind == DEPENDS_EXCLUSIVE)
                return true;
    return false;
}

static bool is_ready(const struct task_pool *pool, const struct task *t)
{
    bool earlier = true;
    if (!t->dependences || t->state == TASK_SUSPENDED)
        return true;
    for (const struct task *other = pool->unfinished; other; other = other->next) {
        if (other == t)
            earlier = false;
        else if (other->parent == t->parent &&
                 ((earlier && comes_after(t, other)) || (other->state != TASK_WAITS && excludes(t, other))))
            return false;
    }
    return true;
}

// Those that a waiting thread may execute: its own children, those of a group (and what these may depend on), or any.
struct choice {
    const struct task *parent;
    const struct task_group *group;
};

static bool may_take(const struct choice *choice, const struct task *t)
{
    if ((t->state != TASK_WAITS && t->state != TASK_SUSPENDED) || t->reserved)
        return false;
    if (choice->group && t->group == choice->group)
        return true;
    return !choice->parent || t->parent == choice->parent;
}

// The first of the tasks from `t` on that can be taken, and that is excluded by `rival` unless that is null.
static struct task *next_ready(const struct task_pool *pool, const struct choice *choice, struct task *t,
                               const struct task *rival)
{
    while (t && !(may_take(choice, t) && is_ready(pool, t) && (!rival || excludes(rival, t))))
        t = t->next;
    return t;
}

// The oldest that can be taken. Of several that exclude each other none can be taken once one is, so that any may be the first.
static struct task *first_ready(const struct task_pool *pool, const struct choice *choice)
{
    struct task *oldest = next_ready(pool, choice, pool->unfinished, NULL), *t = oldest;
    int rivals = 0;
    while (t && (t = next_ready(pool, choice, t->next, oldest)))
        rivals++;
    t = oldest;
    for (int skip = rivals ? heddle_choose(rivals + 1) : 0; skip; skip--)
        t = next_ready(pool, choice, t->next, oldest);
    return t;
}

static void release(struct task *t)
{
    while (t && !--t->holders) {
        struct task *parent = t->parent;
        free(t->event);
        free(t->to_free);
        free(t->dependence);
        free(t);
        t = parent;
    }
}

// With the lock.
static void finish(struct task_pool *pool, struct task *t)
{
    struct task **at = &pool->unfinished;
    while (*at != t)
        at = &(*at)->next;
    *at = t->next;
    t->parent->children--;
    if (t->group)
        t->group->unfinished--;
    pthread_cond_broadcast(&pool->changed);
    release(t);
}

// With the lock: whether there is another part of the task to be executed, by whoever comes first.
static bool suspend(struct task_pool *pool, struct task *t)
{
    if (!t->unfinished_part)
        return false;
    t->unfinished_part = false;
    t->state = TASK_SUSPENDED;
    pthread_cond_broadcast(&pool->changed);
    return true;
}

// With the lock, which is let go while the task runs. Returns whether it is suspended.
static bool execute(struct member *m, struct task *t)
{
    struct task *outer = m->task;
    t->state = TASK_RUNS;
    pthread_mutex_unlock(&m->team->tasks.lock);
    m->task = t;
    if (t->run)
        t->run(t->data);
    m->task = outer;
    pthread_mutex_lock(&m->team->tasks.lock);
    if (suspend(&m->team->tasks, t))
        return true;
    t->state = TASK_DETACHED;
    if (!t->event || t->event->fulfilled)
        finish(&m->team->tasks, t);
    return false;
}

// With the lock: executes tasks and waits until a count is zero.
static void work_until_zero(struct member *m, const unsigned *count, const struct choice *choice)
{
    struct task_pool *pool = &m->team->tasks;
    while (*count) {
        struct task *t = first_ready(pool, choice);
        if (t)
            execute(m, t);
        else
            pthread_cond_wait(&pool->changed, &pool->lock);
    }
}

static struct task *make(struct member *m, const struct task_wish *wish)
{
    struct task *t = calloc(1, sizeof *t);
    struct dependence *copy = wish->dependences ? calloc(wish->dependences, sizeof *copy) : NULL;
    if (!t || (wish->dependences && !copy))
        abort();
    for (size_t i = 0; i < wish->dependences; i++)
        copy[i] = wish->dependence[i];
    t->parent = m->task;
    t->group = m->task->group;
    t->run = wish->run;
    t->data = wish->data;
    t->to_free = wish->to_free;
    t->dependence = copy;
    t->dependences = wish->dependences;
    t->holders = 1;
    t->final = wish->final || m->task->final;
    t->reserved = wish->at_once || m->task->final;
    t->event = wish->event;
    t->settings = m->task->settings;
    if (t->event) {
        t->event->pool = &m->team->tasks;
        t->event->task = t;
    }
    return t;
}

static void append(struct task_pool *pool, struct task *t)
{
    struct task **at = &pool->unfinished;
    while (*at)
        at = &(*at)->next;
    *at = t;
    t->parent->children++;
    t->parent->holders++;
    if (t->group)
        t->group->unfinished++;
}

// With the lock: executes a task of the calling thread as soon as those before it are finished.
static void execute_reserved(struct member *m, struct task *t)
{
    struct task_pool *pool = &m->team->tasks;
    const struct choice siblings = {.parent = t->parent};
    while (!is_ready(pool, t)) {
        struct task *other = first_ready(pool, &siblings);
        if (other)
            execute(m, other);
        else
            pthread_cond_wait(&pool->changed, &pool->lock);
    }
    while (execute(m, t)) {
    }
}

// Outside of all regions there is no barrier that would execute the task, not even at the end of the program.
static bool waits_for_nobody(const struct member *m, const struct task *t)
{
    return m->team->level == 0 && !t->event;
}

void heddle_omp_task_create(struct member *m, const struct task_wish *wish)
{
    struct task_pool *pool = &m->team->tasks;
    struct task *t = make(m, wish);
    t->reserved |= waits_for_nobody(m, t);
    pthread_mutex_lock(&pool->lock);
    append(pool, t);
    if (t->reserved)
        execute_reserved(m, t);
    else
        pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
}

void heddle_omp_task_enter(struct member *m, bool final)
{
    const struct task_wish wish = {.at_once = true, .final = final};
    struct task *t = make(m, &wish);
    t->state = TASK_RUNS;
    pthread_mutex_lock(&m->team->tasks.lock);
    append(&m->team->tasks, t);
    pthread_mutex_unlock(&m->team->tasks.lock);
    m->task = t;
}

void heddle_omp_task_leave(struct member *m)
{
    struct task *t = m->task;
    m->task = t->parent;
    pthread_mutex_lock(&m->team->tasks.lock);
    finish(&m->team->tasks, t);
    pthread_mutex_unlock(&m->team->tasks.lock);
}

void heddle_omp_task_wait(struct member *m)
{
    const struct choice children = {.parent = m->task};
    pthread_mutex_lock(&m->team->tasks.lock);
    work_until_zero(m, &m->task->children, &children);
    pthread_mutex_unlock(&m->team->tasks.lock);
}

void heddle_omp_task_wait_for(struct member *m, const struct dependence *dependence, size_t count)
{
    const struct task_wish nothing = {.dependence = dependence, .dependences = count, .at_once = true};
    heddle_omp_task_create(m, &nothing);
}

void heddle_omp_group_begin(struct member *m)
{
    struct task_group *group = calloc(1, sizeof *group);
    if (!group)
        abort();
    group->outer = m->task->group;
    m->task->group = group;
}

void heddle_omp_group_end(struct member *m)
{
    struct task_group *group = m->task->group;
    const struct choice members = {.group = group, .parent = m->task};
    pthread_mutex_lock(&m->team->tasks.lock);
    work_until_zero(m, &group->unfinished, &members);
    pthread_mutex_unlock(&m->team->tasks.lock);
    m->task->group = group->outer;
    free(group);
}

struct task_event *heddle_omp_event_make(void)
{
    struct task_event *event = calloc(1, sizeof *event);
    if (!event)
        abort();
    return event;
}

void heddle_omp_event_fulfil(struct task_event *event)
{
    struct task_pool *pool = event->pool;
    if (!pool) { // its task is not made yet, so nobody else knows the event
        event->fulfilled = true;
        return;
    }
    pthread_mutex_lock(&pool->lock);
    event->fulfilled = true;
    if (event->task->state == TASK_DETACHED)
        finish(pool, event->task);
    pthread_mutex_unlock(&pool->lock);
}

static bool all_done(const struct team *team)
{
    return team->tasks.arrived == team->size && !team->tasks.unfinished;
}

void heddle_omp_barrier_with_tasks(struct member *m)
{
    struct task_pool *pool = &m->team->tasks;
    const struct choice any = {0};
    pthread_mutex_lock(&pool->lock);
    unsigned long generation = pool->generation;
    pool->arrived++;
    while (pool->generation == generation) {
        struct task *t = first_ready(pool, &any);
        if (t) {
            execute(m, t);
        } else if (all_done(m->team)) {
            pool->generation++;
            pool->arrived = 0;
            pthread_cond_broadcast(&pool->changed);
        } else {
            pthread_cond_wait(&pool->changed, &pool->lock);
        }
    }
    pthread_mutex_unlock(&pool->lock);
}
