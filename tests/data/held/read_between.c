// A sum is taken between the two steps of a transfer. Who takes it sees that it is wrong and ends the program before the second step
// can come. The sum is taken so late that only holding the transfer back makes it wrong.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { LATE_US = 300000, ALL = 10 };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int here = ALL, there;

static void *transfer(void *unused)
{
    pthread_mutex_lock(&m);
    here -= 5;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    there += 5;
    pthread_mutex_unlock(&m);
    return unused;
}

static void *look(void *unused)
{
    usleep(LATE_US);
    pthread_mutex_lock(&m);
    int sum = here + there;
    if (sum != ALL)
        abort();
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, transfer, NULL);
    pthread_create(&two, NULL, look, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
