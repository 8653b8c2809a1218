#define _GNU_SOURCE
#include "target/threads/outside/outside_room.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/raw.h"
#include "base/tree.h"
#include "target/threads/descriptor/descriptor_room.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"

static struct {
    char object;      // its address stands for everything outside
    const char *last; // call
    bool changed;     // since the directory was put back
    bool looked;
    struct tree tree;
} world;

enum effect do_look(struct thread *t, struct place *none)
{
    (void)none;
    t->result = 0;
    return EFFECT_READ;
}

const char *outside_last(void)
{
    return world.last;
}

static _Noreturn void outside_learn(struct thread *t, const char *name, const void *pc)
{
    struct lessons *learnt = &engine.learnt;
    if (!learnt->outside_pc) {
        engine.running = NULL; // heddle's own doing
        snprintf(learnt->outside_call, sizeof learnt->outside_call, "%s", name);
        engine.running = t;
        learnt->outside_pc = (uint64_t)(uintptr_t)pc;
    }
    search_again(t);
    __builtin_unreachable();
}

static _Noreturn void refuse_here(struct thread *t, const char *name)
{
    static char text[256];
    engine.running = NULL;
    snprintf(text, sizeof text,
             "the program calls %s, which cannot be taken back in memory: use --restart fork, or leave --restart out",
             name);
    engine.running = t;
    unsupported(t, text);
}

static void outside_demand(struct thread *t, const char *name, enum outside_kind kind, const void *pc)
{
    bool place = kind >= OUTSIDE_CHANGES;
    if (engine.real) // nothing is taken back there
        return;
    if (!engine.forking && engine.stays_in_memory)
        refuse_here(t, name);
    engine.learnt.needs_fork |= !engine.forking;
    engine.learnt.needs_place |= place;
    if (!engine.forking || (place && !engine.private_place))
        outside_learn(t, name, pc);
}

void outside(struct thread *t, const char *name, enum outside_kind kind, const void *pc)
{
    if (kind != OUTSIDE_LOOKS)
        outside_demand(t, name, kind, pc);
    if (kind == OUTSIDE_STARTS)
        forked_refuse(t, "starts another program");
    world.last = name;
    uint64_t object = (uint64_t)(uintptr_t)&world.object;
    if (kind == OUTSIDE_COPIES) {
        snapshot_take(t, pc);
    } else {
        ask(t, kind == OUTSIDE_LOOKS ? OP_LOOK : OP_OUTSIDE, 0, place_at(object), pc)->operand = (uintptr_t)name;
        visible(t);
    }
    if (kind != OUTSIDE_LOOKS) {
        world.changed = true;
        forking_spoil();
    }
    engine.has_children |= kind >= OUTSIDE_STARTS;
    engine.started_processes |= kind == OUTSIDE_STARTS || (kind == OUTSIDE_COPIES && !forked_follows());
}

void output_elsewhere(const char *name, const void *pc)
{
    outside(engine.running, name, OUTSIDE_USES, pc);
}

bool output_may_be_elsewhere(void)
{
    return engine.forking;
}

static struct {
    uint64_t device, number;
} standard[STDERR_FILENO + 1];

void output_remember(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        struct stat file = {0};
        raw_call(SYS_fstat, fd, (long)&file, 0);
        standard[fd].device = file.st_dev;
        standard[fd].number = file.st_ino;
    }
}

// Whether the program has not put something else in its place.
static bool is_as_before(int fd)
{
    struct stat file = {0};
    raw_call(SYS_fstat, fd, (long)&file, 0);
    return file.st_dev == standard[fd].device && file.st_ino == standard[fd].number;
}

bool output_is_standard(int fd)
{
    if (fd != STDOUT_FILENO && fd != STDERR_FILENO)
        return false;
    return !output_may_be_elsewhere() /* who replaces them needs a process for each execution */ || is_as_before(fd);
}

void input_note_read(int fd)
{
    if (fd == STDIN_FILENO && is_as_before(fd))
        engine.input_seen = true;
}

static bool lies_below(const char *path, const char *directory)
{
    size_t n = plain_length(directory, PATH_MAX);
    return n && plain_differ(path, directory, n) == n && (path[n] == '/' || !path[n] || directory[n - 1] == '/');
}

// Where a path leads. Of one that is not there yet, the directory in which it would be.
static bool outside_resolve(int directory, const char *path, char *real)
{
    char whole[PATH_MAX];
    int n = path[0] == '/' || directory == AT_FDCWD
                ? snprintf(whole, sizeof whole, "%s", path)
                : snprintf(whole, sizeof whole, "/proc/self/fd/%d/%s", directory, path);
    if (n < 0 || (size_t)n >= sizeof whole)
        return false;
    if (realpath(whole, real))
        return true;
    char *slash = strrchr(whole, '/');
    if (!slash)
        return realpath(".", real);
    slash[slash == whole] = 0;
    return realpath(whole, real);
}

static bool is_allowed(const char *real)
{
    static const char *const harmless[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/tty"};
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (!strcmp(real, harmless[i]))
            return true;
    for (int i = 0; i < ALLOWED_PLACES && engine.allowed[i]; i++)
        if (lies_below(real, engine.allowed[i]))
            return true;
    return engine.private_place && lies_below(real, engine.private_place);
}

void outside_change(struct thread *t, const char *name, int directory, const char *path, const void *pc)
{
    static char real[PATH_MAX], text[512];
    socket_path_is_file(t, path);
    outside(t, name, OUTSIDE_CHANGES, pc);
    int error = errno;
    engine.running = NULL; // heddle's own doing
    bool found = outside_resolve(directory, path, real), allowed = !found || is_allowed(real);
    if (!allowed)
        snprintf(
            text, sizeof text,
            "the program calls %s for %.200s, outside its working directory, and what it does there would stay: use a "
            "path below the working directory, or allow it with --allow-writes DIR",
            name, path);
    engine.running = t;
    errno = error;
    if (!allowed)
        unsupported(t, text);
}

// What follows a directory that the path lies in or is.
static const char *outside_below(const char *real, const char *directory)
{
    return lies_below(real, directory) ? real + plain_length(directory, PATH_MAX) : NULL;
}

const char *outside_kept(int directory, const char *path)
{
    static char real[PATH_MAX], copy[2 * PATH_MAX];
    struct thread *t = engine.running;
    const char *rest = NULL;
    if (!t || !engine.kept[0] || !path)
        return path;
    int error = errno;
    engine.running = NULL; // heddle's own doing
    bool there = outside_resolve(directory, path, real);
    for (int i = 0; there && !rest && i < ALLOWED_PLACES && engine.kept[i]; i++)
        if ((rest = outside_below(real, engine.kept[i])))
            snprintf(copy, sizeof copy, "%s%s", engine.kept_at[i], rest);
    engine.running = t;
    errno = error;
    return rest ? copy : path;
}

const char *outside_renew(void)
{
    if (!engine.private_place)
        return NULL;
    tree_empty(engine.private_place);
    return tree_copy(engine.place_from, engine.private_place, engine.private_place, UINT64_MAX);
}

const char *outside_restore(void)
{
    const char *why = NULL;
    raw_call(SYS_lseek, STDIN_FILENO, 0, SEEK_SET); // processes share how far it was read
    if (!engine.private_place)
        return NULL;
    if (!world.looked)
        why = tree_look(&world.tree, engine.place_from, engine.private_place);
    else if (world.changed)
        why = tree_restore(&world.tree);
    world.looked = true;
    world.changed = false;
    return why;
}
