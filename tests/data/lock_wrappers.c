// Locks behind functions of the program's own: a row names who called them. A readers–writer lock is held, too.
#include <pthread.h>

typedef struct {
    pthread_mutex_t handle;
} my_mutex;

static void my_mutex_lock(my_mutex *m)
{
    pthread_mutex_lock(&m->handle);
}

static void my_mutex_unlock(my_mutex *m)
{
    pthread_mutex_unlock(&m->handle);
}

static my_mutex m = {PTHREAD_MUTEX_INITIALIZER};
static pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;
static int counter;

static void *work(void *unused)
{
    (void)unused;
    my_mutex_lock(&m); // line 25
    my_mutex_unlock(&m);
    pthread_rwlock_rdlock(&readers);
    counter++;
    pthread_rwlock_unlock(&readers);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
