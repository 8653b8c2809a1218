// expect: bug thread-misuse
// A thread that was joined is gone: it cannot be detached.
#include <pthread.h>

static void *thread(void *argument)
{
    return argument;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    pthread_detach(t);
}
