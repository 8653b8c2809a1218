// expect: verified
// The control of pthread_once is initialised before and after a thread uses it: the routine runs twice.
#include <assert.h>
#include <pthread.h>

static pthread_once_t control;
static int prepared;

static void prepare(void)
{
    prepared++;
}

static void *use(void *unused)
{
    pthread_once(&control, prepare);
    return unused;
}

int main(void)
{
    for (int round = 0; round < 2; round++) {
        pthread_t user;
        control = (pthread_once_t)PTHREAD_ONCE_INIT;
        pthread_create(&user, NULL, use, NULL);
        pthread_once(&control, prepare);
        pthread_join(user, NULL);
    }
    assert(prepared == 2);
}
