// Two executions, which print different things; the second fails.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int set;

static void *sets(void *unused)
{
    atomic_store(&set, 1);
    return unused;
}

int main(void)
{
    pthread_t other;
    printf("begin\n");
    pthread_create(&other, NULL, sets, NULL);
    int seen = atomic_load(&set);
    pthread_join(other, NULL);
    if (seen)
        assert(write(STDOUT_FILENO, "late\n", 5) == 5);
    else
        puts("early");
    assert(!seen);
    return 0;
}
