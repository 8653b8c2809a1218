// expect: bug race
// What sscanf writes is seen.
#include <pthread.h>
#include <stdio.h>

static int number;

static void *work(void *unused)
{
    int other;
    sscanf("4 5", "%d %d", &other, &number);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    number = 3;
    pthread_join(thread, NULL);
}
