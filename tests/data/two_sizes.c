// Two races that begin at the same byte and are of different size.
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

union {
    uint64_t whole;
    uint32_t half;
    uint8_t byte;
} memory;
uint64_t seen;

static void *write_byte(void *unused)
{
    memory.byte = 1;
    return unused;
}

static void *write_half(void *unused)
{
    memory.half = 2;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, write_byte, NULL);
    seen = memory.byte;
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, write_half, NULL);
    seen += memory.whole; // of which half races
    pthread_join(thread, NULL);
    return 0;
}
