// expect: nothing
// What is done is told in steps, each in a section of its own: a reader may find any of them, and print it.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int step;

static void *work(void *unused)
{
    pthread_mutex_lock(&m);
    step = 1;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    step = 2;
    pthread_mutex_unlock(&m);
    return unused;
}

static void *look(void *unused)
{
    pthread_mutex_lock(&m);
    printf("step %d\n", step);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    usleep(100000);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
