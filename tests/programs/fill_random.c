// expect: verified options: --fill random
// Random bytes: no two words are the same, and each execution has the same.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int turns;

static void *take(void *none)
{
    pthread_mutex_lock(&lock);
    turns++;
    long *p = malloc(4 * sizeof *p), bytes = 0x01010101 * (unsigned char)p[0];
    assert(p[0] != p[1] && p[1] != p[2] && memcmp(p, &bytes, 4));
    pthread_mutex_unlock(&lock);
    free(p);
    return none;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, take, 0);
    pthread_create(&b, 0, take, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(turns == 2);
}
