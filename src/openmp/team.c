#include "openmp/team.h"

#include <stdlib.h>
#include <string.h>

// A thread that is kept for the regions of one thread, so that thread-private variables live on between them, and a program
// with many regions does not have many threads. It waits for its next region between them.
//
// At the end of a region workers say that they are done, and do not wait for the others: a thread that is woken may still run
// when the program ends, or not, and a search would look at both.
struct worker {
    sem_t wake, done;
    pthread_t thread;
    struct member member;
};

struct share_block {
    struct share_block *next;
    struct share shares[SHARES_AT_HAND];
};

enum { MOST_THREADS = 256 };

static __thread struct member *current;
static __thread struct member alone_member;
static __thread struct team alone_team;

static struct worker *worker[MOST_THREADS]; // from 1; of the thread whose regions are executed by them
static unsigned workers;
static int workers_claimed;
static __thread bool workers_mine;

static void member_begin(struct member *m, struct team *team, unsigned number, const struct settings *settings)
{
    memset(m, 0, sizeof *m);
    m->team = team;
    m->number = number;
    m->task = &m->implicit;
    m->implicit.holders = 1;
    m->implicit.settings = *settings;
}

struct member *heddle_omp_member(void)
{
    if (!current) {
        alone_team = (struct team){.size = 1};
        if (heddle_omp_pool_open)
            heddle_omp_pool_open(&alone_team.tasks);
        struct settings settings = heddle_omp_settings_of_environment();
        member_begin(&alone_member, &alone_team, 0, &settings);
        current = &alone_member;
    }
    return current;
}

unsigned heddle_omp_team_size(const struct member *creator, unsigned wanted)
{
    const struct settings *settings = &creator->task->settings;
    unsigned size = wanted ? wanted : settings->threads;
    if (creator->team->active_level >= settings->most_active)
        size = 1;
    if (size > settings->limit)
        size = settings->limit;
    return size < MOST_THREADS ? size : MOST_THREADS - 1;
}

// Executes what tasks are left. The team is there until its creator knows of every thread that it is done.
static void leave_team(struct member *m)
{
    if (heddle_omp_barrier_with_tasks)
        heddle_omp_barrier_with_tasks(m);
}

static void take_part(struct member *m)
{
    current = m;
    m->team->body(m->team->data);
    leave_team(m);
    current = NULL;
}

static void await(sem_t *semaphore)
{
    while (sem_wait(semaphore))
        ; // a signal
}

static void *worker_main(void *argument)
{
    struct worker *w = argument;
    for (;;) {
        take_part(&w->member);
        sem_post(&w->done);
        await(&w->wake);
    }
    return NULL;
}

static void *helper_main(void *argument)
{
    take_part(argument);
    return NULL;
}

static void start_thread(pthread_t *thread, void *(*start)(void *), void *argument)
{
    if (pthread_create(thread, NULL, start, argument))
        abort(); // as libgomp ends the program
}

static void wake_workers(struct team *team)
{
    for (unsigned i = 1; i < team->size; i++) {
        if (i <= workers) {
            member_begin(&worker[i]->member, team, i, &team->creator->task->settings);
            sem_post(&worker[i]->wake);
            continue;
        }
        struct worker *w = worker[i] = calloc(1, sizeof *w);
        if (!w || sem_init(&w->wake, 0, 0) || sem_init(&w->done, 0, 0))
            abort();
        member_begin(&w->member, team, i, &team->creator->task->settings);
        workers = i;
        start_thread(&w->thread, worker_main, w);
    }
}

static void await_workers(unsigned size)
{
    for (unsigned i = 1; i < size; i++)
        await(&worker[i]->done);
}

// The first thread that needs workers keeps them.
static bool may_use_workers(const struct member *creator)
{
    if (creator->team->active_level)
        return false;
    if (!workers_mine && !__atomic_load_n(&workers_claimed, __ATOMIC_RELAXED))
        workers_mine = !__atomic_exchange_n(&workers_claimed, 1, __ATOMIC_RELAXED);
    return workers_mine;
}

struct helper {
    pthread_t thread;
    struct member member;
};

static struct helper *start_helpers(struct team *team)
{
    struct helper *helper = calloc(team->size, sizeof *helper);
    if (!helper)
        abort();
    for (unsigned i = 1; i < team->size; i++) {
        member_begin(&helper[i].member, team, i, &team->creator->task->settings);
        start_thread(&helper[i].thread, helper_main, &helper[i].member);
    }
    return helper;
}

