// expect: bug assertion
// heddle_assert in a thread that is not the first.
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int window;

static void *look(void *unused)
{
    (void)unused;
    heddle_note("the window is %d", atomic_load(&window));
    heddle_assert(atomic_load(&window) == 0);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    atomic_store(&window, 1);
    atomic_store(&window, 0);
    pthread_join(thread, NULL);
    return 0;
}
