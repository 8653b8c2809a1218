// expect: verified
// The lock of an object is released before its reference is dropped.
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
    pthread_mutex_unlock(&object->mutex);
    if (atomic_fetch_sub(&object->users, 1) == 1)
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
