// expect: incomplete
// A timer would send a signal at any time: refused by name, not forgotten.
#include <stddef.h>
#include <sys/time.h>

int main(void)
{
    struct itimerval soon = {{0, 0}, {0, 1000}};
    return setitimer(ITIMER_REAL, &soon, NULL);
}
