// Tests of one counter: each is a program of its own, so that none finds what another left.
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *add_locked(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *add_unlocked(void *unused)
{
    (void)unused;
    counter++;
    return NULL;
}

static void two(void *(*first)(void *), void *(*second)(void *))
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}

heddle_test("both lock")
{
    two(add_locked, add_locked);
    heddle_assert(counter == 2);
}

heddle_test("neither locks, at all")
{
    two(add_unlocked, add_unlocked);
}

heddle_test("one counts wrong")
{
    two(add_locked, add_locked);
    heddle_assert(counter == 3);
}
