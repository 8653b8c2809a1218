// expect: bug use-after-return
// A mutex on the stack of a thread that ends when the flag is set: the other has yet to unlock it.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t *_Atomic published;
static atomic_int done;

static void *own(void *unused)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    published = &mutex;
    while (!atomic_load(&done))
        ;
    return unused;
}

static void *use(void *unused)
{
    pthread_mutex_t *mutex;
    while (!(mutex = published))
        ;
    pthread_mutex_lock(mutex);
    atomic_store(&done, 1);
    pthread_mutex_unlock(mutex);
    return unused;
}

int main(void)
{
    pthread_t owner, user;
    pthread_create(&owner, 0, own, 0);
    pthread_create(&user, 0, use, 0);
    pthread_join(owner, 0);
    pthread_join(user, 0);
    return 0;
}
