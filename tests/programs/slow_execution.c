// expect: verified executions=1
// One execution that takes long, so that an estimate is due after it, when nothing is owed: it has to end.
#include <pthread.h>

static unsigned value;

static void *compute(void *argument)
{
    unsigned x = 1;
    for (unsigned i = 0; i < 1300000000; i++)
        x = x * 3 + (x >> 7);
    value = x;
    return argument;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, compute, 0);
    pthread_join(t, 0);
    return value == 7;
}
