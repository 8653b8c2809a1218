// expect: bug signal
// Writes further and further away from a block in both directions, until one hits nothing.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
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
        uintptr_t block = (uintptr_t)malloc(64);
        for (int k = 4; k < 46; k++) {
            *(char *)(block - ((uintptr_t)1 << k)) = 0x5a;
            *(char *)(block + ((uintptr_t)1 << k)) = 0x5a;
        }
    }
    pthread_join(thread, NULL);
    return 0;
}
