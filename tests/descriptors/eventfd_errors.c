// expect: verified
#define _GNU_SOURCE
#include "outcome.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/eventfd.h>

static void answers(void)
{
    uint64_t value, most = UINT64_MAX - 1, none = UINT64_MAX, one = 1, zero = 0;
    int fd = eventfd(2, EFD_NONBLOCK | EFD_CLOEXEC);
    assert(fd > 2 && fcntl(fd, F_GETFL) == (O_RDWR | O_NONBLOCK));
    FAILS(eventfd(0, 12345), EINVAL);
    FAILS(read(fd, &value, 7), EINVAL);
    FAILS(write(fd, &value, 7), EINVAL);
    FAILS(write(fd, &none, 8), EINVAL);
    assert(read(fd, &value, 8) == 8 && value == 2);
    FAILS(read(fd, &value, 8), EAGAIN);
    assert(write(fd, &zero, 8) == 8);
    FAILS(read(fd, &value, 8), EAGAIN);
    assert(write(fd, &most, 8) == 8);
    FAILS(write(fd, &one, 8), EAGAIN);
    assert(read(fd, &value, 8) == 8 && value == most);
    assert(!close(fd));
    FAILS(read(fd, &value, 8), EBADF);
    fd = eventfd(2, EFD_NONBLOCK | EFD_SEMAPHORE);
    assert(!eventfd_read(fd, &value) && value == 1);
    assert(!eventfd_read(fd, &value) && value == 1);
    FAILS(eventfd_read(fd, &value), EAGAIN);
    assert(!close(fd));
}

static void *also(void *unused)
{
    (void)unused;
    answers();
    return NULL;
}

static int full;

static void *writer(void *unused)
{
    (void)unused;
    assert(!eventfd_write(full, 5)); // waits until there is room
    return NULL;
}

int main(void)
{
    answers();
    join(start(also));
    eventfd_t value;
    full = eventfd(0, 0);
    assert(!eventfd_write(full, UINT64_MAX - 3));
    pthread_t a = start(writer);
    assert(!eventfd_read(full, &value) && value == UINT64_MAX - 3);
    join(a);
    assert(!eventfd_read(full, &value) && value == 5);
    return 0;
}
