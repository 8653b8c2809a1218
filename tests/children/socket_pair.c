// expect: verified
// The child answers by a socket pair.
#include <assert.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
    int p[2];
    char c;
    assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, p));
    if (!fork()) {
        if (read(p[1], &c, 1) != 1 || write(p[1], "y", 1) != 1)
            _exit(1);
        _exit(0);
    }
    assert(write(p[0], "x", 1) == 1);
    assert(read(p[0], &c, 1) == 1 && c == 'y');
    int s;
    wait(&s);
    assert(!s);
}
