// expect: verified options: --strategy dfs
// A poller that holds its lock for a moment in every round stays with it once `x` is set. Another waits until it finds the lock
// taken. A round that an earlier execution closed says nothing of one that was gone back into.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, done;

static void *holder(void *nothing)
{
    for (;;) {
        pthread_mutex_lock(&m);
        if (x)
            break;
        pthread_mutex_unlock(&m);
    }
    while (!done) {
    }
    pthread_mutex_unlock(&m);
    return nothing;
}

static void *finder(void *nothing)
{
    while (pthread_mutex_trylock(&m) == 0)
        pthread_mutex_unlock(&m);
    done = 1;
    return nothing;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, holder, NULL);
    pthread_create(&two, NULL, finder, NULL);
    x = 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
}
