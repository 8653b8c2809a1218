// expect: verified executions=12
// fork(): a child process cannot be undone in memory, so each execution is a process of its own.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int window;

static void *open_and_close(void *unused)
{
    (void)unused;
    atomic_store(&window, 1);
    atomic_store(&window, 0);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, open_and_close, NULL);
    if (atomic_load(&window) == 0) {
        pid_t child = fork();
        if (child == 0)
            _exit(0);
        waitpid(child, NULL, 0);
    }
    pthread_join(thread, NULL);
    return 0;
}
