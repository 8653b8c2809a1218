// The first switch is a preemption: main could have gone on. -DBEFORE: there was a step of main before it. -DBYSTANDER: there is a
// thread that does nothing. -DJOINED: main waits for that one, and the switch is free. -DNESTED: the thread that fails is created by
// another, which has to be switched to and away from first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static void *look(void *none)
{
    assert(atomic_load(&x) == 1);
    return none;
}

static void *nothing(void *none)
{
    return none;
}

static void *create_another(void *none)
{
    pthread_t a;
    pthread_create(&a, NULL, look, NULL);
    atomic_store(&x, 1);
    pthread_join(a, NULL);
    return none;
}

int main(void)
{
    pthread_t a, b;
#if defined BEFORE || defined BYSTANDER || defined JOINED
    pthread_create(&b, NULL, nothing, NULL);
#endif
#ifdef BEFORE
    atomic_store(&y, 1);
#endif
#ifdef NESTED
    pthread_create(&a, NULL, create_another, NULL);
    atomic_store(&x, 1);
#else
    pthread_create(&a, NULL, look, NULL);
#ifdef JOINED
    pthread_join(b, NULL);
#endif
    atomic_store(&x, 1);
#endif
    pthread_join(a, NULL);
    (void)create_another;
    (void)nothing;
    (void)b;
}
