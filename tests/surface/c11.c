// expect: verified reach=9
// C11 <threads.h>: threads, mutexes, condition variables, thread-specific data, call_once.
#include <stdint.h>
#include <threads.h>
#include <time.h>

#include "reach.h"

static mtx_t mutex, timed;
static cnd_t ready;
static once_flag flag = ONCE_FLAG_INIT;
static tss_t key;
static int done, initialised, destroyed;

static void initialise(void)
{
    initialised++;
}

static void destroy(void *value)
{
    assert(value == &done);
    destroyed++;
}

static int waiter(void *argument)
{
    call_once(&flag, initialise);
    assert(initialised == 1);
    assert(tss_get(key) == NULL);
    assert(tss_set(key, &done) == thrd_success && tss_get(key) == &done);
    assert(mtx_lock(&mutex) == thrd_success);
    if (done)
        REACHED(1);
    while (!done) {
        REACHED(2);
        assert(cnd_wait(&ready, &mutex) == thrd_success);
    }
    assert(mtx_unlock(&mutex) == thrd_success);
    return (int)(intptr_t)argument;
}

static int patient(void *unused)
{
    (void)unused;
    struct timespec until;
    timespec_get(&until, TIME_UTC);
    call_once(&flag, initialise);
    int answer = mtx_trylock(&timed);
    assert(answer == thrd_success || answer == thrd_busy);
    if (answer) {
        REACHED(3);
        answer = mtx_timedlock(&timed, &until);
        assert(answer == thrd_success || answer == thrd_timedout);
        if (answer) {
            REACHED(4);
            thrd_exit(9);
        }
        REACHED(5);
    } else {
        REACHED(6);
    }
    mtx_unlock(&timed);
    thrd_exit(-3);
}

static int detached(void *unused)
{
    (void)unused;
    thrd_yield();
    return 0;
}

static void alone(void)
{
    mtx_t recursive;
    struct timespec nothing = {0}, wrong = {.tv_nsec = -1};
    assert(mtx_init(&recursive, mtx_plain | mtx_recursive) == thrd_success);
    assert(mtx_lock(&recursive) == thrd_success && mtx_trylock(&recursive) == thrd_success);
    assert(mtx_unlock(&recursive) == thrd_success && mtx_unlock(&recursive) == thrd_success);
    mtx_destroy(&recursive);
    assert(thrd_sleep(&nothing, NULL) == 0 && thrd_sleep(&wrong, NULL) < 0);
    assert(thrd_equal(thrd_current(), thrd_current()));
}

int main(int argc, char **argv)
{
    thrd_t a, b, c;
    int value;
    begin(argc, argv);
    alone();
    assert(mtx_init(&mutex, mtx_plain) == thrd_success && mtx_init(&timed, mtx_timed) == thrd_success);
    assert(cnd_init(&ready) == thrd_success && tss_create(&key, destroy) == thrd_success);
    assert(thrd_create(&a, waiter, (void *)5) == thrd_success);
    mtx_lock(&mutex);
    done = 1;
    assert(cnd_signal(&ready) == thrd_success);
    mtx_unlock(&mutex);
    assert(thrd_join(a, &value) == thrd_success && value == 5);
    assert(destroyed == 1);
    assert(thrd_create(&b, patient, NULL) == thrd_success);
    mtx_lock(&timed);
    struct timespec until;
    timespec_get(&until, TIME_UTC);
    assert(cnd_timedwait(&ready, &timed, &until) == thrd_timedout);
    assert(cnd_broadcast(&ready) == thrd_success);
    mtx_unlock(&timed);
    assert(thrd_join(b, &value) == thrd_success && (value == -3 || value == 9));
    if (value == 9)
        REACHED(7);
    if (value == -3)
        REACHED(8);
    assert(thrd_create(&c, detached, NULL) == thrd_success && thrd_detach(c) == thrd_success);
    tss_delete(key);
    cnd_destroy(&ready);
    mtx_destroy(&mutex);
    REACHED(9);
    return 0;
}
