// expect: verified executions=2
// What a thread does while it is alone takes no room, however much it is.
#include <pthread.h>

enum { MANY = 700000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add(void *unused)
{
    pthread_mutex_lock(&mutex);
    sum++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    for (int i = 0; i < MANY; i++)
        add(NULL);
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
}
