// expect: incomplete
// A system call that heddle does not see waits for ever: the supervisor notices that nothing happens any more.
#include <pthread.h>
#include <stddef.h>

static void *wait_in_the_kernel(void *nothing)
{
    enum { PAUSE = 34 };
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"((long)PAUSE) : "rcx", "r11", "memory");
    (void)result;
    return nothing;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, wait_in_the_kernel, NULL);
    pthread_join(thread, NULL);
    return 0;
}
