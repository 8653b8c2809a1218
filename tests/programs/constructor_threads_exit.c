// expect: bug race
// A thread that a constructor starts has no time to end before the destructor takes down what it uses.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int used;

static void *use(void *nothing)
{
    pthread_mutex_lock(&mutex);
    used++;
    pthread_mutex_unlock(&mutex);
    return nothing;
}

__attribute__((constructor)) static void construct(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    pthread_detach(thread);
}

__attribute__((destructor)) static void destroy(void)
{
    used = -1;
}

int main(void)
{
    pthread_mutex_lock(&mutex);
    used = 0;
    pthread_mutex_unlock(&mutex);
    return 0;
}
