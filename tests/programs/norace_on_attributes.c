// expect: verified
// Several threads may make objects and threads by the same attributes.
#include <pthread.h>

static pthread_mutexattr_t of_mutexes;
static pthread_condattr_t of_conditions;
static pthread_rwlockattr_t of_locks;
static pthread_barrierattr_t of_barriers;
static pthread_attr_t of_threads;

static void *make(void *unused)
{
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    pthread_rwlock_t lock;
    pthread_barrier_t barrier;
    pthread_mutex_init(&mutex, &of_mutexes);
    pthread_cond_init(&condition, &of_conditions);
    pthread_rwlock_init(&lock, &of_locks);
    pthread_barrier_init(&barrier, &of_barriers, 1);
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void)
{
    pthread_t other;
    pthread_mutexattr_init(&of_mutexes);
    pthread_condattr_init(&of_conditions);
    pthread_rwlockattr_init(&of_locks);
    pthread_barrierattr_init(&of_barriers);
    pthread_attr_init(&of_threads);
    pthread_create(&other, &of_threads, make, NULL);
    make(NULL);
    pthread_join(other, NULL);
}
