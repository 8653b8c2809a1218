// Calls that heddle does not follow on descriptors between threads: the kernel would say that there is no such
// descriptor, and that would be silently wrong. On all others they are the C library's.
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "target/threads/descriptor/descriptors.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/outside/outside_room.h"
#include "target/threads/descriptor/descriptor_room.h"

// `first` tells what it is about to do to a descriptor of the kernel's.
#define REFUSED_ON(condition, result, name, parameters, arguments, instead, first)                                     \
    PUBLIC result name parameters                                                                                      \
    {                                                                                                                  \
        if (engine.running && (condition))                                                                             \
            refuse(engine.running, #name " on a pipe, socket pair or eventfd", instead);                               \
        if (engine.running)                                                                                            \
            first;                                                                                                     \
        return NATIVE(name) arguments;                                                                                 \
    }
#define USED(name) outside(engine.running, #name, OUTSIDE_USES, HERE)
#define LOOKED_AT(name) outside(engine.running, #name, OUTSIDE_LOOKS, HERE)

REFUSED_ON(is_descriptor(fd) || is_descriptor(to), int, dup2, (int fd, int to), (fd, to), "use dup", USED(dup2))
REFUSED_ON(is_descriptor(fd) || is_descriptor(to), int, dup3, (int fd, int to, int flags), (fd, to, flags), "use dup",
           USED(dup3))
REFUSED_ON(is_descriptor(fd), FILE *, fdopen, (int fd, const char *mode), (fd, mode), "use read and write",
           USED(fdopen))
REFUSED_ON(is_descriptor(fd), int, fstat, (int fd, struct stat *to), (fd, to), "leave it out",
           (LOOKED_AT(fstat), access_write(to, sizeof *to, HERE)))
REFUSED_ON(is_descriptor(fd), int, isatty, (int fd), (fd), "leave it out", LOOKED_AT(isatty))
REFUSED_ON(is_descriptor(in) || is_descriptor(out), ssize_t, splice,
           (int in, off64_t *from, int out, off64_t *to, size_t size, unsigned flags), (in, from, out, to, size, flags),
           "use read and write", USED(splice))
REFUSED_ON(is_descriptor(in) || is_descriptor(out), ssize_t, tee, (int in, int out, size_t size, unsigned flags),
           (in, out, size, flags), "use read and write", USED(tee))
REFUSED_ON(is_descriptor(fd), ssize_t, vmsplice, (int fd, const struct iovec *parts, size_t count, unsigned flags),
           (fd, parts, count, flags), "use writev", USED(vmsplice))
