// expect: incomplete
// A function of which nobody knows what memory it uses is called while there is another thread.
#include <pthread.h>
#include <pwd.h>
#include <stddef.h>

static void *work(void *unused)
{
    getpwuid(0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
}
