// expect: bug assertion
// The race on the counter is said to be benign, so it is none; that an addition may get lost is still found.
#include <assert.h>
#include <pthread.h>

void AnnotateBenignRaceSized(const char *file, int line, const volatile void *p, long size, const char *why);

static int count;

static void *add(void *none)
{
    count++;
    return none;
}

int main(void)
{
    pthread_t a, b;
    AnnotateBenignRaceSized(__FILE__, __LINE__, &count, sizeof count, "statistics");
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2);
}
