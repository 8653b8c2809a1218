// expect: verified
// A child runs the handlers that its parent has registered, whether it returns from main or calls exit.
#include <assert.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int wanted;

static void finish(void)
{
    _exit(wanted);
}

static int status_of(pid_t child)
{
    int status;
    assert(waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

int main(void)
{
    atexit(finish);
    pid_t child = fork();
    if (!child) {
        wanted = 3;
        return 0;
    }
    assert(status_of(child) == 3);
    child = fork();
    if (!child) {
        wanted = 4;
        exit(0);
    }
    assert(status_of(child) == 4);
    return 0;
}
