// expect: atomicity harmful
// Each access is atomic, and what is done with them is not. The second thread acquires what the first one stored, so in the order of the
// recorded run nothing could come between.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int count;

static __attribute__((noinline)) void add(void)
{
    int now = atomic_load(&count);
    atomic_store(&count, now + 1);
}

static void *work(void *unused)
{
    add();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    usleep(100000);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count == 2);
    return 0;
}
