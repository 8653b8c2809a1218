// Every thread waits for ever, each in another way. With an argument one of them spins besides.
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static sem_t sem;
static pthread_rwlock_t held = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static int word, ends[2];

static void *posts(void *unused)
{
    sem_wait(&sem);
    return unused;
}

static void *reads(void *unused)
{
    pthread_rwlock_rdlock(&held);
    return unused;
}

static void *writes(void *unused)
{
    pthread_rwlock_wrlock(&held);
    return unused;
}

static void *meets(void *unused)
{
    pthread_barrier_wait(&barrier);
    return unused;
}

static void *signals(void *unused)
{
    sigset_t all;
    int number;
    sigfillset(&all);
    sigwait(&all, &number);
    return unused;
}

static void *sleeps(void *unused)
{
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL);
    return unused;
}

static void *polls(void *unused)
{
    char c;
    while (read(ends[0], &c, 1) != 1)
        ;
    return unused;
}

int main(int argc, char **argv)
{
    (void)argv;
    void *(*const all[])(void *) = {posts, reads, writes, meets, signals, sleeps, polls};
    pthread_t threads[7];
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_rwlock_wrlock(&held);
    pipe2(ends, O_NONBLOCK);
    for (int i = 0; i < (argc > 1 ? 7 : 6); i++)
        pthread_create(&threads[i], NULL, all[i], NULL);
    pthread_join(threads[0], NULL);
    return 0;
}
