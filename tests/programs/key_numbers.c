// expect: bug assertion
// Two threads make a key each; which of them gets the first number is not known.
#include <assert.h>
#include <pthread.h>

static pthread_key_t first, second;

static void *make(void *key)
{
    pthread_key_create(key, 0);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, make, &first);
    pthread_create(&b, 0, make, &second);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(first < second);
}
