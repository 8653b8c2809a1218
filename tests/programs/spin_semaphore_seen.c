// expect: bug assertion
// As spin_semaphore.c, but sem_getvalue sees how often the poller goes round.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int flag;

static void *poll(void *nothing)
{
    for (int seen = 0; !seen;) {
        sem_wait(&s);
        seen = flag;
        sem_post(&s);
    }
    return nothing;
}

int main(void)
{
    pthread_t thread;
    sem_init(&s, 0, 1);
    pthread_create(&thread, NULL, poll, NULL);
    int seen = 0;
    for (int i = 0; i < 3; i++) {
        int value;
        sem_getvalue(&s, &value);
        seen += value == 0;
        sem_getvalue(&s, &value);
        seen += value == 1;
    }
    assert(seen < 6); // zero and one in turn, three times: the poller went round at least twice
    sem_wait(&s);
    flag = 1;
    sem_post(&s);
    pthread_join(thread, NULL);
    assert(flag);
}
