// expect: bug deadlock
// A constructor takes a mutex and never lets it go.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void construct(void)
{
    pthread_mutex_lock(&mutex);
}

static void *use(void *nothing)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return nothing;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    pthread_join(thread, NULL);
    return 0;
}
