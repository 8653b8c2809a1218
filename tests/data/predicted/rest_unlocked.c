// expect: race benign
// Both threads write all of the array, but one of them has the lock for its first element only.
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long numbers[64];

static void *clear(void *unused)
{
    pthread_mutex_lock(&mutex);
    memset(numbers, 1, sizeof numbers);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *begin_anew(void *unused)
{
    pthread_mutex_lock(&mutex);
    numbers[0] = 2;
    pthread_mutex_unlock(&mutex);
    memset(numbers + 1, 3, sizeof numbers - sizeof *numbers);
    return unused;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, clear, NULL);
    pthread_create(&other, NULL, begin_anew, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
