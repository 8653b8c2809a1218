// expect: bug use-after-return
// A thread-local variable of a thread that has ended and was joined.
#include <pthread.h>

static __thread int own;

static void *lend(void *unused)
{
    (void)unused;
    own = 1;
    return &own;
}

int main(void)
{
    pthread_t thread;
    void *lent;
    pthread_create(&thread, NULL, lend, NULL);
    pthread_join(thread, &lent);
    return *(int *)lent == 7;
}
