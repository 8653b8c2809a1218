// Threads of C11 wait for each other; who comes first can be seen in what is printed.
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

enum { THREADS = 3, ROUNDS = 4 };

static mtx_t lock;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static int entries, waiting;
static char order[64];

static void start(void)
{
    mtx_init(&lock, mtx_timed);
    cnd_init(&changed);
}

static int work(void *given)
{
    call_once(&once, start);
    for (int i = 0; i < ROUNDS; i++) {
        mtx_lock(&lock);
        char *memory = malloc(1);
        order[entries++] = *(char *)given;
        free(memory);
        mtx_unlock(&lock);
        thrd_yield();
    }
    struct timespec until;
    timespec_get(&until, TIME_UTC);
    until.tv_sec++;
    if (mtx_timedlock(&lock, &until) != thrd_success)
        return 1;
    waiting++;
    cnd_broadcast(&changed);
    while (waiting < THREADS && cnd_timedwait(&changed, &lock, &until) == thrd_success)
        ;
    mtx_unlock(&lock);
    return *(char *)given;
}

int main(void)
{
    static char names[THREADS] = "ABC";
    thrd_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        if (thrd_create(&threads[i], work, &names[i]) != thrd_success)
            return 1;
    for (int i = 0; i < THREADS; i++) {
        int returned;
        if (thrd_join(threads[i], &returned) != thrd_success || returned != names[i])
            return 2;
    }
    puts(order);
    return 0;
}
