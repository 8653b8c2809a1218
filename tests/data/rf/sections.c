// Two critical sections of one lock that touch nothing in common. If the first thread's comes first, it orders the accesses
// outside; if not, they race.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data, one, other;

static void *first(void *unused)
{
#ifndef INSIDE
    data = 1;
#endif
    pthread_mutex_lock(&lock);
#ifdef INSIDE
    data = 1;
#endif
    one++;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *second(void *unused)
{
    pthread_mutex_lock(&lock);
    other++;
#ifdef INSIDE
    data = 2;
#endif
    pthread_mutex_unlock(&lock);
#ifndef INSIDE
    data = 2;
#endif
    return unused;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
