// expect: verified executions=2
// The environment is changed under a lock, and is in each execution what it was at the beginning.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *change(void *nothing)
{
    pthread_mutex_lock(&mutex);
    setenv("MODE", "fast", 1);
    pthread_mutex_unlock(&mutex);
    return nothing;
}

int main(void)
{
    assert(!getenv("MODE") && !getenv("MOD"));
    setenv("MODE", "slow", 1);
    assert(!getenv("MOD") && !getenv("MODE2"));
    pthread_t thread;
    pthread_create(&thread, NULL, change, NULL);
    pthread_mutex_lock(&mutex);
    const char *mode = getenv("MODE");
    assert(!strcmp(mode, "slow") || !strcmp(mode, "fast"));
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    assert(!strcmp(getenv("MODE"), "fast"));
    unsetenv("MODE");
    assert(!getenv("MODE"));
}
