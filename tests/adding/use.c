// Fails only where the second thread looks between the two stores.
#include <pthread.h>

int pthread_peek_np(const int *word);

static int word;

static void *writes(void *none)
{
    __atomic_store_n(&word, 13, __ATOMIC_SEQ_CST);
    __atomic_store_n(&word, 14, __ATOMIC_SEQ_CST);
    return none;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, writes, NULL);
    pthread_peek_np(&word);
    pthread_join(thread, NULL);
    return 0;
}