static void join_helpers(struct helper *helper, unsigned size)
{
    for (unsigned i = 1; i < size; i++)
        pthread_join(helper[i].thread, NULL);
    free(helper);
}

static void team_begin(struct team *team, struct member *creator, unsigned size)
{
    team->size = size;
    team->creator = creator;
    team->level = creator->team->level + 1;
    team->active_level = creator->team->active_level + (size > 1);
    if (heddle_omp_pool_open)
        heddle_omp_pool_open(&team->tasks);
    if (size == 1)
        return;
    pthread_barrier_init(&team->barrier, NULL, size);
    pthread_mutex_init(&team->turns, NULL);
    pthread_cond_init(&team->turn_changed, NULL);
}

static void free_shares(struct share *share)
{
    for (unsigned i = 0; i < SHARES_AT_HAND; i++)
        free(share[i].posted);
}

static void team_end(struct team *team)
{
    free_shares(team->shares);
    while (team->more_shares) {
        struct share_block *block = team->more_shares;
        team->more_shares = block->next;
        free_shares(block->shares);
        free(block);
    }
    if (heddle_omp_pool_close)
        heddle_omp_pool_close(&team->tasks);
    if (team->size == 1)
        return;
    pthread_cond_destroy(&team->turn_changed);
    pthread_mutex_destroy(&team->turns);
    pthread_barrier_destroy(&team->barrier);
}

void heddle_omp_run_team(unsigned size, void (*body)(void *data), void *data)
{
    struct member *creator = heddle_omp_member(), master;
    struct team team = {.body = body, .data = data};
    struct helper *helper = NULL;
    team_begin(&team, creator, size);
    member_begin(&master, &team, 0, &creator->task->settings);
    master.implicit.final = creator->task->final;
    current = &master;
    if (size > 1 && may_use_workers(creator))
        wake_workers(&team);
    else if (size > 1)
        helper = start_helpers(&team);
    body(data);
    leave_team(&master);
    if (helper)
        join_helpers(helper, size);
    else
        await_workers(size);
    current = creator;
    team_end(&team);
}

struct serial {
    struct team team;
    struct member member;
};

void heddle_omp_serial_begin(void)
{
    struct member *creator = heddle_omp_member();
    struct serial *s = calloc(1, sizeof *s);
    if (!s)
        abort();
    creator->threads_wanted = 0;
    team_begin(&s->team, creator, 1);
    member_begin(&s->member, &s->team, 0, &creator->task->settings);
    current = &s->member;
}

void heddle_omp_serial_end(void)
{
    struct serial *s = (struct serial *)current->team; // its first member
    leave_team(current);
    current = s->team.creator;
    team_end(&s->team);
    free(s);
}

void heddle_omp_barrier(struct member *m)
{
    if (heddle_omp_barrier_with_tasks)
        heddle_omp_barrier_with_tasks(m);
    else if (m->team->size > 1)
        pthread_barrier_wait(&m->team->barrier);
}

bool heddle_omp_single(struct member *m)
{
    unsigned long mine = m->singles++;
    if (m->team->size == 1)
        return true;
    return __atomic_compare_exchange_n(&m->team->singles, &mine, mine + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

// Beyond those in the team itself, which all find without asking.
static struct share *share_in_blocks(struct team *team, unsigned long number)
{
    struct share_block **at = &team->more_shares;
    pthread_mutex_lock(&team->turns);
    for (unsigned long skip = number / SHARES_AT_HAND;; skip--, at = &(*at)->next) {
        if (!*at && !(*at = calloc(1, sizeof **at)))
            abort();
        if (!skip)
            break;
    }
    struct share *share = &(*at)->shares[number % SHARES_AT_HAND];
    pthread_mutex_unlock(&team->turns);
    return share;
}

struct share *heddle_omp_next_share(struct member *m)
{
    unsigned long number = m->constructs++;
    if (m->team->size == 1) {
        m->team->shares[0] = (struct share){0};
        return &m->team->shares[0];
    }
    return number < SHARES_AT_HAND ? &m->team->shares[number] : share_in_blocks(m->team, number - SHARES_AT_HAND);
}
