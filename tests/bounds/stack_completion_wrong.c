// expect: bug use-after-return options: --memory-errors
// A completion on the waiter's stack: the waiter returns when the flag is set, and the other still writes to it.
#include <pthread.h>
#include <stdatomic.h>

struct completion {
    atomic_int done;
    long result[4];
};

static pthread_t thread;

static void *complete(void *argument)
{
    struct completion *completion = argument;
    atomic_store(&completion->done, 1);
    completion->result[0] = 5;
    return 0;
}

__attribute__((noinline)) static long request(void)
{
    struct completion completion = {0};
    pthread_create(&thread, 0, complete, &completion);
    while (!atomic_load(&completion.done))
        ;
    return atomic_load(&completion.done);
}

int main(void)
{
    long result = request();
    pthread_join(thread, 0);
    return result != 1;
}
