// expect: bug assertion native: no
// Somebody who takes for granted that a pipe holds all of it.
#define _GNU_SOURCE
#include "outcome.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>

enum { SIZE = 100000 };
static int ends[2];
static char text[SIZE];

static void *reader(void *unused)
{
    static char part[SIZE];
    while (read(ends[0], part, SIZE) > 0)
        ;
    return unused;
}

int main(void)
{
    int in = memfd_create("text", 0);
    assert(write(in, text, SIZE) == SIZE && !lseek(in, 0, SEEK_SET));
    assert(!pipe2(ends, O_NONBLOCK));
    assert(!fcntl(ends[0], F_SETFL, 0));
    pthread_t t = start(reader);
    ssize_t n = sendfile(ends[1], in, NULL, SIZE);
    assert(n == SIZE);
    close(ends[1]);
    join(t);
    return 0;
}
