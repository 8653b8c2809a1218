// expect: verified
// Error returns, end of file, flags.
#define _GNU_SOURCE
#include "outcome.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>

static int ends[2];

static void answers(void)
{
    int p[2], n;
    char c[16], big[8192];
    memset(big, 0, sizeof big);
    FAILS(pipe2(p, O_APPEND), EINVAL);
    assert(!pipe2(p, O_NONBLOCK | O_CLOEXEC));
    assert(p[0] != p[1] && p[0] > 2 && p[1] > 2);
    FAILS(read(p[0], c, 1), EAGAIN);
    FAILS(read(p[1], c, 1), EBADF);
    FAILS(write(p[0], c, 1), EBADF);
    assert(write(p[1], "hello", 5) == 5);
    FAILS(read(p[0], NULL, 5), EFAULT);
    assert(!ioctl(p[0], FIONREAD, &n) && n == 5);
    assert(read(p[0], c, 2) == 2 && !memcmp(c, "he", 2));
    assert(read(p[0], c, sizeof c) == 3 && !memcmp(c, "llo", 3));
    assert(write(p[1], c, 0) == 0);
    FAILS(send(p[1], c, 1, 0), ENOTSOCK);
    FAILS(shutdown(p[1], SHUT_WR), ENOTSOCK);
    // vectors
    struct iovec out[3] = {{"ab", 2}, {"", 0}, {"cde", 3}}, in[2] = {{c, 1}, {c + 8, 8}};
    assert(writev(p[1], out, 3) == 5);
    assert(readv(p[0], in, 2) == 5 && c[0] == 'a' && !memcmp(c + 8, "bcde", 4));
    volatile int negative = -1;
    FAILS(writev(p[1], out, negative), EINVAL);
    // flags
    assert(fcntl(p[0], F_GETFL) == (O_RDONLY | O_NONBLOCK));
    assert(fcntl(p[1], F_GETFL) == (O_WRONLY | O_NONBLOCK));
    assert(fcntl(p[0], F_GETFD) == FD_CLOEXEC);
    assert(!fcntl(p[0], F_SETFD, 0) && fcntl(p[0], F_GETFD) == 0);
    assert(!fcntl(p[0], F_SETFL, 0) && fcntl(p[0], F_GETFL) == O_RDONLY);
    n = 1;
    assert(!ioctl(p[0], FIONBIO, &n) && fcntl(p[0], F_GETFL) == (O_RDONLY | O_NONBLOCK));
    // full: whole if it is short, in part if it is long
    assert(fcntl(p[1], F_SETPIPE_SZ, 4096) == 4096 && fcntl(p[0], F_GETPIPE_SZ) == 4096);
    assert(write(p[1], big, 4000) == 4000);
    FAILS(write(p[1], big, 200), EAGAIN);
    assert(write(p[1], big, 96) == 96);
    FAILS(write(p[1], big, 5000), EAGAIN);
    assert(read(p[0], big, sizeof big) == 4096);
    assert(write(p[1], big, 5000) == 4096);
    // duplicates: the end is open as long as one of them is
    int twin = dup(p[1]), third = fcntl(p[1], F_DUPFD, 0);
    assert(twin > 2 && third > 2 && twin != third);
    assert(!close(p[1]) && !close(third));
    FAILS(close(p[1]), EBADF);
    FAILS(write(p[1], c, 1), EBADF);
    FAILS(dup(p[1]), EBADF);
    FAILS(fcntl(p[1], F_GETFL), EBADF);
    assert(read(p[0], big, sizeof big) == 4096);
    FAILS(read(p[0], c, 1), EAGAIN);
    assert(!close(twin));
    assert(read(p[0], c, 1) == 0 && read(p[0], c, 1) == 0);
    assert(!close(p[0]));
    // nobody reads
    assert(!pipe(p) && !close(p[0]));
    FAILS(write(p[1], c, 1), EPIPE);
    assert(!close(p[1]));
    FAILS(read(-1, c, 1), EBADF);
    FAILS(close(-1), EBADF);
}

static void *also(void *unused)
{
    (void)unused;
    char c;
    assert(read(ends[0], &c, 1) == 1);
    answers();
    return NULL;
}

int main(void)
{
    assert(signal(SIGPIPE, SIG_IGN) == SIG_DFL);
    answers();
    assert(!pipe(ends));
    pthread_t a = start(also);
    assert(write(ends[1], "x", 1) == 1);
    answers();
    join(a);
    return 0;
}
