// expect: bug race
// A read whose value nobody uses is a read: the optimiser does not take it away before heddle sees it.
#include <pthread.h>

static int shared;

static void *look(void *unused)
{
    int value = shared;
    (void)value;
    return unused;
}

int main(void)
{
    pthread_t looks;
    pthread_create(&looks, NULL, look, NULL);
    shared = 1;
    pthread_join(looks, NULL);
}
