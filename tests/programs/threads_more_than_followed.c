// expect: incomplete
// Four hundred threads live at once: the search goes on with as many as are followed, and nobody is blamed for waiting.
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 400 };

static atomic_int flag;

static void *thread(void *argument)
{
    return flag ? NULL : argument;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, thread, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
}
