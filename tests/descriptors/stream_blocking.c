// expect: verified
// More than fits goes through a stream in pieces, by writev and readv.
#define _GNU_SOURCE
#include "outcome.h"

#include <sys/socket.h>
#include <sys/uio.h>

enum { LENGTH = 100000 };

static int ends[2];
static char out[LENGTH], in[LENGTH];

static void *sender(void *unused)
{
    (void)unused;
    for (int i = 0; i < LENGTH; i++)
        out[i] = (char)(i % 251);
    struct iovec parts[2] = {{out, LENGTH / 3}, {out + LENGTH / 3, LENGTH - LENGTH / 3}};
    assert(writev(ends[0], parts, 2) == LENGTH);
    assert(!close(ends[0]));
    return NULL;
}

int main(void)
{
    assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    pthread_t a = start(sender);
    ssize_t n, all = 0;
    do {
        struct iovec parts[2] = {{in + all, (size_t)(LENGTH - all) / 2}, {in + all + (LENGTH - all) / 2, (size_t)(LENGTH - all + 1) / 2}};
        n = readv(ends[1], parts, 2);
        assert(n >= 0);
        all += n;
    } while (n && all < LENGTH);
    assert(all == LENGTH);
    join(a);
    assert(!memcmp(in, out, LENGTH));
    assert(read(ends[1], in, 1) == 0);
    return 0;
}
