// expect: bug race
// Two threads increment a plain int.
#include <pthread.h>
#include <stddef.h>

int count;

static void *worker(void *unused)
{
    (void)unused;
    count++;
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
