// expect: atomicity harmful
// What is written in one section is made good in the next one, and a reader in between finds it as it should not be.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int level = 5;

static void *refill(void *unused)
{
    pthread_mutex_lock(&m);
    level = -1;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    level = 5;
    pthread_mutex_unlock(&m);
    return unused;
}

static void *look(void *unused)
{
    pthread_mutex_lock(&m);
    assert(level > 0);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, refill, NULL);
    usleep(100000);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
