// expect: bug race
// A reference is dropped while the lock is held: the other may free the object before the lock is released.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    pthread_mutex_t mutex;
    atomic_int users;
};

static void *leave(void *argument)
{
    struct object *object = argument;
    pthread_mutex_lock(&object->mutex);
    int last = atomic_fetch_sub(&object->users, 1) == 1;
    pthread_mutex_unlock(&object->mutex);
    if (last)
        free(object);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    struct object *object = calloc(1, sizeof *object);
    pthread_mutex_init(&object->mutex, NULL);
    atomic_init(&object->users, 2);
    pthread_create(&thread, NULL, leave, object);
    if (atomic_fetch_sub(&object->users, 1) == 1)
        free(object);
    pthread_join(thread, NULL);
    return 0;
}
