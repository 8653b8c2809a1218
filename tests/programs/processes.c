// expect: verified executions=16
// Processes that the program starts: forked, by the shell, with a pipe. They see what it left them and end with it.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *start(void *number)
{
    int status;
    pthread_mutex_lock(&mutex);
    shared++;
    pid_t child = fork();
    if (!child) {
        pthread_t thread; // of its own, which is none of heddle's
        pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
        pthread_mutex_lock(&own);
        shared++;
        char *memory = malloc(100);
        snprintf(memory, 100, "%d", shared);
        exit(pthread_equal(pthread_self(), thread = pthread_self()) ? atoi(memory) : 99);
    }
    assert(child > 0 && waitpid(child, &status, 0) == child);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == shared + 1);
    pthread_mutex_unlock(&mutex);
    return number;
}

int main(void)
{
    pthread_t one, other;
    char line[16] = "";
    pthread_create(&one, NULL, start, NULL);
    pthread_create(&other, NULL, start, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(WEXITSTATUS(system("test ! -e left && echo x >left && exit 7")) == 7);
    FILE *pipe = popen("cat left; sleep 1000 &", "r");
    assert(pipe && fgets(line, sizeof line, pipe) && line[0] == 'x' && !access("left", F_OK));
    return 0;
}
