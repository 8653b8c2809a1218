// expect: bug livelock
// Two threads spin by test-and-set on a lock that is never let go. Their first exchanges release what they did before,
// but store what was there, and that counts as nothing.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_flag taken = ATOMIC_FLAG_INIT;
int done[2];

static void *worker(void *mine)
{
    *(int *)mine = 1;
    while (atomic_flag_test_and_set(&taken))
        ;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    atomic_flag_test_and_set(&taken);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, &done[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
