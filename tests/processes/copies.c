// wrong: deadlock. Locks and atomic variables that are not shared are copied, as they are held.
#include "share.h"

static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
static atomic_int mine;
static int uses;

int main(void)
{
    atomic_int *shared = share(sizeof *shared);
    pthread_mutex_lock(&own);
    if (!fork()) {
        atomic_fetch_add(&mine, 1);
        if (!WRONG)
            pthread_mutex_unlock(&own);
        pthread_mutex_lock(&own);
        uses++;
        pthread_mutex_unlock(&own);
        assert(atomic_fetch_add(shared, 1) < 2 && mine == 1 && uses == 1);
        exit(0);
    }
    atomic_fetch_add(shared, 1);
    pthread_mutex_unlock(&own);
    assert(mine == 0);
    wait(NULL);
    assert(*shared == 2 && uses == 0);
}
