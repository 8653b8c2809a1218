// expect: verified executions=2
// Atomic accesses in a function that asks not to be instrumented are atomic accesses.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

__attribute__((no_sanitize("thread"), noinline)) static int look(void)
{
    return atomic_load(&flag);
}

static void *work(void *unused)
{
    atomic_store(&flag, 1);
    return unused;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, work, NULL);
    int seen = look();
    pthread_join(other, NULL);
    return seen;
}
