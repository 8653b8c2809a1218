// expect: bug use-after-return
// Another thread writes to a thread-local variable, and its thread does not wait for that before it ends.
#include <pthread.h>
#include <stdatomic.h>

static _Thread_local int own;
static int *_Atomic lent;

static void *lend(void *unused)
{
    own = 1;
    lent = &own;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, lend, NULL);
    int *p = lent;
    if (p)
        *p = 2;
    pthread_join(thread, NULL);
}
