// expect: bug race
// What %s reads is seen.
#include <pthread.h>
#include <stdio.h>

static char name[] = "abc";

static void *work(void *unused)
{
    printf("%d %s\n", 5, name);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    name[1] = 'x';
    pthread_join(thread, NULL);
}
