// expect: bug signal
// A store to read-only memory.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int window;
static const int fixed = 1;

static void *open_and_close(void *unused)
{
    (void)unused;
    atomic_store(&window, 1);
    atomic_store(&window, 0);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, open_and_close, NULL);
    if (atomic_load(&window)) {
        int *cell = (int *)&fixed;
        __asm__("" : "+r"(cell));
        *cell = 2;
    }
    pthread_join(thread, NULL);
    return 0;
}
