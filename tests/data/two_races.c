// Two races on one variable, in different functions, and two deadlocks in which the same thread waits first: to know one of
// each is not to know the other.
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>

static int shared;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
#ifdef NEW
static pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER;
#endif

__attribute__((noinline)) static void known_race(void)
{
    shared++;
}

#ifdef NEW
__attribute__((noinline)) static void new_race(void)
{
    shared++;
}
#endif

static void *race_twice(void *unused)
{
    (void)unused;
    known_race();
#ifdef NEW
    new_race();
#endif
    return NULL;
}

__attribute__((noinline)) static void take(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *a_then_b(void *unused)
{
    (void)unused;
    take(&a, &b);
    return NULL;
}

static void *b_then_a(void *unused)
{
    (void)unused;
    take(&b, &a);
    return NULL;
}

static void *c_and_b(void *unused)
{
    (void)unused;
#ifdef NEW
    pthread_mutex_lock(&c);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&c);
#endif
    return NULL;
}

static void *b_and_c(void *unused)
{
    (void)unused;
#ifdef NEW
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&c);
    pthread_mutex_unlock(&c);
    pthread_mutex_unlock(&b);
#endif
    return NULL;
}

heddle_test("races")
{
    pthread_t thread;
    pthread_create(&thread, NULL, race_twice, NULL);
    known_race();
    pthread_join(thread, NULL);
}

heddle_test("deadlocks")
{
    static void *(*const all[])(void *) = {a_then_b, b_then_a, c_and_b, b_and_c};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, all[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}
