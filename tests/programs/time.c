// expect: verified executions=1
// Clocks do not go back, and sleeping takes its time; under heddle it is virtual and costs none.
#define _GNU_SOURCE
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int64_t now(clockid_t clock)
{
    struct timespec time;
    int result = clock_gettime(clock, &time);
    assert(result == 0 && time.tv_nsec >= 0 && time.tv_nsec < 1000000000);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int main(void)
{
    int64_t start = now(CLOCK_MONOTONIC), real = now(CLOCK_REALTIME);
    assert(now(CLOCK_MONOTONIC) >= start);

    nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
    int64_t later = now(CLOCK_MONOTONIC);
    assert(later - start >= 10 * 1000 * 1000);
    usleep(5000);
    assert(now(CLOCK_MONOTONIC) - later >= 5 * 1000 * 1000);
    assert(now(CLOCK_REALTIME) - real >= 15 * 1000 * 1000);

    time_t seconds = time(NULL);
    struct timeval day;
    gettimeofday(&day, NULL);
    assert(day.tv_sec >= seconds && day.tv_usec >= 0 && day.tv_usec < 1000000);
    return 0;
}
