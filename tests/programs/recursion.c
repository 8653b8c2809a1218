// expect: bug signal
// Recursion until the stack is full; the handler needs a stack of its own.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int window;
static int stop = -1; // never reached

static int deeper(const int *above)
{
    if (*above == stop)
        return 0;
    int here = *above + 1;
    return deeper(&here) + here; // its frame must stay: the next one points into it
}

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
        int here = 0;
        stop += deeper(&here);
    }
    pthread_join(thread, NULL);
    return 0;
}
