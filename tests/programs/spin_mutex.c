// expect: verified
// Waits by asking under a lock, again and again.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *finish(void *nothing)
{
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_mutex_unlock(&mutex);
    return nothing;
}

static int is_done(void)
{
    pthread_mutex_lock(&mutex);
    int seen = done;
    pthread_mutex_unlock(&mutex);
    return seen;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, finish, NULL);
    while (!is_done()) {
    }
    pthread_join(thread, NULL);
    return 0;
}
