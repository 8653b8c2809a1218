// expect: verified
// Handlers of pthread_atfork take a mutex that the other thread uses, so that the new process finds it free and what it protects
// whole.
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int a, b;

static void take(void)
{
    pthread_mutex_lock(&lock);
}

static void let_go(void)
{
    pthread_mutex_unlock(&lock);
}

static void *change(void *none)
{
    pthread_mutex_lock(&lock);
    a++;
    b++;
    pthread_mutex_unlock(&lock);
    return none;
}

int main(void)
{
    pthread_t t;
    int status;
    pthread_atfork(take, let_go, let_go);
    pthread_create(&t, 0, change, 0);
    pid_t child = fork();
    if (child == 0) {
        pthread_mutex_lock(&lock);
        _exit(a != b);
    }
    waitpid(child, &status, 0);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    pthread_join(t, 0);
}
