// expect: bug race
// Attributes change while another thread makes a mutex by them.
#include <pthread.h>

static pthread_mutexattr_t attributes;

static void *change(void *unused)
{
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    return unused;
}

int main(void)
{
    pthread_mutex_t mutex;
    pthread_t changer;
    pthread_mutexattr_init(&attributes);
    pthread_create(&changer, NULL, change, NULL);
    pthread_mutex_init(&mutex, &attributes);
    pthread_join(changer, NULL);
    pthread_mutex_destroy(&mutex);
}
