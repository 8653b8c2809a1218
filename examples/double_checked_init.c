// Double-checked initialisation: who finds the pointer set needs no lock.
//
// WRONG loads and stores the pointer relaxed: a thread that skips the lock may use the object without anything that
// orders this after its initialisation. Sequential consistency cannot show a wrong value here, the memory orders do.
//
// heddle check examples/double_checked_init.c        verified
// heddle check examples/double_checked_init_wrong.c  bug: race on the fields of `*instance`
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef WRONG
enum { TO_PUBLISH = memory_order_relaxed, TO_USE = memory_order_relaxed };
#else
enum { TO_PUBLISH = memory_order_release, TO_USE = memory_order_acquire };
#endif

struct settings {
    int width, height;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct settings *_Atomic instance;

static struct settings *settings(void)
{
    struct settings *found = atomic_load_explicit(&instance, TO_USE);
    if (found)
        return found;
    pthread_mutex_lock(&mutex);
    found = atomic_load_explicit(&instance, memory_order_relaxed); // whoever set it held the mutex
    if (!found) {
        found = malloc(sizeof *found);
        assert(found);
        found->width = 640;
        found->height = 480;
        atomic_store_explicit(&instance, found, TO_PUBLISH);
    }
    pthread_mutex_unlock(&mutex);
    return found;
}

static void *user(void *unused)
{
    (void)unused;
    struct settings *mine = settings();
    assert(mine->width == 640 && mine->height == 480);
    return mine;
}

int main(void)
{
    pthread_t one, two;
    void *a, *b;
    pthread_create(&one, NULL, user, NULL);
    pthread_create(&two, NULL, user, NULL);
    pthread_join(one, &a);
    pthread_join(two, &b);
    assert(a == b);
    free(a);
    return 0;
}
