// fdrd, after the thesis of Inspect (Yang, Utah 2009, Figure 5.1): two threads use two locks for three variables, and only if the
// second one is first it sees x unchanged and counts y under the wrong lock. "fdrd2 and fdrd4 are variants of our
// running example"; the text says no more. Here ROUNDS is how often both threads go through it: twice for fdrd2, three times for
// fdrd4.
//
// RIGHT: y is counted under its own lock, so that there is no race.
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif

static pthread_mutex_t f1 = PTHREAD_MUTEX_INITIALIZER, f2 = PTHREAD_MUTEX_INITIALIZER;
static int x, y, z;

static void *first(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&f1);
        x++;
        pthread_mutex_unlock(&f1);
        pthread_mutex_lock(&f2);
        y++;
        pthread_mutex_unlock(&f2);
        pthread_mutex_lock(&f1);
        z++;
        pthread_mutex_unlock(&f1);
    }
    return unused;
}

static void *second(void *unused)
{
    int c = 1;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&f1);
        pthread_mutex_lock(&f2);
        z++;
        c = x;
        pthread_mutex_unlock(&f2);
        pthread_mutex_unlock(&f1);
    }
#ifdef RIGHT
    pthread_mutex_lock(&f2);
#else
    pthread_mutex_lock(&f1);
#endif
    if (c == 0)
        y++;
#ifdef RIGHT
    pthread_mutex_unlock(&f2);
#else
    pthread_mutex_unlock(&f1);
#endif
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
