// expect: bug race
// A function that asks not to be instrumented is looked at like any other.
#include <pthread.h>

static int counter;

__attribute__((no_sanitize_thread)) static void count(void)
{
    counter++;
}

static void *work(void *unused)
{
    count();
    return unused;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, work, NULL);
    count();
    pthread_join(other, NULL);
}
