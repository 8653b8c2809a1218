// One of every kind of call that orders threads. T1 and T2 run `work`, T3 is made by C11's call.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, recursive;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t routine = PTHREAD_ONCE_INIT;
static pthread_barrier_t gate;
static pthread_spinlock_t spin;
static sem_t slots;
static atomic_int count;
static int entries, is_ready, private_sum;
static char *message, copy[16];

static void prepare(void)
{
    entries = 1;
}

static void wait_for_message(void)
{
    pthread_mutex_lock(&mutex);
    while (!is_ready)
        pthread_cond_wait(&ready, &mutex);
    pthread_mutex_unlock(&mutex);
    strcpy(copy, message);
    free(message);
}

static void send_message(void)
{
    struct timespec moment = {0, 50000000};
    nanosleep(&moment, NULL); // so that the other one waits
    message = malloc(16);
    strcpy(message, "hello");
    pthread_mutex_lock(&mutex);
    is_ready = 1;
    pthread_cond_signal(&ready);
    pthread_cond_broadcast(&ready);
    pthread_mutex_unlock(&mutex);
}

static void *work(void *argument)
{
    long second = (long)argument;
    pthread_once(&routine, prepare);
    pthread_barrier_wait(&gate);
    pthread_rwlock_rdlock(&table);
    int seen = entries;
    pthread_rwlock_unlock(&table);
    pthread_rwlock_wrlock(&table);
    entries = seen + 1;
    pthread_rwlock_unlock(&table);
    pthread_spin_lock(&spin);
    entries++;
    pthread_spin_unlock(&spin);
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&recursive);
    entries++;
    pthread_mutex_unlock(&recursive);
    pthread_mutex_unlock(&recursive);
    atomic_fetch_add(&count, 1);
    int expected = -1;
    atomic_compare_exchange_strong(&count, &expected, 7);
    atomic_store_explicit(&count, 3, memory_order_release);
    if (second)
        wait_for_message();
    else
        send_message();
    sem_wait(&slots);
    sem_post(&slots);
    pthread_barrier_wait(&gate);
    if (second)
        private_sum++;
    return NULL;
}

static int try_it(void *unused)
{
    (void)unused;
    if (pthread_mutex_trylock(&mutex))
        sem_trywait(&slots);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    thrd_t third;
    pthread_mutexattr_t kind;
    struct timespec past = {1, 0};
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &kind);
    pthread_barrier_init(&gate, NULL, 2);
    pthread_spin_init(&spin, 0);
    sem_init(&slots, 0, 1);
    pthread_create(&first, NULL, work, (void *)0);
    pthread_create(&second, NULL, work, (void *)1);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    sem_wait(&slots);
    pthread_mutex_lock(&mutex);
    thrd_create(&third, try_it, NULL);
    thrd_join(third, NULL);
    pthread_cond_timedwait(&ready, &mutex, &past);
    pthread_mutex_unlock(&mutex);
    return entries > 100;
}
