// Paths of Unix sockets, for which no file is made: removing one, and changing who may use it.
//
// A path is there from `bind` on, also when the socket has been closed, until it is removed. What a program removes before it
// binds a socket to it is mostly the path of an earlier run. So if the kernel has nothing of that name in a program that binds
// sockets, the path is taken for a socket's. Both that and that a file of this name is made after all are learnt, and the search
// begins anew.
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/raw.h"
#include "target/threads/descriptor/endpoints.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"

// No addresses of the program.
#define SOCKETS 0xfc0000000000ull
#define FILES 0xfe0000000000ull

// What stands for the path in what is learnt.
static uint64_t path_mark(uint64_t kind, const char *path)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *path; path++)
        hash = (hash ^ (uint8_t)*path) * 0x100000001b3u;
    return kind + (hash >> 28 << 4);
}

static bool is_taken_for_socket(const char *path)
{
    return places_know(path_mark(SOCKETS, path));
}

void socket_path_is_file(struct thread *t, const char *path)
{
    if (path && is_taken_for_socket(path))
        places_learn(t, path_mark(FILES, path));
}

static bool kernel_has(const char *path)
{
    struct stat there;
    return raw_call(SYS_lstat, (long)path, (long)&there, 0) == 0;
}

struct path_call {
    struct endpoint_name name;
    bool removes;
};

static long do_path(struct fd_call *call, struct thread *t)
{
    (void)t;
    struct path_call *p = call->more;
    struct file *f = endpoint_at_path(&p->name);
    if (!f)
        return -ENOENT;
    if (p->removes) {
        keep_endpoint(endpoint_of(f));
        endpoint_of(f)->at_path = 0;
        call->changed = true;
    }
    return 0;
}

bool socket_path_call(struct thread *t, const char *path, bool removes, long *result, const void *pc)
{
    struct path_call p = {.name = {.family = AF_UNIX}, .removes = removes};
    size_t length = path && imported.binds && !engine.forked ? strnlen(path, MOST_PATH) : 0;
    if (!length || length == MOST_PATH || places_know(path_mark(FILES, path)))
        return false;
    if (!is_taken_for_socket(path) && kernel_has(path))
        return false;
    places_learn(t, path_mark(SOCKETS, path));
    access_read(path, length + 1, pc);
    p.name.length = (uint32_t)length;
    plain_move(p.name.path, path, length);
    descriptor_made(t, "sockets", sockets_object(), pc);
    struct fd_call call = {.ready = ready_at_once, .act = do_path, .fd = -1, .more = &p};
    ask(t, OP_FD_CONTROL, sockets_object(), fd_place(t, sockets_object(), false), pc)->operand = (uintptr_t)&call;
    *result = (long)visible(t);
    return true;
}
