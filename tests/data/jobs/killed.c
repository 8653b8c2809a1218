// A program that the kernel kills each time it runs, as where memory runs out.
#include <pthread.h>
#include <sys/syscall.h>

static long call_kernel(long number, long one, long other)
{
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(one), "S"(other) : "rcx", "r11", "memory");
    return result;
}

static void *end_at_once(void *unused)
{
    call_kernel(SYS_kill, call_kernel(SYS_getpid, 0, 0), 9); // a call of kill() would be heddle's
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, end_at_once, NULL);
    pthread_join(t, NULL);
    return 0;
}
