// expect: verified
// Each thread makes its number one more than the other's: neither passes the sum of all rounds.
#include <assert.h>
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 20
#endif
#ifndef LESS
#define LESS 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int i = 3, j = 6;

static void *first(void *nothing)
{
    for (int n = 0; n < ROUNDS; n++) {
        pthread_mutex_lock(&lock);
        i = j + 1;
        pthread_mutex_unlock(&lock);
    }
    return nothing;
}

static void *second(void *nothing)
{
    for (int n = 0; n < ROUNDS; n++) {
        pthread_mutex_lock(&lock);
        j = i + 1;
        pthread_mutex_unlock(&lock);
    }
    return nothing;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    for (int n = 0; n < 3; n++) {
        pthread_mutex_lock(&lock);
        int most = 2 * ROUNDS + 6 - LESS, over = i > most || j > most;
        pthread_mutex_unlock(&lock);
        assert(!over);
    }
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(i <= 2 * ROUNDS + 6 - LESS && j <= 2 * ROUNDS + 6 - LESS);
    return 0;
}
