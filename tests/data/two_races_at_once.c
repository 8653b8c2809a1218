// One run shows two races, and neither of the variables was visible in it.
#include <pthread.h>
#include <stddef.h>

static int low = 1, high = 2;

static void *raise_both(void *unused)
{
    low++;
    high++;
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, raise_both, NULL);
    raise_both(NULL);
    pthread_join(one, NULL);
    return low < high;
}
