// expect: incomplete
// A pipe between threads is the kernel's where the program forks, and waits there.
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
int p[2];
void *f(void *x)
{
    write(p[1], "x", 1);
    return x;
}
int main(void)
{
    char c;
    assert(!pipe(p));
    if (!fork())
        _exit(0);
    wait(0);
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    assert(read(p[0], &c, 1) == 1);
    pthread_join(t, 0);
}
