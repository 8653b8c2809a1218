// expect: verified
// Dates and times of day with storage of one's own; with the shared one only under a lock, or alone.
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void check(time_t moment, const char *expected)
{
    struct tm date;
    char text[32];
    assert(gmtime_r(&moment, &date) == &date);
    assert(strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &date) == 19);
    assert(!strcmp(text, expected));
    assert(timegm(&date) == moment);
    assert(localtime_r(&moment, &date) && mktime(&date) == moment);
    pthread_mutex_lock(&mutex);
    assert(gmtime(&moment)->tm_year == expected[2] * 10 + expected[3] - 11 * '0' + (expected[0] == '2') * 100);
    pthread_mutex_unlock(&mutex);
}

static void *work(void *nothing)
{
    check(86400 * 365, "1971-01-01 00:00:00");
    return nothing;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    check(1000000000, "2001-09-09 01:46:40");
    pthread_join(thread, NULL);
    time_t moment = 1000000000;
    assert(!strcmp(asctime(gmtime(&moment)), "Sun Sep  9 01:46:40 2001\n"));
    char text[32];
    assert(ctime_r(&moment, text) == text && !strcmp(ctime(&moment), text));
}
