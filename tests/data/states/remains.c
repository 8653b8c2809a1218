// What a thread did before is over when it asks for something else: with what value, with what result, and whether heddle saw the place
// of the call for the first time. None of that may tell states apart.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int word, other;

static void *storing(void *unused)
{
    (void)word;
    other = 1;
    (void)rand();
    return unused;
}

static void *swapping(void *unused)
{
    int expected = 0;
    atomic_compare_exchange_strong(&word, &expected, 3);
    free(malloc(8));
    return unused;
}

static void *allocating(void *unused)
{
    free(malloc(8));
    (void)word;
    return unused;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, storing, NULL);
    pthread_create(&t[1], NULL, swapping, NULL);
    pthread_create(&t[2], NULL, allocating, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
