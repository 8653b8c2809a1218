// expect: bug lock-misuse
// A mutex is locked after it was destroyed.
#include <pthread.h>

static pthread_mutex_t mutex;

int main(void)
{
    pthread_mutex_init(&mutex, NULL);
    pthread_mutex_destroy(&mutex);
    if (pthread_mutex_lock(&mutex) == 0)
        pthread_mutex_unlock(&mutex);
    return 0;
}
