// expect: verified
// A control of pthread_once on the heap is freed when nobody uses it any more.
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
    pthread_join(user, NULL);
    free(control);
}
