// expect: bug race
// One thread looks something up in the environment while another changes it.
#include <pthread.h>
#include <stdlib.h>

static void *change(void *nothing)
{
    setenv("MODE", "fast", 1);
    return nothing;
}

int main(void)
{
    setenv("MODE", "slow", 1);
    pthread_t thread;
    pthread_create(&thread, NULL, change, NULL);
    const char *mode = getenv("MODE");
    pthread_join(thread, NULL);
    return mode == NULL;
}
