// expect: verified executions=301
// Three hundred threads, one after the other, beside one that lives all the time: more than heddle follows at once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 300 };

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
