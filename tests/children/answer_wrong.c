// expect: bug assertion
// The child says something else than was hoped for.
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
    int p[2];
    char c;
    assert(!pipe(p));
    if (!fork()) {
        write(p[1], "n", 1);
        _exit(0);
    }
    close(p[1]);
    assert(read(p[0], &c, 1) == 1);
    wait(0);
    assert(c == 'y');
}
