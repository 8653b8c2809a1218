// expect: verified executions=25 options: --restart checkpoint
// Threads that main joins one after the other, beside one that lives all the time. After the same events main may have joined the last
// one already or not, and a checkpoint that was made before it had is not one after it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 24 };

static atomic_int count;
static __thread int own;

static void *one(void *argument)
{
    assert(own == 0);
    own = 1;
    count++;
    return argument;
}

static void *beside(void *argument)
{
    count++;
    return argument;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&u, NULL, beside, NULL);
    for (long i = 0; i < THREADS; i++) {
        void *answer;
        pthread_create(&t, NULL, one, (void *)i);
        pthread_join(t, &answer);
        assert(answer == (void *)i);
    }
    pthread_join(u, NULL);
    assert(count == THREADS + 1);
}
