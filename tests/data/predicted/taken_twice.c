// expect: atomicity harmful
// Taking an item reads in one section and writes in the next one. An item that comes in between is lost, and the taker waits for ever; but only
// if there was one before, as in the recorded run: who comes too early waits, and looks again.
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int items;

static void *give(void *unused)
{
    for (volatile int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        items++;
        pthread_cond_signal(&more);
        pthread_mutex_unlock(&m);
    }
    return unused;
}

static void *take(void *unused)
{
    for (volatile int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        while (items == 0)
            pthread_cond_wait(&more, &m);
        int now = items;
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
        items = now - 1;
        pthread_mutex_unlock(&m);
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, give, NULL);
    usleep(100000);
    pthread_create(&b, NULL, take, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
