// expect: bug abort
// SIGABRT raised, not by abort().
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <signal.h>

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
        raise(SIGABRT);
    }
    pthread_join(thread, NULL);
    return 0;
}
