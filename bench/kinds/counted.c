// expect: verified
// Two threads copy a counter, change the copy and write it back under a lock, twenty times each.
#include <assert.h>
#include <pthread.h>

enum { ROUNDS = 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *count(void *nothing)
{
    for (int n = 0; n < ROUNDS; n++) {
        pthread_mutex_lock(&lock);
        int copy = counter;
        copy++;
        counter = copy;
        pthread_mutex_unlock(&lock);
    }
    return nothing;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, count, 0);
    pthread_create(&b, 0, count, 0);
    for (int n = 0; n < ROUNDS; n++) {
        pthread_mutex_lock(&lock);
        counter++;
        pthread_mutex_unlock(&lock);
    }
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 3 * ROUNDS);
    return 0;
}
