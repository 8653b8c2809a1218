// expect: bug livelock
// Two threads that go round for ever, each of which may raise its flag while the other's is up. The first execution never
// comes to an end, and does not show it.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_bool up[2];
static atomic_int inside;

static void *work(void *number)
{
    size_t me = (size_t)number;
    for (;;) {
        up[me] = 1;
        while (up[1 - me])
            ;
        inside = (int)me;
        up[me] = 0;
    }
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, (void *)1);
    work((void *)0);
}
