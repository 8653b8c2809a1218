// expect: verified
// A process that the program starts and waits for may take its time.
#include <assert.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(void)
{
    int status;
    pid_t child = fork();
    if (!child) {
        for (double until = now() + 4; now() < until;)
            ;
        _exit(3);
    }
    assert(waitpid(child, &status, 0) == child);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    return 0;
}
