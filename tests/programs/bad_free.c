// expect: bug bad-free
// free() of a pointer into a block.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int window;

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
        char *block = malloc(64);
        char *inside = block + 16;
        __asm__("" : "+r"(inside)); // keeps the compiler from warning
        free(inside);
    }
    pthread_join(thread, NULL);
    return 0;
}
