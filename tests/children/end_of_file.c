// expect: verified
// A pipe ends when the child does.
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
    int p[2];
    char c;
    assert(!pipe(p));
    if (!fork()) {
        close(p[0]);
        _exit(0);
    }
    close(p[1]);
    assert(read(p[0], &c, 1) == 0);
    wait(0);
}
