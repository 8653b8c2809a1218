// Executions of 2 * (ROUNDS + TURNS) events, of which only the last differ: (2 * TURNS)! / TURNS!^2 of them.
#include <assert.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>

#ifndef ROUNDS
#define ROUNDS 4100
#endif
#ifndef TURNS
#define TURNS 3
#endif

static pthread_mutex_t own[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t both = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *mutex)
{
    for (int i = 0; i < ROUNDS + TURNS; i++) {
        pthread_mutex_t *m = i < ROUNDS ? mutex : &both;
        pthread_mutex_lock(m);
        if (m == &both)
            count++;
        pthread_mutex_unlock(m);
#ifdef UNLOGGED
        if (i == 1)
            uselocale((locale_t)0); // heddle has no log of what this changes
#endif
    }
    return NULL;
}

int main(void)
{
    pthread_t one, other;
#ifdef FILES
    FILE *file = fopen("written", "w");
    assert(file && fputs("x", file) >= 0 && !fclose(file));
#endif
    pthread_create(&one, NULL, work, &own[0]);
    pthread_create(&other, NULL, work, &own[1]);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
#ifdef LATE // what is outside changes after every checkpoint
    file = fopen("written", "a");
    assert(file && ftell(file) == 1 && fputs("y", file) >= 0 && !fclose(file));
#endif
    assert(count == 2 * TURNS);
    return 0;
}
