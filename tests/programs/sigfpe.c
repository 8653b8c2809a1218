// expect: bug signal
// A division by zero.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int window;
static int number = 7, zero;

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
        zero = number / zero;
    }
    pthread_join(thread, NULL);
    return 0;
}
