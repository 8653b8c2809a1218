// expect: bug race
// The text of an error without a name is the thread's own, until it asks for the next one.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char *handed_over;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *ask(void *unused)
{
    pthread_mutex_lock(&lock);
    handed_over = strerror(1000);
    pthread_mutex_unlock(&lock);
    strerror(1001);
    return unused;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, ask, NULL);
    pthread_mutex_lock(&lock);
    if (handed_over)
        puts(handed_over);
    pthread_mutex_unlock(&lock);
    pthread_join(other, NULL);
}
