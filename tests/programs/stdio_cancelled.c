// expect: bug deadlock
// A thread may be cancelled where it prints: this one takes its lock with it.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    puts("working");
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    pthread_cancel(worker);
    pthread_join(worker, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}
