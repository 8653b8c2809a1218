// expect: bug thread-misuse options: --fault create:1
// A thread that could not be created is joined.
#include <pthread.h>

static pthread_t threads[2];

static void *run(void *nothing)
{
    return nothing;
}

int main(void)
{
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
