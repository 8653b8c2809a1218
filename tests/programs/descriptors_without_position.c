// expect: verified
// Pipes, sockets and event counters have no position to go to and nothing to be cut or put on a disk.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

static void check_unplaced(int fd)
{
    char byte;
    assert(pread(fd, &byte, 1, 0) == -1 && errno == ESPIPE);
    assert(pwrite(fd, &byte, 1, 0) == -1 && errno == ESPIPE);
    assert(ftruncate(fd, 0) == -1 && errno == EINVAL);
    assert(fsync(fd) == -1 && errno == EINVAL);
    assert(fdatasync(fd) == -1 && errno == EINVAL);
}

int main(void)
{
    int ends[2], sockets[2], counter = eventfd(0, 0);
    assert(!pipe(ends) && !socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
    check_unplaced(ends[0]);
    check_unplaced(sockets[0]);
    check_unplaced(counter);
    assert(lseek(ends[0], 0, SEEK_CUR) == -1 && errno == ESPIPE);
    assert(lseek(sockets[0], 0, SEEK_CUR) == -1 && errno == ESPIPE);
    assert(lseek(counter, 0, SEEK_CUR) == 0);
}
