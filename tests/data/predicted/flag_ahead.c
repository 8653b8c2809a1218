// expect: use-before-initialisation harmful
// record: T2 load value
// The flag says that the value is there before it is. Both are atomic, so in the recorded run they order all.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int value, there;

static void *put(void *unused)
{
    atomic_store(&there, 1);
    atomic_store(&value, 7);
    return unused;
}

static void *get(void *unused)
{
    usleep(50000);
    if (atomic_load(&there))
        assert(atomic_load(&value) == 7);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, put, NULL);
    pthread_create(&threads[1], NULL, get, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
