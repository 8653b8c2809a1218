// expect: verified executions=6 options: --restart checkpoint
// Memory that a copy of the process would share: every execution finds it as it was, whatever the one before wrote.
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER,
                       own[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int *shared;

__attribute__((noinline)) static void increment(void)
{
    ++*shared;
}

static void *work(void *before)
{
    for (int i = 0; i < 6; i++) { // enough for checkpoints
        pthread_mutex_lock(before);
        pthread_mutex_unlock(before);
    }
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&mutex);
        increment();
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void)
{
    pthread_t one, other;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert(shared != MAP_FAILED && *shared == 0);
    pthread_create(&one, NULL, work, &own[0]);
    pthread_create(&other, NULL, work, &own[1]);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(*shared == 4);
    return 0;
}
