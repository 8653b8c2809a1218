// An access that lies across two words is one access: what it reads is either what was there or what was written.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

struct __attribute__((packed)) {
    uint8_t before[6 + 8 * APART]; // APART: the words are in different blocks of 16 bytes
    uint32_t wide;
} memory __attribute__((aligned(16)));
uint32_t seen;

static void *write_it(void *unused)
{
    memory.wide = 0x01010101;
    return unused;
}

static void *start_writer(void *unused)
{
    pthread_t writer;
    pthread_create(&writer, NULL, write_it, NULL);
    pthread_join(writer, NULL);
    return unused;
}

static void *read_it(void *unused)
{
    seen = memory.wide;
    return unused;
}

int main(void)
{
    pthread_t starter, reader;
    pthread_create(&starter, NULL, start_writer, NULL);
    pthread_create(&reader, NULL, read_it, NULL);
    pthread_join(starter, NULL);
    pthread_join(reader, NULL);
    assert(seen != 0x01010101);
    assert(seen != 0);
    assert(!"torn");
    return 0;
}
