// Says by a file that it has begun, and waits for a signal that ends it.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int begun;

static void *begin(void *unused)
{
    begun = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, begin, NULL);
    pthread_join(thread, NULL);
    if (begun)
        fclose(fopen("begun", "w"));
    for (;;)
        pause();
}
