// Named semaphores, inside the process: none is there when it starts, and no other process sees them. Opening, closing and
// removing are events on all names together; what is behind a name is a semaphore like any other (semaphores.c).
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/fail.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/pthread/surface.h"
#include "target/threads/engine/engine_room.h"

enum { NAMED = 64 };

static struct named {
    char name[NAME_MAX]; // empty once it is removed
    uint64_t references; // how often it is open
} named[NAMED];

// The semaphores themselves lie where addresses are the same in every execution.
static sem_t *semaphores;

void named_semaphores_prepare(void)
{
    struct thread *t = engine.running;
    engine.running = NULL; // heddle's own memory
    semaphores = malloc(NAMED * sizeof *semaphores);
    engine.running = t;
    require(semaphores);
}

static sem_t *named_semaphores_fails(int error)
{
    errno = error;
    return SEM_FAILED;
}

// The name without its slashes in front; NULL if it is none.
static const char *named_semaphores_proper(const char *name, const void *pc)
{
    size_t length = reported_length(name, NAME_MAX + 8, pc);
    for (; *name == '/'; name++)
        length--;
    bool good = length && length < NAME_MAX;
    for (size_t i = 0; good && i < length; i++)
        good = name[i] != '/';
    errno = length >= NAME_MAX ? ENAMETOOLONG : EINVAL;
    return good ? name : NULL;
}

static struct named *named_semaphores_find(const char *name)
{
    size_t length = plain_length(name, NAME_MAX) + 1;
    for (int i = 0; i < NAMED; i++)
        if (plain_differ(named[i].name, name, length) == length)
            return &named[i];
    return NULL;
}

// From now until the next visible operation nobody else has to do with names.
static void be_alone_with_names(struct thread *t, const void *pc)
{
    if (!semaphores)
        named_semaphores_prepare();
    uint64_t address = (uint64_t)(uintptr_t)semaphores + NAMED * sizeof *semaphores - 1; // nothing else has this one
    ask(t, OP_SEM_NAME, address, place_at(address), pc);
    visible(t);
}

static sem_t *named_semaphores_create(struct thread *t, const char *name, unsigned value)
{
    for (int i = 0; i < NAMED; i++) {
        if (named[i].references || named[i].name[0])
            continue;
        undo_save(&engine.undo, &named[i], sizeof named[i]);
        plain_move(named[i].name, name, plain_length(name, NAME_MAX) + 1);
        named[i].references = 1;
        semaphore_begin(&semaphores[i], value, true);
        return &semaphores[i];
    }
    unsupported(t, "the program opens more named semaphores than heddle follows (64)");
}

static sem_t *open_named(struct thread *t, const char *name, int flags, unsigned value, const void *pc)
{
    name = named_semaphores_proper(name, pc);
    if (!name)
        return SEM_FAILED;
    be_alone_with_names(t, pc);
    struct named *known = named_semaphores_find(name);
    if (known && (flags & O_CREAT) && (flags & O_EXCL))
        return named_semaphores_fails(EEXIST);
    if (known) {
        undo_save_word(&engine.undo, &known->references);
        known->references++;
        return &semaphores[known - named];
    }
    if (!(flags & O_CREAT))
        return named_semaphores_fails(ENOENT);
    return value > SEM_VALUE_MAX ? named_semaphores_fails(EINVAL) : named_semaphores_create(t, name, value);
}

PUBLIC sem_t *sem_open(const char *name, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
    unsigned value = flags & O_CREAT ? va_arg(more, unsigned) : 0;
    va_end(more);
    struct thread *t = engine.running;
    return t ? open_named(t, name, flags, value, HERE) : NATIVE(sem_open)(name, flags, mode, value);
}

PUBLIC int sem_close(sem_t *s)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(sem_close)(s);
    bool ours = semaphores && s >= semaphores && s < semaphores + NAMED;
    if (ours)
        be_alone_with_names(t, HERE);
    struct named *known = ours ? &named[s - semaphores] : NULL;
    if (!known || !known->references) {
        errno = EINVAL;
        return -1;
    }
    undo_save_word(&engine.undo, &known->references);
    if (!--known->references && !known->name[0])
        semaphore_end(s);
    return 0;
}

PUBLIC int sem_unlink(const char *name)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(sem_unlink)(name);
    const char *bare = named_semaphores_proper(name, HERE);
    if (bare)
        be_alone_with_names(t, HERE);
    struct named *known = bare ? named_semaphores_find(bare) : NULL;
    if (!known) {
        errno = ENOENT;
        return -1;
    }
    undo_save(&engine.undo, known, sizeof *known);
    known->name[0] = 0;
    if (!known->references)
        semaphore_end(&semaphores[known - named]);
    return 0;
}
