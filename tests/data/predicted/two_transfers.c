// expect: atomicity harmful
// A transfer reads one balance in a section of its own. One thread makes two transfers, so a run in which its first one comes before the
// other thread's may still go wrong at its second one.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int balance[2] = {100, 100};

static __attribute__((noinline)) void transfer(int from, int to, int amount)
{
    pthread_mutex_lock(&m);
    int now = balance[from];
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    balance[from] = now - amount;
    balance[to] += amount;
    pthread_mutex_unlock(&m);
}

static void *once(void *unused)
{
    transfer(0, 1, 10);
    return unused;
}

static void *twice(void *unused)
{
    transfer(1, 0, 20);
    transfer(0, 1, 5);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, once, NULL);
    usleep(100000);
    pthread_create(&b, NULL, twice, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(balance[0] + balance[1] == 200);
    return 0;
}
