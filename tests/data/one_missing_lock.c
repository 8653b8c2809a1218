// Two threads change a queue without its lock: two places race, and one lock is missing. Two others do the same to a counter,
// which is another bug.
#include <pthread.h>

static struct {
    int items[4], count, sum;
} queue;
static long counter;

static void *producer(void *unused)
{
    (void)unused;
    queue.items[queue.count] = 1;
    queue.count++;
    queue.sum++;
    return NULL;
}

static void *counting(void *unused)
{
    (void)unused;
    counter++;
    return NULL;
}

int main(void)
{
    static void *(*const threads[])(void *) = {producer, producer, counting, counting};
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, threads[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
