// expect: incomplete options: --time 1
// A loop without any call: only the bound on time ends it.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int done;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *set(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    atomic_store(&done, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    while (!atomic_load(&done))
        ;
    pthread_join(thread, NULL);
    return 0;
}
