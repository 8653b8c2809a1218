// expect: verified
// A counter: writes add up, a read takes all and waits for something to take.
#include "outcome.h"

#include <stdint.h>
#include <sys/eventfd.h>

static int fd;
static int data;

static void *one(void *unused)
{
    (void)unused;
    data = 1;
    assert(!eventfd_write(fd, 3));
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    uint64_t four = 4;
    assert(write(fd, &four, sizeof four) == 8);
    return NULL;
}

int main(void)
{
    uint64_t got[2] = {0};
    fd = eventfd(0, 0);
    assert(fd > 2);
    pthread_t a = start(one), b = start(two);
    int reads = 0, seen = 0;
    for (uint64_t sum = 0; sum < 7; sum += got[reads++]) {
        assert(read(fd, &got[reads], 8) == 8);
        if (got[reads] != 4 && !seen++)
            assert(data == 1);
    }
    join(a);
    join(b);
    outcome(reads == 1 ? 1 : got[0] == 3 ? 2 : 3);
    return 0;
}
