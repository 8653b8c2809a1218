// epoll on descriptors between threads. With an epoll descriptor in the program all descriptors are one object.
//
// Edge-triggered: an interest is told again only after something arrived, or room was made, since it was told last; as in
// the kernel it is then told with everything that holds. If more hold than the caller has room for, those that come after
// the ones told last have their turn next; the kernel's order is that of the changes.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <time.h>

#include "base/mem.h"
#include "target/threads/descriptor/endpoints.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/engine/engine_room.h"

enum { EPOLLS = 128, INTERESTS = 256, ALWAYS = EPOLLERR | EPOLLHUP };

struct interest {
    uint32_t file; // + 1
    int32_t fd;
    uint32_t events;
    uint32_t off;   // by EPOLLONESHOT
    uint32_t fresh; // set or changed since it was told last
    uint32_t unused;
    uint64_t data;
    uint64_t written, drained; // of its file, when it was told last
};

struct epoll {
    uint32_t count, next; // where looking begins
    struct interest list[INTERESTS];
};

static struct {
    struct epoll *epolls;
    uint64_t count;
} all;

static struct epoll *epoll_of(const struct file *f)
{
    return &all.epolls[f->epoll - 1];
}

static void keep_interest(struct interest *i)
{
    undo_save(&engine.undo, i, sizeof *i);
}

static void keep_counts(struct epoll *e)
{
    undo_save(&engine.undo, e, 2 * sizeof(uint32_t));
}

// Counts what has happened to a file so far.
static void fd_epoll_edges(const struct file *f, uint64_t *written, uint64_t *drained)
{
    const struct channel *in = channel_at(f->in), *out = f->out ? channel_at(f->out) : datagram_outlet(f);
    *written = f->written + (in ? in->written : 0);
    *drained = f->drained + (out ? out->drained : 0);
}

static bool is_armed(const struct interest *i, const struct file *f)
{
    uint64_t written, drained;
    if (!(i->events & EPOLLET) || i->fresh)
        return true;
    fd_epoll_edges(f, &written, &drained);
    return ((i->events & (EPOLLIN | EPOLLRDNORM | EPOLLRDHUP)) && written != i->written) ||
           ((i->events & (EPOLLOUT | EPOLLWRNORM)) && drained != i->drained);
}

// The events that a wait reports for it now, or 0.
static uint32_t fd_epoll_telling(const struct interest *i)
{
    const struct file *f = file_at(i->file);
    if (!f || !f->references || i->off || !is_armed(i, f))
        return 0;
    return file_events(f) & (i->events | ALWAYS);
}

static uint32_t how_many(const struct epoll *e)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < e->count; i++)
        n += fd_epoll_telling(&e->list[i]) != 0;
    return n;
}

bool epoll_readable(const struct file *f)
{
    return how_many(epoll_of(f)) > 0;
}

// Those whose expiry would be told.
static void each_awaited(const struct fd_call *call, void (*each)(struct file *f, void *to), void *to)
{
    const struct file *f = file_at(call->file ? call->file : open_file(call->fd));
    if (!f || f->kind != FILE_EPOLL)
        return;
    const struct epoll *e = epoll_of(f);
    for (uint32_t i = 0; i < e->count; i++) {
        struct file *watched = file_at(e->list[i].file);
        if (watched && watched->references && !e->list[i].off && e->list[i].events & (EPOLLIN | EPOLLRDNORM))
            each(watched, to);
    }
}

// ---- epoll_create ----

static int fd_epoll_create(struct thread *t, int flags, const void *pc)
{
    if (!all.epolls)
        all.epolls = mem_reserve(EPOLLS * sizeof *all.epolls);
    if (all.count == EPOLLS)
        unsupported(t, "the program makes more epoll descriptors in one execution than heddle follows (128)");
    uint64_t object = descriptor_object(t);
    uint32_t number = file_new(t, FILE_EPOLL, object, 0);
    undo_save_word(&engine.undo, &all.count);
    file_at(number)->epoll = (uint32_t)++all.count;
    struct epoll *e = epoll_of(file_at(number));
    keep_counts(e);
    e->count = e->next = 0;
    descriptor_made(t, "epoll", object, pc);
    return descriptor_new(t, number, 0, flags & EPOLL_CLOEXEC);
}

