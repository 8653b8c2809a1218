// expect: verified
// A file goes through a socket and a pipe that are smaller than it; what does not fit is left for later.
#define _GNU_SOURCE
#include "outcome.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>

enum { SIZE = 100000, PART = 5000 };
static int ends[2];
static char text[SIZE], got[PART];

static void *reader(void *unused)
{
    size_t have = 0;
    for (ssize_t n; (n = read(ends[0], got + have, PART - have)) > 0;)
        have += (size_t)n;
    assert(have == PART && !memcmp(text, got, PART));
    return unused;
}

static void answers(int in)
{
    off_t at = 5;
    int pair[2];
    assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    assert(sendfile(pair[0], in, &at, 3) == 3 && at == 8 && !lseek(in, 0, SEEK_CUR));
    assert(sendfile(pair[0], in, NULL, 2) == 2 && lseek(in, 0, SEEK_CUR) == 2);
    char five[6] = "";
    assert(read(pair[1], five, 5) == 5 && !strcmp(five, "56701"));
    at = SIZE;
    assert(!sendfile(pair[0], in, &at, 3));
    FAILS(sendfile(pair[0], pair[1], NULL, 3), EINVAL);
    at = -1;
    FAILS(sendfile(pair[0], in, &at, 3), EINVAL);
    assert(!fcntl(pair[0], F_SETFL, O_NONBLOCK));
    ssize_t n = sendfile(pair[0], in, NULL, SIZE);
    assert((n > 0 || errno == EAGAIN) && lseek(in, 0, SEEK_CUR) == 2 + (n > 0 ? n : 0));
    close(pair[0]);
    FAILS(sendfile(pair[0], in, NULL, 3), EBADF);
}

int main(void)
{
    for (int i = 0; i < SIZE; i++)
        text[i] = (char)('0' + i % 10);
    int in = memfd_create("text", 0);
    assert(write(in, text, SIZE) == SIZE && !lseek(in, 0, SEEK_SET));
    answers(in);
    assert(!pipe(ends) && !lseek(in, 0, SEEK_SET));
    assert(fcntl(ends[0], F_SETPIPE_SZ, 4096) == 4096);
    pthread_t t = start(reader);
    size_t sent = 0;
    for (ssize_t n; sent < PART && (n = sendfile(ends[1], in, NULL, PART - sent)) > 0;)
        sent += (size_t)n;
    close(ends[1]);
    join(t);
    return sent != PART;
}
