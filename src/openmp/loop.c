#include "openmp/loop.h"

#include <stdlib.h>

#include "openmp/team.h"

void heddle_omp_loop_begin(struct member *m, enum schedule schedule, unsigned long long total, unsigned long long chunk,
                           bool ordered)
{
    if (schedule == SCHEDULE_RUNTIME) {
        schedule = m->task->settings.schedule;
        chunk = m->task->settings.chunk;
    }
    if (!chunk && schedule != SCHEDULE_STATIC)
        chunk = 1;
    if (chunk > total) // or what is added up would not fit into a number
        chunk = total ? total : 1;
    m->loop = (struct loop){
        .share = heddle_omp_next_share(m), .schedule = schedule, .total = total, .chunk = chunk, .ordered = ordered};
}

static bool chunk_found(struct loop *loop, unsigned long long first, unsigned long long count)
{
    if (first >= loop->total)
        return false;
    loop->first = first;
    loop->count = count < loop->total - first ? count : loop->total - first;
    return true;
}

// One block a thread, of sizes that differ by at most one; or chunks in turns.
static bool take_static(struct loop *loop, unsigned number, unsigned size)
{
    unsigned long long round = loop->rounds++;
    if (loop->chunk)
        return chunk_found(loop, (round * size + number) * loop->chunk, loop->chunk);
    unsigned long long each = loop->total / size, more = loop->total % size;
    unsigned long long count = each + (number < more);
    return !round && count && chunk_found(loop, number * each + (number < more ? number : more), count);
}

static bool take_dynamic(struct loop *loop)
{
    return chunk_found(loop, __atomic_fetch_add(&loop->share->taken, loop->chunk, __ATOMIC_RELAXED), loop->chunk);
}

static bool take_guided(struct loop *loop, unsigned size)
{
    unsigned long long taken = __atomic_load_n(&loop->share->taken, __ATOMIC_RELAXED), count;
    do {
        if (taken >= loop->total)
            return false;
        count = (loop->total - taken + size - 1) / size;
        count = count < loop->chunk ? loop->chunk : count;
        count = count < loop->total - taken ? count : loop->total - taken;
    } while (!__atomic_compare_exchange_n(&loop->share->taken, &taken, taken + count, false, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED));
    return chunk_found(loop, taken, count);
}

// Waits, with the lock, until the calling thread's chunk has its turn.
static void await_turn(struct member *m)
{
    while (m->loop.share->turn != m->loop.first)
        pthread_cond_wait(&m->team->turn_changed, &m->team->turns);
}

static void pass_turn(struct member *m)
{
    m->loop.ordered_regions = m->loop.count;
    if (m->team->size == 1)
        return;
    pthread_mutex_lock(&m->team->turns);
    await_turn(m);
    m->loop.share->turn = m->loop.first + m->loop.count;
    pthread_cond_broadcast(&m->team->turn_changed);
    pthread_mutex_unlock(&m->team->turns);
}

bool heddle_omp_loop_take(struct member *m)
{
    struct loop *loop = &m->loop;
    if (loop->ordered && loop->count && loop->ordered_regions < loop->count)
        pass_turn(m); // some iterations have no ordered region
    loop->count = loop->ordered_regions = 0;
    if (loop->schedule == SCHEDULE_STATIC)
        return take_static(loop, m->number, m->team->size);
    return loop->schedule == SCHEDULE_GUIDED ? take_guided(loop, m->team->size) : take_dynamic(loop);
}

void heddle_omp_ordered_enter(struct member *m)
{
    if (m->team->size == 1 || !m->loop.ordered || m->loop.ordered_regions)
        return;
    pthread_mutex_lock(&m->team->turns);
    await_turn(m);
    pthread_mutex_unlock(&m->team->turns);
}

void heddle_omp_ordered_leave(struct member *m)
{
    if (m->loop.ordered && ++m->loop.ordered_regions == m->loop.count)
        pass_turn(m);
}

void heddle_omp_doacross_begin(struct member *m)
{
    struct nest *nest = &m->nest;
    unsigned long long iterations = 1;
    nest->share = heddle_omp_next_share(m);
    for (unsigned i = 0; i < nest->dimensions; i++)
        iterations *= nest->extent[i];
    if (m->team->size == 1)
        return;
    pthread_mutex_lock(&m->team->turns);
    if (!nest->share->posted && !(nest->share->posted = calloc(iterations + 1, 1)))
        abort();
    pthread_mutex_unlock(&m->team->turns);
}

// The number of an iteration in the nest; false if it is outside of it, where nobody waits for it.
static bool linear(const struct nest *nest, const unsigned long long *position, unsigned long long *number)
{
    *number = 0;
    for (unsigned i = 0; i < nest->dimensions; i++) {
        if (position[i] >= nest->extent[i])
            return false;
        *number = *number * nest->extent[i] + position[i];
    }
    return true;
}

void heddle_omp_doacross_post(struct member *m, const unsigned long long *position)
{
    unsigned long long number;
    if (m->team->size == 1 || !linear(&m->nest, position, &number))
        return;
    pthread_mutex_lock(&m->team->turns);
    m->nest.share->posted[number] = 1;
    pthread_cond_broadcast(&m->team->turn_changed);
    pthread_mutex_unlock(&m->team->turns);
}

void heddle_omp_doacross_wait(struct member *m, const unsigned long long *position)
{
    unsigned long long number;
    if (m->team->size == 1 || !linear(&m->nest, position, &number))
        return;
    pthread_mutex_lock(&m->team->turns);
    while (!m->nest.share->posted[number])
        pthread_cond_wait(&m->team->turn_changed, &m->team->turns);
    pthread_mutex_unlock(&m->team->turns);
}
