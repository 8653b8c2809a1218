// `asks` has to be stopped in its window, which comes late, and then `answers` in its own, which comes early: a bug of
// depth 3. The other events of all threads are in between.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { ROUNDS = 12 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int question, answer;
static int noise;

static void work(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        noise++;
        pthread_mutex_unlock(&mutex);
    }
}

static void *asks(void *unused)
{
    (void)unused;
    work();
    atomic_store(&question, 1);
    assert(atomic_load(&answer) == 0);
    atomic_store(&question, 0);
    work();
    return NULL;
}

static void *answers(void *unused)
{
    (void)unused;
    if (atomic_load(&question) == 1)
        atomic_store(&answer, 1);
    atomic_store(&answer, 0);
    work();
    return NULL;
}

static void *disturbs(void *unused)
{
    (void)unused;
    work();
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
