// expect: verified
// main ends as a thread, also before anything that others can see has happened, and whoever joins it goes on.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_t first;
static int left;

static void *join_main(void *unused)
{
    void *value;
    assert(pthread_join(first, &value) == 0);
    assert(value == &left && left == 1);
    return unused;
}

int main(void)
{
    pthread_t joiner;
    first = pthread_self();
    pthread_create(&joiner, NULL, join_main, NULL);
    pthread_detach(joiner);
    left = 1;
    pthread_exit(&left);
}
