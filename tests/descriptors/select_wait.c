// expect: verified
// select waits; the writer is told when there is room.
#define _GNU_SOURCE
#include "outcome.h"

#include <fcntl.h>
#include <sys/select.h>

static int ends[2];
static char block[4096];

static void *writer(void *unused)
{
    (void)unused;
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[1], &set);
    assert(select(ends[1] + 1, NULL, &set, NULL, NULL) == 1);
    assert(write(ends[1], "z", 1) == 1); // does not wait
    return NULL;
}

int main(void)
{
    fd_set set;
    assert(!pipe(ends) && fcntl(ends[1], F_SETPIPE_SZ, 4096) == 4096);
    assert(write(ends[1], block, sizeof block) == sizeof block);
    pthread_t a = start(writer);
    assert(read(ends[0], block, sizeof block) == sizeof block);
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    assert(select(ends[0] + 1, &set, NULL, NULL, NULL) == 1 && FD_ISSET(ends[0], &set));
    assert(read(ends[0], block, sizeof block) == 1 && block[0] == 'z');
    join(a);
    return 0;
}
