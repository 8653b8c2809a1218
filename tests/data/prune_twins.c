// For prune.test.sh: twins with and without (RIGHT) a data race that shows only if the second thread comes first. What it reads
// then decides whether it touches y without y's lock: by a branch, an address, an argument or a result; by way of other
// memory; in threads that are created for it later; or because it waits without looking again.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int x, y, unused_word, copy;
static int *const where[2] = {&y, &unused_word};

static void touch(int *word)
{
#ifdef RIGHT
    pthread_mutex_lock(&n);
    (*word)++;
    pthread_mutex_unlock(&n);
#else
    (*word)++;
#endif
}

static __attribute__((noinline)) void touch_unless(int value)
{
    if (!value)
        touch(&y);
}

static __attribute__((noinline)) int read_x(void)
{
    pthread_mutex_lock(&m);
    int value = x;
    pthread_mutex_unlock(&m);
    return value;
}

static void *first(void *none)
{
#ifdef WAIT
    y++;
#endif
    pthread_mutex_lock(&m);
    x = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
#ifndef WAIT
    pthread_mutex_lock(&n);
    y++;
    pthread_mutex_unlock(&n);
#endif
    return none;
}

static void *second(void *none)
{
#if defined BRANCH
    pthread_mutex_lock(&m);
    int value = x;
    pthread_mutex_unlock(&m);
    if (value == 0)
        touch(&y);
#elif defined ADDRESS
    pthread_mutex_lock(&m);
    int value = x;
    pthread_mutex_unlock(&m);
    touch(where[value]);
#elif defined ARGUMENT
    pthread_mutex_lock(&m);
    int value = x;
    pthread_mutex_unlock(&m);
    touch_unless(value);
#elif defined RESULT
    if (!read_x())
        touch(&y);
#elif defined COPIED
    pthread_mutex_lock(&m);
    copy = x + 5;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    int value = copy;
    pthread_mutex_unlock(&m);
    if (value == 5)
        touch(&y);
#elif defined LATER
    pthread_mutex_lock(&m);
    copy = x;
    pthread_mutex_unlock(&m);
#elif defined WAIT
    pthread_mutex_lock(&m);
#ifdef RIGHT
    while (!x)
#else
    if (!x)
#endif
        pthread_cond_wait(&changed, &m);
    pthread_mutex_unlock(&m);
    y++;
#endif
    (void)read_x;
    (void)touch_unless;
    (void)where;
    return none;
}

// Wakes whoever waits, for nothing.
static void *third(void *none)
{
#ifdef WAIT
    pthread_mutex_lock(&m);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
#endif
    return none;
}

static void *toucher(void *none)
{
    touch(&y);
    return none;
}

static void run(void *(*const *functions)(void *), int count)
{
    pthread_t thread[3];
    for (int i = 0; i < count; i++)
        pthread_create(&thread[i], NULL, functions[i], NULL);
    for (int i = 0; i < count; i++)
        pthread_join(thread[i], NULL);
}

int main(void)
{
    static void *(*const all[])(void *) = {first, second, third}, *(*const touchers[])(void *) = {toucher, toucher};
    run(all, 3);
#ifdef LATER
    if (copy == 0)
        run(touchers, 2);
#endif
    (void)touchers;
    return 0;
}
