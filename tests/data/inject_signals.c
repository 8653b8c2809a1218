// Signals and asynchronous cancellation between threads: handlers run, one thread at a time, and who comes first can be seen.
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t told;
static volatile sig_atomic_t handled;
static int entries;
static char order[64];
static atomic_long spun;

static void note(char what)
{
    pthread_mutex_lock(&lock);
    order[entries++] = what;
    pthread_mutex_unlock(&lock);
}

static void handle(int signal)
{
    (void)signal;
    handled++;
    sem_post(&told);
}

static void *works(void *unused)
{
    for (int i = 0; i < 6; i++)
        note('w');
    return unused;
}

static void *sleeps(void *unused)
{
    while (!sleep(1000))
        ;
    note('s');
    return unused;
}

static void *waits_for_signal(void *given)
{
    int signal = 0;
    sigwait(given, &signal);
    note(signal == SIGUSR2 ? 'g' : '?');
    return NULL;
}

static void *spins(void *unused)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    for (;;)
        if (++spun % 1000 == 0)
            sched_yield();
    return unused;
}

int main(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    sem_init(&told, 0, 0);
    struct sigaction action = {.sa_handler = handle};
    sigaction(SIGUSR1, &action, NULL);
    pthread_t threads[4];
    pthread_create(&threads[0], NULL, works, NULL);
    pthread_create(&threads[1], NULL, sleeps, NULL);
    pthread_create(&threads[2], NULL, waits_for_signal, &set);
    pthread_create(&threads[3], NULL, spins, NULL);
    note('m');
    raise(SIGUSR1);
    sem_wait(&told);
    note('h');
    pthread_kill(threads[2], SIGUSR2);
    do {
        pthread_kill(threads[1], SIGUSR1);
        sched_yield();
    } while (sem_trywait(&told));
    pthread_cancel(threads[3]);
    void *ended = NULL;
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], &ended);
    puts(order);
    return ended == PTHREAD_CANCELED ? 0 : 1;
}
