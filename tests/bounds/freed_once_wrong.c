// expect: bug use-after-free
// A control of pthread_once on the heap is freed while a thread may still come to use it.
#include <pthread.h>
#include <stdlib.h>

static pthread_once_t *control;

static void prepare(void)
{
}

static void *use(void *unused)
{
    pthread_once(control, prepare);
    return unused;
}

int main(void)
{
    pthread_t user;
    control = malloc(sizeof *control);
    *control = PTHREAD_ONCE_INIT;
    pthread_create(&user, NULL, use, NULL);
    free(control);
    pthread_join(user, NULL);
}
