// expect: nothing
// An array that main clears as a whole, and of which each thread fills a half.
#include <pthread.h>
#include <string.h>

static int numbers[64];

static void *fill(void *half)
{
    for (int i = 0; i < 32; i++)
        ((int *)half)[i] = i;
    return NULL;
}

int main(void)
{
    pthread_t one, other;
    int sum = 0;
    memset(numbers, 1, sizeof numbers);
    pthread_create(&one, NULL, fill, numbers);
    pthread_create(&other, NULL, fill, numbers + 32);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    for (int i = 0; i < 64; i++)
        sum += numbers[i];
    return sum != 992;
}