static int fd_epoll_wrong(int error)
{
    errno = error;
    return -1;
}

PUBLIC int epoll_create(int size)
{
    if (!engine.running)
        return NATIVE(epoll_create)(size);
    return size > 0 ? fd_epoll_create(engine.running, 0, HERE) : fd_epoll_wrong(EINVAL);
}

PUBLIC int epoll_create1(int flags)
{
    if (!engine.running)
        return NATIVE(epoll_create1)(flags);
    return flags & ~EPOLL_CLOEXEC ? fd_epoll_wrong(EINVAL) : fd_epoll_create(engine.running, flags, HERE);
}

// ---- epoll_ctl ----

struct change {
    int command, fd;
    uint32_t events;
    uint64_t data;
};

static struct interest *fd_epoll_find(struct epoll *e, uint32_t file, int fd)
{
    for (uint32_t i = 0; i < e->count; i++)
        if (e->list[i].file == file && e->list[i].fd == fd)
            return &e->list[i];
    return NULL;
}

static void set_interest(struct interest *i, uint32_t file, const struct change *c)
{
    keep_interest(i);
    *i = (struct interest){.file = file, .fd = c->fd, .events = c->events, .data = c->data, .fresh = 1};
}

static long fd_epoll_add(struct epoll *e, uint32_t file, const struct change *c)
{
    if (e->count == INTERESTS) {
        cannot_follow("the program has more descriptors in one epoll than heddle follows (256)");
        return -ENOSPC;
    }
    keep_counts(e);
    set_interest(&e->list[e->count++], file, c);
    return 0;
}

static void take_out(struct epoll *e, struct interest *i)
{
    keep_counts(e);
    e->next = 0;
    e->count--;
    for (; i < e->list + e->count; i++) {
        keep_interest(i);
        *i = i[1];
    }
}

// EPOLLEXCLUSIVE is for adding, with little else, and lasts.
static bool breaks_exclusion(const struct change *c, const struct interest *known)
{
    const uint32_t fits = EPOLLIN | EPOLLOUT | EPOLLERR | EPOLLHUP | EPOLLET | EPOLLWAKEUP | (uint32_t)EPOLLEXCLUSIVE;
    if (c->command == EPOLL_CTL_MOD && known && known->events & EPOLLEXCLUSIVE)
        return true;
    return c->events & EPOLLEXCLUSIVE && (c->command == EPOLL_CTL_MOD || c->events & ~fits);
}

// Of several epolls that watch a file so, the kernel wakes the waiters of one or more; here it would be all of them.
static bool shares_exclusion(const struct epoll *e, uint32_t file)
{
    for (uint64_t i = 0; i < all.count; i++)
        for (uint32_t k = 0; &all.epolls[i] != e && k < all.epolls[i].count; k++)
            if (all.epolls[i].list[k].file == file && all.epolls[i].list[k].events & EPOLLEXCLUSIVE)
                return true;
    return false;
}

static long do_change(struct fd_call *call, struct thread *t)
{
    (void)t;
    const struct change *c = call->more;
    struct file *f = file_of(call);
    uint32_t file = open_file(c->fd);
    if (!f || !file)
        return -EBADF;
    if (f->kind != FILE_EPOLL || file == call->file)
        return -EINVAL;
    struct epoll *e = epoll_of(f);
    struct interest *known = fd_epoll_find(e, file, c->fd);
    if (breaks_exclusion(c, known))
        return -EINVAL;
    if (c->events & EPOLLEXCLUSIVE && shares_exclusion(e, file))
        cannot_follow("the program watches one descriptor by several epolls with EPOLLEXCLUSIVE, of which heddle does "
                      "not explore whose waiters are woken");
    if (c->command == EPOLL_CTL_ADD ? known != NULL : !known)
        return known ? -EEXIST : -ENOENT;
    call->changed = true;
    if (c->command == EPOLL_CTL_ADD)
        return fd_epoll_add(e, file, c);
    if (c->command == EPOLL_CTL_MOD)
        set_interest(known, file, c);
    else
        take_out(e, known);
    return 0;
}

