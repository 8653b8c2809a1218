// One thread reads a variable on the stack of another, which ends afterwards. Nothing is wrong with it.
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(int *) lent;
static atomic_int returned;

static void *reader(void *unused)
{
    int *p = lent;
    if (p && *p == 2)
        returned = 1;
    else
        returned = 2;
    return unused;
}

static void *lender(void *unused)
{
    int here = 2;
    lent = &here;
    while (!returned)
        ;
    return unused;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, lender, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
