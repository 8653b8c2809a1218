// expect: bug race
// What is acquired before it is released orders nothing, and nothing else makes the release come first.
#include <pthread.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

static int data, object;

static void *put(void *none)
{
    data = 1;
    __tsan_release(&object);
    return none;
}

static void *get(void *none)
{
    __tsan_acquire(&object);
    data++;
    return none;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, put, 0);
    pthread_create(&b, 0, get, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
