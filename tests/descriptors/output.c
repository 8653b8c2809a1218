// expect: verified
// Descriptors of the kernel go on as before: output, files, and numbers that do not collide.
#define _GNU_SOURCE
#include "outcome.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>

static int ends[2];

static void *writer(void *unused)
{
    (void)unused;
    assert(syscall(SYS_write, ends[1], "p", 1) == 1);
    return NULL;
}

int main(void)
{
    struct iovec parts[2] = {{"ab", 2}, {"\n", 1}};
    char c = 0;
    assert(write(1, "hello\n", 6) == 6 && writev(2, parts, 2) == 3);
    int file = open("/dev/zero", O_RDWR);
    assert(file > 2 && read(file, &c, 1) == 1 && write(file, "x", 1) == 1);
    assert(!pipe(ends) && ends[0] != file && ends[1] != file);
    pthread_t a = start(writer);
    assert(syscall(SYS_read, ends[0], &c, 1) == 1 && c == 'p');
    join(a);
    assert(!close(file));
    FAILS(read(file, &c, 1), EBADF);
    return 0;
}
