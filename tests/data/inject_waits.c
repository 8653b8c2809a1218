// Threads wait for each other in every way that there is, and who comes first can be seen in what is printed. With an argument:
// a thread that finds no memory forgets a lock that it holds.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 3, ROUNDS = 4, ENTRIES = 256 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static sem_t slots;
static atomic_int arrived;
static int forgets, entries, started, waiting;
static char order[ENTRIES];

static void start(void)
{
    pthread_mutex_lock(&lock);
    started++;
    pthread_mutex_unlock(&lock);
}

static void note(int who, char what)
{
    pthread_spin_lock(&spin);
    order[entries++] = (char)('A' + who);
    order[entries++] = what;
    pthread_spin_unlock(&spin);
}

static void wait_a_while(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    waiting++;
    pthread_cond_broadcast(&changed);
    while (waiting < THREADS && pthread_cond_timedwait(&changed, &lock, &until) != ETIMEDOUT)
        ;
}

static int work_once(int me)
{
    pthread_mutex_lock(&lock);
    int *memory = malloc(sizeof *memory);
    if (!memory && forgets)
        return 1;
    wait_a_while();
    note(me, 'm');
    pthread_mutex_unlock(&lock);
    free(memory);
    sem_wait(&slots);
    note(me, 's');
    sem_post(&slots);
    pthread_rwlock_rdlock(&table);
    int seen = entries;
    pthread_rwlock_unlock(&table);
    pthread_rwlock_wrlock(&table);
    note(me, seen == entries ? 'w' : 'W');
    pthread_rwlock_unlock(&table);
    if (!pthread_mutex_trylock(&lock)) {
        note(me, 't');
        pthread_mutex_unlock(&lock);
    }
    usleep(10);
    return 0;
}

static void *work(void *argument)
{
    int me = *(int *)argument;
    pthread_once(&once, start);
    for (int i = 0; i < ROUNDS; i++)
        if (work_once(me))
            return NULL;
    arrived++;
    while (arrived < THREADS)
        sched_yield();
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        note(me, 'b');
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    int numbers[THREADS];
    (void)argv;
    forgets = argc > 1;
    pthread_barrier_init(&barrier, NULL, THREADS);
    pthread_spin_init(&spin, 0);
    sem_init(&slots, 0, 1);
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, work, &numbers[i]))
            return 3;
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("%d %s\n", started, order);
    return 0;
}
