// expect: bug thread-misuse executions=1
// Two threads join the same thread: which of them gets to, and what the other is told, is undefined.
#include <pthread.h>
#include <stddef.h>

static pthread_t joined;

static void *nothing(void *argument)
{
    return argument;
}

static void *joins(void *argument)
{
    pthread_join(joined, NULL);
    return argument;
}

int main(void)
{
    pthread_t other;
    pthread_create(&joined, NULL, nothing, NULL);
    pthread_create(&other, NULL, joins, NULL);
    pthread_join(joined, NULL);
    pthread_join(other, NULL);
    return 0;
}
