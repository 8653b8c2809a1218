// THREADS threads take a lock of Concurrency Kit ROUNDS times and add to a plain counter. LOCK is fas, cas, ticket or mcs.
// WRONG: the counter is read before the lock is taken (1), or written after it is let go (2).
#include <assert.h>
#include <ck_spinlock.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif
#define JOIN(a, b, c) a##b##c
#define NAME(a, b, c) JOIN(a, b, c)

#ifdef MCS
static ck_spinlock_mcs_t lock = CK_SPINLOCK_MCS_INITIALIZER;
#define ACQUIRE(node) ck_spinlock_mcs_lock(&lock, node)
#define RELEASE(node) ck_spinlock_mcs_unlock(&lock, node)
#else
static NAME(ck_spinlock_, LOCK, _t) lock;
#define ACQUIRE(node) ((void)(node), NAME(ck_spinlock_, LOCK, _lock)(&lock))
#define RELEASE(node) NAME(ck_spinlock_, LOCK, _unlock)(&lock)
#endif

static ck_spinlock_mcs_context_t nodes[THREADS];
static int counter;

static void *work(void *number)
{
    ck_spinlock_mcs_context_t *node = &nodes[(long)number];
    for (int i = 0; i < ROUNDS; i++) {
#if WRONG == 1
        int seen = counter;
        ACQUIRE(node);
        counter = seen + 1;
        RELEASE(node);
#elif WRONG == 2
        ACQUIRE(node);
        int seen = counter;
        RELEASE(node);
        counter = seen + 1;
#else
        ACQUIRE(node);
        counter++;
        RELEASE(node);
#endif
    }
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert(counter == THREADS * ROUNDS);
}
