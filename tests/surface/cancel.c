// expect: verified reach=12
// Cancellation: before and while waiting, clean-up handlers, the state, what a join gets, pthread_exit.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include "reach.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t sem;
static int order[4], count, destroyed;
static pthread_key_t key;

static void note(void *number)
{
    order[count++] = *(int *)number;
}

static void unlock(void *m)
{
    assert(pthread_mutex_trylock(m) == EBUSY); // it was taken again first
    pthread_mutex_unlock(m);
}

static void destroy(void *value)
{
    assert(count == 2); // after the handlers
    destroyed = *(int *)value;
}

// Handlers run from the innermost, then destructors; also where a thread leaves by itself.
static void *leaves(void *ends)
{
    static int one = 1, two = 2;
    pthread_setspecific(key, &two);
    pthread_cleanup_push(note, &one);
    pthread_cleanup_push(note, &two);
    if (ends)
        pthread_exit(&one);
    while (1)
        pthread_testcancel();
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return NULL;
}

static void check_order(void *argument)
{
    pthread_t t;
    void *value;
    count = destroyed = 0;
    pthread_create(&t, NULL, leaves, argument);
    if (!argument)
        assert(pthread_cancel(t) == 0);
    pthread_join(t, &value);
    assert(argument ? *(int *)value == 1 : value == PTHREAD_CANCELED);
    assert(count == 2 && order[0] == 2 && order[1] == 1 && destroyed == 2);
}

static void *waits(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    pthread_cond_wait(&never, &mutex);
    pthread_cleanup_pop(1);
    return unused;
}

static void *waits_for_post(void *unused)
{
    sem_wait(&sem);
    REACHED(1);
    usleep(1);
    REACHED(2);
    return unused;
}

static void *disabled(void *value)
{
    int before;
    assert(pthread_setcancelstate(99, NULL) == EINVAL);
    assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before) == 0 && before == PTHREAD_CANCEL_ENABLE);
    pthread_testcancel();
    usleep(1);
    ++*(int *)value;
    assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &before) == 0 && before == PTHREAD_CANCEL_DISABLE);
    assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &before) == 0 && before == PTHREAD_CANCEL_DEFERRED);
    assert(pthread_setcanceltype(99, NULL) == EINVAL);
    REACHED(3);
    pthread_testcancel();
    REACHED(4);
    return value;
}

static void *joins(void *other)
{
    pthread_join(*(pthread_t *)other, NULL);
    return NULL;
}

static void while_waiting(void)
{
    pthread_t t;
    void *value;
    pthread_create(&t, NULL, waits, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    assert(pthread_cancel(t) == 0);
    pthread_join(t, &value);
    assert(value == PTHREAD_CANCELED);
    assert(pthread_mutex_trylock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0);
    REACHED(5);

    sem_init(&sem, 0, 0);
    pthread_create(&t, NULL, waits_for_post, NULL);
    sem_post(&sem);
    assert(pthread_cancel(t) == 0);
    pthread_join(t, &value);
    int left;
    sem_getvalue(&sem, &left);
    if (left)
        REACHED(6); // it ended before it took what was there
    if (value == PTHREAD_CANCELED)
        REACHED(7);
    else
        REACHED(8);
    sem_destroy(&sem);
}

static void with_states(void)
{
    pthread_t t, u;
    void *value, *other;
    int data = 0;
    pthread_create(&t, NULL, disabled, &data);
    assert(pthread_cancel(t) == 0);
    pthread_join(t, &value);
    assert(data == 1 && (value == &data || value == PTHREAD_CANCELED));
    if (value == &data)
        REACHED(9);
    else
        REACHED(10);
    sem_init(&sem, 0, 0);
    pthread_create(&t, NULL, waits_for_post, NULL);
    pthread_create(&u, NULL, joins, &t);
    pthread_cancel(u); // one that joins can be joined itself; the other can still be joined
    pthread_join(u, &value);
    assert(value == PTHREAD_CANCELED);
    pthread_cancel(t);
    pthread_join(t, &other);
    assert(other == PTHREAD_CANCELED);
    REACHED(11);
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    pthread_key_create(&key, destroy);
    check_order(&order);
    check_order(NULL);
    while_waiting();
    with_states();
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_cancel(pthread_self());
    pthread_testcancel();
    REACHED(12);
    return 0;
}
