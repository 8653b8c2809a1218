// expect: bug race
// The parent reads the result before it has joined the child.
#include <pthread.h>
#include <stddef.h>

static int value;

static void *child(void *unused)
{
    (void)unused;
    value = 2;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    int seen = value;
    pthread_join(thread, NULL);
    return seen > 2;
}
