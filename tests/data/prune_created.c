// main counts before it takes the lock for the first time, a thread after it has let go of it: unordered where the thread is first.
// Both threads exist before the first event of the search, and so does main's access.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count, other;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    other++;
    pthread_mutex_unlock(&lock);
    count++;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    count++;
    pthread_mutex_lock(&lock);
    other++;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
