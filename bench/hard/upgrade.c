// A reference count with weak references. Who upgrades a weak one looks whether the object is alive and then adds one, in
// two steps; the owner may drop the last strong reference in between, among many users that keep it alive most of the
// time.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef USERS
#define USERS 8
#endif

static atomic_int strong = 1, dead;

static void drop(void)
{
    if (atomic_fetch_sub(&strong, 1) == 1)
        atomic_store(&dead, 1);
}

static void *user(void *unused)
{
    for (int i = 0; i < 2; i++) {
        int now = atomic_load(&strong);
        while (now > 0 && !atomic_compare_exchange_strong(&strong, &now, now + 1))
            ;
        if (now > 0)
            drop();
    }
    return unused;
}

static void *upgrader(void *unused)
{
    if (atomic_load(&strong) > 0) {
        atomic_fetch_add(&strong, 1);
        assert(!atomic_load(&dead));
        drop();
    }
    return unused;
}

int main(void)
{
    pthread_t thread[USERS + 1];
    for (int i = 0; i <= USERS; i++)
        pthread_create(&thread[i], NULL, i < USERS ? user : upgrader, NULL);
    drop();
    for (int i = 0; i <= USERS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
