// Both have to be stopped in their windows: `asks` after it has raised `question`, `answers` before it takes its answer
// back. Two preemptions, not one. The third thread, which others may interrupt at will, offers many more.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int question, answer, noise;

static void *asks(void *unused)
{
    (void)unused;
    atomic_store(&question, 1);
    assert(atomic_load(&answer) == 0);
    atomic_store(&question, 0);
    return NULL;
}

static void *answers(void *unused)
{
    (void)unused;
    if (atomic_load(&question) == 1)
        atomic_store(&answer, 1);
    atomic_fetch_add(&noise, 1);
    atomic_store(&answer, 0);
    return NULL;
}

static void *disturbs(void *unused)
{
    (void)unused;
    for (int i = 0; i < 3; i++)
        atomic_fetch_add(&noise, 1);
    return NULL;
}

int main(void)
{
    pthread_t thread[3];
    pthread_create(&thread[0], NULL, disturbs, NULL);
    pthread_create(&thread[1], NULL, asks, NULL);
    pthread_create(&thread[2], NULL, answers, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