PUBLIC int epoll_ctl(int epoll, int command, int fd, struct epoll_event *event)
{
    struct thread *t = engine.running;
    if (!t || !is_descriptor(epoll))
        return NATIVE(epoll_ctl)(epoll, command, fd, event);
    struct change c = {.command = command, .fd = fd};
    if (command != EPOLL_CTL_ADD && command != EPOLL_CTL_MOD && command != EPOLL_CTL_DEL)
        return fd_epoll_wrong(EINVAL);
    if (command != EPOLL_CTL_DEL) {
        if (!event)
            return fd_epoll_wrong(EFAULT);
        access_read(event, sizeof *event, HERE);
        c.events = event->events;
        c.data = event->data.u64;
    }
    if (fd >= 0 && !is_descriptor(fd))
        refuse(t, "epoll_ctl on descriptors other than pipes, socket pairs and eventfds", "wait for them apart");
    const struct file *file = file_at(open_file(fd));
    if (file && file->kind == FILE_EPOLL && fd != epoll)
        refuse(t, "epoll_ctl with an epoll descriptor inside another", "use one epoll descriptor");
    forked_refuse(t, "uses an epoll descriptor");
    struct fd_call call = {.ready = ready_at_once, .act = do_change, .fd = epoll, .more = &c};
    uint64_t object = descriptor_file_object(epoll);
    ask(t, OP_FD_CONTROL, object, fd_place(t, object, true), HERE)->operand = (uintptr_t)&call;
    long result = (long)visible(t);
    return result < 0 ? fd_epoll_wrong((int)-result) : 0;
}

// ---- epoll_wait ----

struct told {
    struct epoll_event *events;
    uint32_t most;
};

static bool something_to_tell(struct fd_call *call)
{
    const struct file *f = file_of(call);
    return !f || f->kind != FILE_EPOLL || epoll_readable(f);
}

// Being told has consequences only for an interest in edges, and for one that is told once.
static bool fd_epoll_tell(struct fd_call *call, struct interest *i, struct epoll_event *to)
{
    *to = (struct epoll_event){.events = fd_epoll_telling(i), .data.u64 = i->data};
    if (!(i->events & (EPOLLET | EPOLLONESHOT)))
        return false;
    keep_interest(i);
    call->lasting |= i->fresh || i->events & EPOLLONESHOT || file_at(i->file)->kind != FILE_TIMER;
    i->fresh = 0;
    i->off = (i->events & EPOLLONESHOT) != 0;
    fd_epoll_edges(file_at(i->file), &i->written, &i->drained);
    return true;
}

static long do_tell(struct fd_call *call, struct thread *t)
{
    (void)t;
    struct told *told = call->more;
    struct file *f = file_of(call);
    if (!f)
        return -EBADF;
    if (f->kind != FILE_EPOLL)
        return -EINVAL;
    struct epoll *e = epoll_of(f);
    bool turns = how_many(e) > told->most;
    engine.several_told |= how_many(e) > 1;
    uint32_t n = 0, start = e->next < e->count ? e->next : 0;
    for (uint32_t k = 0; k < e->count && n < told->most; k++) {
        struct interest *i = &e->list[(start + k) % e->count];
        if (!fd_epoll_telling(i))
            continue;
        call->changed |= fd_epoll_tell(call, i, &((struct epoll_event *)(void *)fd_bounce)[n++]);
        if (turns) {
            keep_counts(e);
            e->next = (start + k + 1) % e->count;
            call->changed = call->lasting = true;
        }
    }
    return n;
}

