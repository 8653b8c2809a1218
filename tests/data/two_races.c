// Two races on one variable, in different functions, and two deadlocks in which the same thread waits first, at the same
// place: to know one of each is not to know the other.
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>

static int shared, ended;
static pthread_mutex_t end_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t end = PTHREAD_COND_INITIALIZER;
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

static void *race_first(void *unused)
{
    (void)unused;
    known_race();
    return NULL;
}

static void *race_later(void *unused)
{
    (void)unused;
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
    pthread_t first, later;
    pthread_create(&first, NULL, race_first, NULL);
    known_race();
    pthread_create(&later, NULL, race_later, NULL);
    pthread_join(first, NULL);
    pthread_join(later, NULL);
}

// The first of those that wait, at the same place, in every deadlock.
static void *wait_for_the_end(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&end_lock);
    while (!ended)
        pthread_cond_wait(&end, &end_lock);
    pthread_mutex_unlock(&end_lock);
    return NULL;
}

heddle_test("deadlocks")
{
    static void *(*const all[])(void *) = {wait_for_the_end, c_and_b, b_and_c, a_then_b, b_then_a};
    pthread_t threads[5];
    for (int i = 0; i < 5; i++)
        pthread_create(&threads[i], NULL, all[i], NULL);
    for (int i = 1; i < 5; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_lock(&end_lock);
    ended = 1;
    pthread_cond_signal(&end);
    pthread_mutex_unlock(&end_lock);
    pthread_join(threads[0], NULL);
}
