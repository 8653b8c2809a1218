// expect: bug race
// A plain write to an _Atomic variable, past its type, is a race also where the same variable is an index elsewhere.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int at;
static const char table[] = {0, 1, 2};

static void *look(void *a)
{
    return table[at] ? a : 0;
}

static void *set(void *a)
{
    *(int *)&at = 1;
    return a;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, look, 0);
    pthread_create(&u, 0, set, 0);
    at++;
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
