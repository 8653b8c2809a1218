// Two threads hand a number to each other, more often than the recording has room for.
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uint64_t mixed = 1, slots[4096];

static void *mix(void *unused)
{
    for (int i = 0; i < 600000; i++) {
        pthread_mutex_lock(&mutex);
        mixed = mixed * 6364136223846793005u + 1442695040888963407u;
        slots[mixed >> 52] ^= mixed;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, mix, NULL);
    pthread_create(&second, NULL, mix, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
