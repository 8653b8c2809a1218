// expect: incomplete
// C11 threads are refused, not silently run behind heddle's back.
#include <threads.h>

static int worker(void *unused)
{
    (void)unused;
    return 0;
}

int main(void)
{
    thrd_t thread;
    thrd_create(&thread, worker, NULL);
    thrd_join(thread, NULL);
    return 0;
}
