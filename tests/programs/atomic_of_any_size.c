// expect: verified options: --cflags -latomic
// Atomic objects of 24 bytes are libatomic's: loads find them whole, and of two exchanges one finds what the other put there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct three {
    long a, b, c;
};

static _Atomic struct three object;
static long seen[2];

static void *put(void *number)
{
    long n = (long)number;
    struct three mine = {n, n, n}, before = atomic_exchange(&object, mine);
    assert(before.a == before.b && before.b == before.c);
    seen[n - 1] = before.a;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, put, (void *)1);
    pthread_create(&b, 0, put, (void *)2);
    struct three now = atomic_load(&object);
    assert(now.a == now.b && now.b == now.c);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert((seen[0] == 0 && seen[1] == 1) || (seen[1] == 0 && seen[0] == 2));
}
