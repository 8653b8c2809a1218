// expect: bug use-after-free
// Whoever lets go of the last reference frees the object, and then unlocks the mutex in it.
#include <pthread.h>
#include <stdlib.h>

struct object {
    pthread_mutex_t mutex;
    int references;
};

static void let_go(struct object *o)
{
    pthread_mutex_lock(&o->mutex);
    if (--o->references == 0)
        free(o);
    pthread_mutex_unlock(&o->mutex);
}

static void *work(void *o)
{
    let_go(o);
    return NULL;
}

int main(void)
{
    struct object *o = malloc(sizeof *o);
    pthread_mutex_init(&o->mutex, NULL);
    o->references = 2;
    pthread_t thread;
    pthread_create(&thread, NULL, work, o);
    let_go(o);
    pthread_join(thread, NULL);
}
