// expect: bug lock-misuse
// A mutex is destroyed while a thread holds it.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_destroy(&mutex);
    return 0;
}
