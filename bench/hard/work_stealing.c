// A work-stealing queue (THE, of Cilk): the owner works at one end without a lock, thieves at the other with one. This
// one's thief looks whether there is something before it says that it takes it, so that the last item may be taken twice.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef THIEVES
#define THIEVES 2
#endif
#ifndef ITEMS
#define ITEMS 6
#endif

static atomic_int head, tail;
static int item[ITEMS];
static atomic_int taken[ITEMS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void put(int number)
{
    int last = atomic_load(&tail);
    item[last] = number;
    atomic_store(&tail, last + 1);
}

static int take(void)
{
    int last = atomic_load(&tail) - 1;
    atomic_store(&tail, last);
    if (atomic_load(&head) <= last)
        return item[last];
    atomic_store(&tail, last + 1);
    pthread_mutex_lock(&lock);
    int number = -1;
    atomic_store(&tail, last);
    if (atomic_load(&head) <= last)
        number = item[last];
    else
        atomic_store(&tail, last + 1);
    pthread_mutex_unlock(&lock);
    return number;
}

static int steal(void)
{
    int number = -1;
    pthread_mutex_lock(&lock);
    int next = atomic_load(&head);
    if (next < atomic_load(&tail)) {
        atomic_store(&head, next + 1);
        number = item[next];
    }
    pthread_mutex_unlock(&lock);
    return number;
}

static void use(int number)
{
    if (number >= 0)
        assert(atomic_fetch_add(&taken[number], 1) == 0);
}

static void *thief(void *unused)
{
    use(steal());
    use(steal());
    return unused;
}

int main(void)
{
    pthread_t thread[THIEVES];
    for (int i = 0; i < THIEVES; i++)
        pthread_create(&thread[i], NULL, thief, NULL);
    for (int i = 0; i < ITEMS; i++) {
        put(i);
        if (i % 2)
            use(take());
    }
    for (int i = 0; i < ITEMS / 2; i++)
        use(take());
    for (int i = 0; i < THIEVES; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
