// expect: verified
// A pipe to a child, and threads with a lock.
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
int p[2], n;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *x)
{
    pthread_mutex_lock(&m);
    n++;
    pthread_mutex_unlock(&m);
    return x;
}
int main(void)
{
    char c;
    assert(!pipe(p));
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    f(0);
    pthread_join(t, 0);
    assert(n == 2);
    if (!fork()) {
        write(p[1], "x", 1);
        _exit(0);
    }
    close(p[1]);
    assert(read(p[0], &c, 1) == 1);
    wait(0);
}
