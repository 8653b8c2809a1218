// Sockets to the world outside. A call that waits for another thread of the program waits for ever, since only one runs
// at a time; the origin of the processes sees that (forking.c, `await`).
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/socket.h>

#include "target/threads/libc/libc_room.h"
#include "target/threads/outside/outside_calls.h"
#include "target/threads/outside/outside_room.h"

OUTSIDE_CALL(OUTSIDE_USES, int, shm_open, (const char *name, int flags, mode_t mode), (name, flags, mode))
OUTSIDE_CALL(OUTSIDE_USES, int, shm_unlink, (const char *name), (name))
OUTSIDE_CALL(OUTSIDE_USES, int, memfd_create, (const char *name, unsigned flags), (name, flags))
