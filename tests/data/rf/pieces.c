// One thread stores both halves of what another stores as a whole.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef BAD
#define BAD 0x00010002
#endif

static union {
    uint32_t whole;
    uint16_t half[2];
} x;

static void *halves(void *unused)
{
    __atomic_store_n(&x.half[0], 2, __ATOMIC_SEQ_CST);
    return unused;
}

static void *whole(void *unused)
{
    __atomic_store_n(&x.whole, 0x00010001, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, halves, NULL);
    pthread_create(&t[1], NULL, whole, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(__atomic_load_n(&x.whole, __ATOMIC_SEQ_CST) != BAD);
    return 0;
}
