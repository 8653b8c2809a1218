// expect: bug assertion
// A forked process has a copy of all memory: whether the flag is set there depends on when the process was forked.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int flag;

static void *set(void *none)
{
    flag = 1;
    return none;
}

int main(void)
{
    pthread_t t;
    int status;
    pthread_create(&t, 0, set, 0);
    pid_t child = fork();
    if (child == 0)
        _exit(flag);
    waitpid(child, &status, 0);
    assert(WEXITSTATUS(status) == 0);
    pthread_join(t, 0);
}
