// Three threads take numbers from a queue: who gets which is up to the schedule, so runs of it cannot be compared.
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3, NUMBERS = 30 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next, squares[NUMBERS];

static void *work(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        int mine = next < NUMBERS ? next++ : -1;
        pthread_mutex_unlock(&lock);
        if (mine < 0)
            return unused;
        squares[mine] = mine * mine;
    }
}

int main(void)
{
    pthread_t threads[THREADS];
    long sum = 0;
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, work, NULL))
            return 3;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < NUMBERS; i++)
        sum += squares[i];
    printf("%ld\n", sum);
    return 0;
}
