// For prune.test.sh: the executions that are left out after the first one would have asked for another further up, in which the second
// thread comes first and reads v unordered with the write. Figure 5.6 of the thesis of Inspect does not ask for it.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int v, seen;

static void pass_both(void)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
}

static void *first(void *none)
{
    pthread_mutex_lock(&b);
    v++;
    pthread_mutex_unlock(&b);
    pass_both();
    return none;
}

static void *second(void *none)
{
    pass_both();
    pthread_mutex_lock(&a);
    seen = v;
    pthread_mutex_unlock(&a);
    return none;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&other, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
