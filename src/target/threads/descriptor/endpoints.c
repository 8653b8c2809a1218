#include "target/threads/descriptor/endpoints.h"

#include <poll.h>
#include <sys/socket.h>

#include "base/mem.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"

enum { ENDPOINTS = 4096, FIRST_PORT = 32768, PORTS_EACH = 100 };

static struct {
    struct endpoint *list;
    uint64_t count;
    uint64_t ports[MAX_ACTORS]; // given to each actor
} known;

struct endpoint *endpoint_of(const struct file *f)
{
    return f->endpoint ? &known.list[f->endpoint - 1] : NULL;
}

bool is_tcp(const struct file *f)
{
    const struct endpoint *e = endpoint_of(f);
    return e && e->own.family != AF_UNIX && f->type == SOCK_STREAM;
}

void keep_endpoint(struct endpoint *e)
{
    undo_save(&engine.undo, e, sizeof *e);
}

uint32_t endpoint_new(struct thread *t, const struct endpoint_name *own)
{
    if (!known.list)
        known.list = mem_reserve(ENDPOINTS * sizeof *known.list);
    if (known.count == ENDPOINTS)
        unsupported(t, "the program makes more sockets in one execution than heddle follows (4096)");
    undo_save_word(&engine.undo, &known.count);
    struct endpoint *e = &known.list[known.count++];
    keep_endpoint(e);
    *e = (struct endpoint){.own = *own, .peer.family = own->family};
    return (uint32_t)known.count;
}

// Depends only on who asks and how often it has asked.
uint32_t endpoint_free_port(struct thread *t)
{
    undo_save_word(&engine.undo, &known.ports[t->actor]);
    return FIRST_PORT + t->actor * PORTS_EACH + (uint32_t)(known.ports[t->actor]++ % PORTS_EACH);
}

static bool is_unix(const struct endpoint_name *name)
{
    return name->family == AF_UNIX;
}

static bool same_name(const struct endpoint_name *a, const struct endpoint_name *b)
{
    if (is_unix(a) != is_unix(b))
        return false;
    if (!is_unix(a))
        return a->port && a->port == b->port;
    return a->length && a->length == b->length && plain_differ(a->path, b->path, a->length) == a->length;
}

bool endpoint_is_path(const struct endpoint_name *name)
{
    return is_unix(name) && name->length && name->path[0];
}

struct file *endpoint_at_path(const struct endpoint_name *name)
{
    for (uint32_t number = 1; number <= file_count(); number++) {
        const struct endpoint *e = endpoint_of(file_at(number));
        if (e && e->at_path && same_name(&e->own, name))
            return file_at(number);
    }
    return NULL;
}

// Paths are the same for all kinds of sockets; ports and names that are no files are not.
struct file *endpoint_named(const struct endpoint_name *name, int type)
{
    for (uint32_t number = 1; number <= file_count(); number++) {
        struct file *f = file_at(number);
        const struct endpoint *e = f->references ? endpoint_of(f) : NULL;
        bool kind = (int)f->type == type || endpoint_is_path(name);
        if (e && endpoint_is_path(name) && !e->at_path)
            continue;
        if (e && kind && e->state != ENDPOINT_CONNECTED && same_name(&e->own, name))
            return f;
    }
    return NULL;
}

void endpoint_end(struct thread *t, struct file *f)
{
    struct endpoint *e = endpoint_of(f);
    if (!e || e->state != ENDPOINT_LISTENS)
        return;
    keep_endpoint(e);
    uint32_t waiting = e->waiting;
    e->waiting = 0;
    e->state = ENDPOINT_NEW;
    for (uint32_t i = 0; i < waiting; i++) {
        struct file *unaccepted = file_at(e->queue[i]);
        keep_file(unaccepted);
        unaccepted->options |= OPTION_ABORTS;
        file_drop(t, unaccepted);
    }
}

uint32_t endpoint_events(const struct file *f)
{
    const struct endpoint *e = endpoint_of(f);
    if (e->state == ENDPOINT_LISTENS)
        return e->waiting ? POLLIN | POLLRDNORM : 0;
    return POLLOUT | POLLWRNORM | POLLHUP;
}

// ---- states ----

bool endpoints_hold(uint64_t address)
{
    return known.list && (address - (uint64_t)(uintptr_t)&known < sizeof known ||
                          address - (uint64_t)(uintptr_t)known.list < ENDPOINTS * sizeof *known.list);
}

static void mix_name(struct fingerprint *f, const struct endpoint_name *name)
{
    fingerprint_mix(f, name->family | (uint64_t)name->port << 16 | (uint64_t)name->length << 48);
    for (uint32_t i = 0; i < name->length; i++)
        fingerprint_mix(f, (uint8_t)name->path[i]);
}

void endpoint_mix(struct fingerprint *f, const struct endpoint *e)
{
    fingerprint_mix(f, e->state | (uint64_t)e->shut << 4 | (uint64_t)e->announced << 8 | (uint64_t)e->at_path << 12 |
                           (uint64_t)e->room << 16 | (uint64_t)e->waiting << 32);
    for (uint32_t i = 0; i < e->waiting; i++)
        fingerprint_mix(f, e->queue[i]);
    mix_name(f, &e->own);
    mix_name(f, &e->peer);
}
