// Event counters.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>

#include "target/threads/descriptor/descriptors.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/library/library_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/outside/outside_room.h"

enum { EVENT_SIZE = sizeof(uint64_t) };

#define EVENT_MOST (UINT64_MAX - 1)

static int fd_events_wrong(int error)
{
    errno = error;
    return -1;
}

PUBLIC int eventfd(unsigned count, int flags)
{
    struct thread *t = engine.running;
    if (!t) {
        early_refuse("makes an eventfd", HERE);
        return NATIVE(eventfd)(count, flags);
    }
    if (flags & ~(EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE))
        return fd_events_wrong(EINVAL);
    if (descriptors_of_kernel())
        return USING(eventfd)(count, flags);
    uint64_t object = descriptor_object(t);
    uint32_t number = file_new(t, FILE_EVENT, object, flags & EFD_NONBLOCK ? O_NONBLOCK : 0);
    struct file *f = file_at(number);
    f->counter = count;
    f->semaphore = (flags & EFD_SEMAPHORE) != 0;
    state_releases_silently();
    know_release_more(&engine.races, &t->know, &f->release);
    descriptor_made(t, "eventfd", object, HERE);
    return descriptor_new(t, number, 0, flags & EFD_CLOEXEC);
}

bool event_can_read(const struct fd_call *call, const struct file *f)
{
    return call->total < EVENT_SIZE || f->counter > 0;
}

long event_read(struct fd_call *call, struct thread *t, struct file *f)
{
    if (call->total < EVENT_SIZE)
        return -EINVAL;
    keep_file(f);
    *(uint64_t *)fd_bounce = f->semaphore ? 1 : f->counter;
    f->counter -= *(uint64_t *)fd_bounce;
    f->drained++;
    know_acquire(&engine.races, &t->know, &f->release);
    call->changed = true;
    return EVENT_SIZE;
}

static bool is_event_ok(const struct fd_call *call, uint64_t *value)
{
    if (call->total < EVENT_SIZE)
        return false;
    plain_move(value, call->parts[0].iov_base, EVENT_SIZE);
    return *value <= EVENT_MOST;
}

bool event_can_write(const struct fd_call *call, const struct file *f)
{
    uint64_t value;
    return !is_event_ok(call, &value) || value <= EVENT_MOST - f->counter;
}

long event_write(struct fd_call *call, struct thread *t, struct file *f)
{
    uint64_t value;
    if (!is_event_ok(call, &value))
        return -EINVAL;
    keep_file(f);
    f->counter += value;
    f->written++;
    know_release_more(&engine.races, &t->know, &f->release);
    call->changed = true;
    return EVENT_SIZE;
}

PUBLIC int eventfd_read(int fd, eventfd_t *value)
{
    if (!engine.running || !is_descriptor(fd))
        return USING(eventfd_read)(fd, value);
    struct iovec part = {value, sizeof *value};
    struct fd_call call = {.fd = fd, .parts = &part, .count = 1};
    long n = fd_receive(engine.running, &call, HERE);
    return n < 0 ? fd_events_wrong((int)-n) : n == sizeof *value ? 0 : -1;
}

PUBLIC int eventfd_write(int fd, eventfd_t value)
{
    if (!engine.running || !is_descriptor(fd))
        return USING(eventfd_write)(fd, value);
    struct iovec part = {&value, sizeof value};
    struct fd_call call = {.fd = fd, .parts = &part, .count = 1};
    long n = fd_transmit(engine.running, &call, HERE);
    return n < 0 ? fd_events_wrong((int)-n) : n == sizeof value ? 0 : -1;
}
