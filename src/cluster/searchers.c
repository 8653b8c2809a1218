#define _GNU_SOURCE
#include "cluster/searchers.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "base/shared_lock.h"

enum { NOWHERE = UINT32_MAX };

// A place to go on at, on its way from one to another; followed by the steps that lead there.
struct handed {
    bool is_full;
    struct level level;
};

struct searchers_board {
    pthread_mutex_t lock;
    size_t bytes;
    uint32_t members, slots_count, limit;
    uint32_t waiting; // members that have no work …
    uint32_t handed;  // … and places that were handed out and not taken yet
    uint32_t why, lost, is_over;
    uint64_t executions;            // of all of them
    uint32_t depth[SEARCHERS_MOST]; // of the place that each works at; NOWHERE: it has none
    struct identities identities;   // of messages that may come in any order
    struct searchers_counts counts[SEARCHERS_MOST];
    uint8_t slots[]; // one for each member
};

static size_t slot_bytes(uint32_t limit)
{
    return (sizeof(struct handed) + (limit + 1ull) * sizeof(struct step) + 63) & ~(size_t)63;
}

static struct handed *slot(const struct searchers_board *b, uint32_t which)
{
    return (struct handed *)(void *)((uintptr_t)b->slots + which * slot_bytes(b->limit));
}

static void make_lock(pthread_mutex_t *lock)
{
    pthread_mutexattr_t shared;
    pthread_mutexattr_init(&shared);
    pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&shared, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(lock, &shared);
    pthread_mutexattr_destroy(&shared);
}

bool searchers_open(struct searchers *c, uint32_t members, uint32_t limit, size_t bytes)
{
    size_t all = sizeof(struct searchers_board) + members * slot_bytes(limit);
    struct searchers_board *b =
        mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    *c = (struct searchers){.members = members};
    if (b == MAP_FAILED)
        return false;
    c->states = shared_states_open(bytes);
    if (!c->states) {
        munmap(b, all);
        return false;
    }
    c->board = b;
    b->bytes = all;
    b->members = b->slots_count = members;
    b->limit = limit;
    make_lock(&b->lock);
    for (uint32_t i = 1; i < SEARCHERS_MOST; i++)
        b->depth[i] = NOWHERE;
    return true;
}

void searchers_share_identities(struct searchers *c, struct exec *exec)
{
    struct identities *all = &c->board->identities;
    all->count = exec->known;
    for (uint32_t i = 0; i < exec->known; i++) {
        all->actor[i].parent = exec->actors[i].parent;
        all->actor[i].number = exec->actors[i].number;
    }
    exec->identities = all;
}

void searchers_bury(struct searchers *c, uint32_t process)
{
    shared_lock_bury(&c->board->identities.lock, process);
}

void searchers_close(struct searchers *c)
{
    if (!c->board)
        return;
    shared_states_close(c->states);
    munmap(c->board, c->board->bytes);
    *c = (struct searchers){.members = 0};
}

void searchers_enlist(struct searchers *c, uint32_t members)
{
    c->members = members;
    __atomic_store_n(&c->board->members, members, __ATOMIC_RELAXED);
}

// Somebody who died with the lock leaves what it was writing half done.
static void lock(struct searchers_board *b)
{
    if (pthread_mutex_lock(&b->lock) != EOWNERDEAD)
        return;
    pthread_mutex_consistent(&b->lock);
    b->lost = 1;
}

bool searchers_are_wanting(const struct searchers *c)
{
    const struct searchers_board *b = c->board;
    return __atomic_load_n(&b->waiting, __ATOMIC_RELAXED) > __atomic_load_n(&b->handed, __ATOMIC_RELAXED);
}

bool searchers_give(struct searchers *c, const struct level *level, const struct step *steps)
{
    struct searchers_board *b = c->board;
    bool wanted = false;
    lock(b);
    for (uint32_t i = 0; i < b->slots_count && b->waiting > b->handed && !wanted; i++) {
        struct handed *h = slot(b, i);
        if (h->is_full)
            continue;
        h->is_full = wanted = true;
        h->level = *level;
        memcpy(h + 1, steps, level->depth * sizeof *steps);
        b->handed++;
    }
    pthread_mutex_unlock(&b->lock);
    return wanted;
}

// Takes what somebody handed out; the lock is held.
static bool take(struct searchers *c, struct level *level, struct step *steps)
{
    struct searchers_board *b = c->board;
    for (uint32_t i = 0; i < b->slots_count; i++) {
        struct handed *h = slot(b, i);
        if (!h->is_full)
            continue;
        *level = h->level;
        memcpy(steps, h + 1, level->depth * sizeof *steps);
        h->is_full = false;
        b->handed--;
        b->waiting--;
        b->depth[c->me] = level->depth;
        return true;
    }
    return false;
}

// Whether nobody has work, and nobody will; the lock is held.
static bool is_over(struct searchers_board *b)
{
    b->is_over |= b->waiting == __atomic_load_n(&b->members, __ATOMIC_RELAXED) && !b->handed;
    return b->is_over || __atomic_load_n(&b->why, __ATOMIC_RELAXED) || __atomic_load_n(&b->lost, __ATOMIC_RELAXED);
}

void searchers_pause(struct searchers *c)
{
    static const struct timespec moment = {.tv_nsec = 200000};
    nanosleep(&moment, NULL);
    if (c->has_died && c->has_died(c->context))
        searchers_lose(c);
}

bool searchers_take(struct searchers *c, struct level *level, struct step *steps)
{
    struct searchers_board *b = c->board;
    bool taken = false;
    lock(b);
    b->waiting++;
    b->depth[c->me] = NOWHERE;
    for (;;) {
        bool ends = is_over(b) || (taken = b->handed && take(c, level, steps));
        pthread_mutex_unlock(&b->lock);
        if (ends)
            return taken;
        searchers_pause(c);
        lock(b);
    }
}

bool searchers_is_turn(struct searchers *c, uint32_t depth)
{
    struct searchers_board *b = c->board;
    bool is_nearest = true;
    lock(b);
    b->depth[c->me] = depth;
    for (uint32_t i = 0; i < c->members && is_nearest; i++)
        is_nearest = b->depth[i] >= depth;
    for (uint32_t i = 0; i < b->slots_count && is_nearest; i++)
        is_nearest = !slot(b, i)->is_full || slot(b, i)->level.depth >= depth;
    pthread_mutex_unlock(&b->lock);
    return is_nearest;
}

uint64_t searchers_count_execution(struct searchers *c)
{
    return __atomic_add_fetch(&c->board->executions, 1, __ATOMIC_RELAXED);
}

void searchers_stop(struct searchers *c, uint32_t why)
{
    uint32_t nobody = 0;
    __atomic_compare_exchange_n(&c->board->why, &nobody, why, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

uint32_t searchers_stopped(const struct searchers *c)
{
    return __atomic_load_n(&c->board->why, __ATOMIC_RELAXED);
}

void searchers_lose(struct searchers *c)
{
    __atomic_store_n(&c->board->lost, 1, __ATOMIC_RELAXED);
}

bool searchers_have_lost(const struct searchers *c)
{
    return __atomic_load_n(&c->board->lost, __ATOMIC_RELAXED) || shared_states_are_broken(c->states);
}

struct searchers_counts *searchers_counts(const struct searchers *c, uint32_t which)
{
    return &c->board->counts[which];
}
