// expect: bug assertion
// The other thread may hold the mutex when the process is forked: in the copy nobody lets it go.
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *use(void *none)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return none;
}

int main(void)
{
    pthread_t t;
    int status;
    pthread_create(&t, 0, use, 0);
    pid_t child = fork();
    if (child == 0)
        _exit(pthread_mutex_trylock(&lock) != 0);
    waitpid(child, &status, 0);
    assert(WEXITSTATUS(status) == 0);
    pthread_join(t, 0);
}
