// expect: verified executions=2
// A struct too large for registers is returned into memory that the caller names. A write that going back does not know of
// would let the thread find what an execution before this one left there.
#include <assert.h>
#include <pthread.h>

struct row {
    long cell[6];
};

static struct row shared;
static int done;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static struct row make(int v)
{
    struct row made;
    for (int i = 0; i < 6; i++)
        made.cell[i] = v;
    return made;
}

static void *look(void *unused)
{
    pthread_mutex_lock(&mutex);
    assert(shared.cell[3] == done);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t looks;
    pthread_create(&looks, NULL, look, NULL);
    pthread_mutex_lock(&mutex);
    shared = make(1);
    done = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(looks, NULL);
}