static int fd_epoll_wait_for(struct thread *t, int epoll, struct epoll_event *events, int most, bool ends,
                             uint64_t time, const void *pc)
{
    cancel_point(t, pc);
    if (most <= 0)
        return fd_epoll_wrong(EINVAL);
    struct told told = {.events = events, .most = most < INTERESTS ? (uint32_t)most : INTERESTS};
    struct fd_call call = {.ready = something_to_tell,
                           .act = do_tell,
                           .fd = epoll,
                           .nonblocking = ends,
                           .patience = time,
                           .each_file = each_awaited,
                           .more = &told};
    long n = fd_wait(t, &call, descriptor_file_object(epoll), true, pc);
    if (n < 0)
        return fd_epoll_wrong((int)-n);
    if (!n) {
        t->now += time;
        return 0;
    }
    struct epoll_event copy[n];
    plain_move(copy, fd_bounce, (size_t)n * sizeof *copy);
    access_write(events, (size_t)n * sizeof *copy, pc);
    plain_move(events, copy, (size_t)n * sizeof *copy);
    return (int)n;
}

PUBLIC int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout)
{
    if (!engine.running || !is_descriptor(epoll))
        return NATIVE(epoll_wait)(epoll, events, most, timeout);
    return fd_epoll_wait_for(engine.running, epoll, events, most, timeout >= 0,
                             timeout > 0 ? (uint64_t)timeout * 1000000 : 0, HERE);
}

PUBLIC int epoll_pwait(int epoll, struct epoll_event *events, int most, int timeout, const sigset_t *signals)
{
    if (!engine.running || !is_descriptor(epoll))
        return NATIVE(epoll_pwait)(epoll, events, most, timeout, signals);
    return fd_epoll_wait_for(engine.running, epoll, events, most, timeout >= 0,
                             timeout > 0 ? (uint64_t)timeout * 1000000 : 0, HERE);
}

PUBLIC int epoll_pwait2(int epoll, struct epoll_event *events, int most, const struct timespec *time,
                        const sigset_t *signals)
{
    if (!engine.running || !is_descriptor(epoll))
        return NATIVE(epoll_pwait2)(epoll, events, most, time, signals);
    if (time)
        access_read(time, sizeof *time, HERE);
    uint64_t length = time ? (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec : 0;
    return fd_epoll_wait_for(engine.running, epoll, events, most, time, length, HERE);
}

// ---- states ----

bool epolls_hold(uint64_t address)
{
    return all.epolls && (address - (uint64_t)(uintptr_t)&all < sizeof all ||
                          address - (uint64_t)(uintptr_t)all.epolls < EPOLLS * sizeof *all.epolls);
}

// Of edges counts whether there was one since it was told last.
static void mix_interest(struct fingerprint *f, const struct interest *i)
{
    const struct file *file = file_at(i->file);
    uint64_t written, drained;
    fd_epoll_edges(file, &written, &drained);
    bool edges = i->events & EPOLLET && !i->fresh;
    fingerprint_mix(f, i->file | (uint64_t)(uint32_t)i->fd << 32);
    fingerprint_mix(f, i->events | (uint64_t)i->off << 32 | (uint64_t)i->fresh << 33 |
                           (uint64_t)(edges && written != i->written) << 34 |
                           (uint64_t)(edges && drained != i->drained) << 35);
    fingerprint_mix(f, i->data);
}

void epoll_mix(struct fingerprint *f, const struct file *file)
{
    const struct epoll *e = epoll_of(file);
    fingerprint_mix(f, e->count | (uint64_t)e->next << 32);
    for (uint32_t i = 0; i < e->count; i++)
        mix_interest(f, &e->list[i]);
}

void epoll_each_data(const struct file *file, void (*each)(uint64_t data, uint64_t *pinned), uint64_t *pinned)
{
    const struct epoll *e = epoll_of(file);
    for (uint32_t i = 0; i < e->count; i++)
        each(e->list[i].data, pinned);
}
