// expect: bug deadlock
// A normal mutex locked again by the thread that holds it.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int window;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *open_and_close(void *unused)
{
    (void)unused;
    atomic_store(&window, 1);
    atomic_store(&window, 0);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, open_and_close, NULL);
    if (atomic_load(&window)) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(thread, NULL);
    return 0;
}
