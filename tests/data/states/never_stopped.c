// Three threads poll under a lock, and what they wait for never comes: nothing can end it. What is waited for changes with each round,
// so that rounds are not alike one by one.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stop, ready, polls;

static void *work(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        int stops = stop;
#ifdef RIGHT
        ready = 1;
#endif
        polls = (polls + 1) % 3;
        pthread_mutex_unlock(&lock);
        if (stops)
            return unused;
    }
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, NULL);
    for (int is_ready = 0; !is_ready;) {
        pthread_mutex_lock(&lock);
        is_ready = stop = ready;
        pthread_mutex_unlock(&lock);
    }
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
