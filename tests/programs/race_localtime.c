// expect: bug race
// Both threads get the same storage from localtime.
#include <pthread.h>
#include <time.h>

static void *work(void *nothing)
{
    time_t now = time(NULL);
    const struct tm *date = localtime(&now);
    char text[32];
    strftime(text, sizeof text, "%H:%M", date);
    return nothing;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
}
