// What the threads do depends on something heddle does not control: SOURCE names it.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#define TIME_STAMP 1
#define RAW_SYSTEM_CALL 2
#define FOREIGN_LIBRARY 3

unsigned foreign(void);

#if SOURCE == TIME_STAMP
static unsigned uncontrolled(void)
{
    unsigned low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return low >> 4;
}
#elif SOURCE == RAW_SYSTEM_CALL
static unsigned uncontrolled(void)
{
    struct timespec now;
    long result, number = 228; // clock_gettime
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(1), "S"(&now) : "rcx", "r11", "memory");
    return (unsigned)now.tv_nsec >> 4;
}
#elif SOURCE == FOREIGN_LIBRARY
#define uncontrolled foreign
#else
static unsigned uncontrolled(void)
{
    return 3;
}
#endif

static pthread_mutex_t mutex[8];
static atomic_int turns;

static void *worker(void *unused)
{
    (void)unused;
    for (int i = 0; i < 3; i++) {
        atomic_fetch_add(&turns, 1);
        pthread_mutex_t *which = &mutex[uncontrolled() % 8];
        pthread_mutex_lock(which);
        pthread_mutex_unlock(which);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread[2];
    for (int i = 0; i < 8; i++)
        pthread_mutex_init(&mutex[i], NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
