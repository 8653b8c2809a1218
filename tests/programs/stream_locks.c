// expect: verified
// flockfile is a lock, and a recursive one: what it protects does not race.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int count, got;

static void *add(void *none)
{
    flockfile(stdout);
    flockfile(stdout);
    int n = count;
    printf("%d\n", n);
    count = n + 1;
    funlockfile(stdout);
    funlockfile(stdout);
    return none;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    if (ftrylockfile(stdout) == 0) {
        got = count;
        assert(got >= 0 && got <= 2);
        funlockfile(stdout);
    }
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2);
}
