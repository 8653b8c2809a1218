// expect: verified executions=1
// What a thread returns, or gives to pthread_exit from deep inside, arrives at its join.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void leave(intptr_t value)
{
    pthread_exit((void *)(value * 2));
}

static void *returns(void *value)
{
    return value;
}

static void *exits(void *value)
{
    leave((intptr_t)value);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    void *a, *b;
    pthread_create(&one, NULL, returns, (void *)5);
    pthread_create(&two, NULL, exits, (void *)7);
    assert(!pthread_equal(one, two) && !pthread_equal(one, pthread_self()));
    pthread_join(two, &b);
    pthread_join(one, &a);
    assert((intptr_t)a == 5 && (intptr_t)b == 14);
    return 0;
}
