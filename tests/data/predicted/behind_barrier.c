// expect: race harmful
// What one thread writes behind a barrier, the other expects to be there already. Neither thread can do all of its part first.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_barrier_t barrier;
static int x;

static void *one(void *unused)
{
    pthread_barrier_wait(&barrier);
    usleep(100000);
    assert(x == 1);
    return unused;
}

static void *two(void *unused)
{
    pthread_barrier_wait(&barrier);
    x = 1;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
