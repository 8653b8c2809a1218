// expect: bug lock-misuse
// Whoever comes second lets go what the other may still hold.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, order = PTHREAD_MUTEX_INITIALIZER;
static int arrived;

static void *enter(void *unused)
{
    pthread_mutex_lock(&order);
    int before = arrived++;
    pthread_mutex_unlock(&order);
    if (!before)
        pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, enter, NULL);
    enter(NULL);
    pthread_join(thread, NULL);
    return 0;
}
