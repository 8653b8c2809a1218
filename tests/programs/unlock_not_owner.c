// expect: bug lock-misuse
// A normal mutex is unlocked by a thread that does not hold it.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *stranger(void *unused)
{
    (void)unused;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, stranger, NULL);
    pthread_join(thread, NULL);
    return 0;
}
