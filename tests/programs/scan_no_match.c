// expect: verified
// What sscanf does not come to is not written.
#include <pthread.h>
#include <stdio.h>

static int number;

static void *work(void *unused)
{
    int other;
    sscanf("4 x", "%d %d", &other, &number);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    number = 3;
    pthread_join(thread, NULL);
}
