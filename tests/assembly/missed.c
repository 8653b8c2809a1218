// Instructions that heddle does not follow: each is named with its place.
#include <pthread.h>
#include <stdint.h>

static uint64_t word;

static void *run(void *unused)
{
    uint32_t low, high;
    asm volatile("rdtsc" : "=a"(low), "=d"(high));
    asm volatile("lock; incq %0" : "+m"(word)::"cc", "memory");
    asm volatile("lodsq" : "=a"(low) : "S"(&word) : "memory");
    asm volatile(".intel_syntax noprefix\n\tlock inc qword ptr [%0]\n\t.att_syntax prefix" ::"r"(&word) : "cc", "memory");
    asm volatile(".byte 0xf3, 0x90");
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, run, NULL);
    pthread_join(one, NULL);
}
