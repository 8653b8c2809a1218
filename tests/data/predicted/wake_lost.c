// expect: lost-wake-up harmful
// record: woken
// The consumer looks whether something is there, and waits in another section of the mutex: what is put there in between is signalled to nobody.
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items, calls;

static int is_empty(void)
{
    pthread_mutex_lock(&mutex);
    int empty = !items;
    pthread_mutex_unlock(&mutex);
    return empty;
}

static void *consume(void *unused)
{
    if (is_empty()) {
        pthread_mutex_lock(&mutex);
        calls++;
        pthread_cond_wait(&filled, &mutex);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, consume, NULL);
    usleep(100000);
    pthread_mutex_lock(&mutex);
    calls++;
    items++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
