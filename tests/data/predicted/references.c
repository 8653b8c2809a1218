// expect: nothing
// Whoever drops the last reference frees, and everybody who reads has one.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

struct shared {
    atomic_int references;
    int value;
};

static void drop(struct shared *s)
{
    if (atomic_fetch_sub(&s->references, 1) == 1)
        free(s);
}

static void *use(void *s)
{
    if (((struct shared *)s)->value != 9)
        abort();
    drop(s);
    return NULL;
}

static void *use_without(void *s)
{
    if (((struct shared *)s)->value != 9)
        abort();
    drop(s);
    return NULL;
}

static void *drop_later(void *s)
{
    usleep(50000);
    drop(s);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    struct shared *s = malloc(sizeof *s);
    if (!s)
        return 1;
    s->references = 3;
    s->value = 9;
    pthread_create(&threads[0], NULL, use, s);
    pthread_create(&threads[1], NULL, use_without, s);
    pthread_create(&threads[2], NULL, drop_later, s);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
