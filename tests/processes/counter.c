// wrong: race. Two processes count; a child's status and its copy of a variable are its own.
#include "share.h"

static struct counter {
    pthread_mutex_t lock;
    int count;
} * counter;
static int own = 1;

static void count(int locked)
{
    if (locked)
        pthread_mutex_lock(&counter->lock);
    counter->count++;
    if (locked)
        pthread_mutex_unlock(&counter->lock);
}

int main(void)
{
    counter = share(sizeof *counter);
    share_mutex(&counter->lock, 0);
    pid_t child = fork();
    if (!child) {
        own = 7;
        count(!WRONG);
        _exit(3);
    }
    count(1);
    int status;
    assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 3);
    assert(waitpid(child, &status, 0) == -1 && errno == ECHILD);
    assert(counter->count == 2 && own == 1);
}
