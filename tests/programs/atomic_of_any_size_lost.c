// expect: bug assertion options: --cflags -latomic
// Loading such an object and storing it again is two steps: an addition gets lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct three {
    long a, b, c;
};

static _Atomic struct three object;

static void *add(void *none)
{
    struct three mine = atomic_load(&object);
    mine.a++;
    atomic_store(&object, mine);
    return none;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(atomic_load(&object).a == 2);
}
