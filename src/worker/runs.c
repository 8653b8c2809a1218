#include "worker/runs.h"

#include <sys/syscall.h>

#include "base/mem.h"
#include "base/raw.h"
#include "model/runs.h"
#include "target/threads/client.h"
#include "target/threads/public.h"
#include "target/threads/sites.h"
#include "worker/orders.h"

enum { BYTES = 1 << 24, MOST_BAD = 200, MOST_GOOD = 2000 };

static struct {
    uint8_t *bytes;
    uint32_t used;
    uint32_t *number; // event of an actor by its index
    uint32_t own[MAX_ACTORS];
    uint64_t seen[2]; // good, bad
} out;

static void put(const void *bytes, uint32_t size)
{
    if (out.used + size <= BYTES)
        plain_move(out.bytes + out.used, bytes, size);
    out.used += size;
}

static void write_out(int fd)
{
    for (uint32_t done = 0; done < out.used;) {
        long n = raw_call(SYS_write, fd, (long)(out.bytes + done), (long)(out.used - done));
        if (n <= 0)
            break;
        done += (uint32_t)n;
    }
}

static void number_events(void)
{
    const struct exec *x = &engine.exec;
    uint32_t at = 0;
    for (uint32_t actor = 0; actor < x->known; actor++) {
        out.own[actor] = at;
        at += x->actors[actor].events + 1;
    }
    for (uint32_t i = 0; i < x->count; i++)
        out.number[out.own[x->events[i].actor] + x->events[i].index] = i;
}

static uint16_t call_of(uint32_t event)
{
    const struct event *e = &engine.exec.events[event];
    for (uint32_t i = 0; i < client_run.client->calls; i++) {
        const struct ran_call *c = &client_run.ran[i];
        if (c->state != CALL_NOT_BEGUN && c->actor == e->actor && c->first && c->first <= e->index &&
            (c->state == CALL_BEGUN || event <= c->last))
            return (uint16_t)i;
    }
    return RUN_NO_CALL;
}

static void put_events(struct run_header *h)
{
    for (uint32_t i = 0; i < h->events; i++) {
        const struct site *s = site_of(i);
        struct run_event e = {engine.exec.events[i].actor, call_of(i), s->frames, s->kept};
        put(&e, sizeof e);
        h->frames += s->frames;
    }
}

static void put_edge(struct run_header *h, uint32_t from, uint32_t to)
{
    struct run_edge e = {from, to};
    put(&e, sizeof e);
    h->edges++;
}

// What an event knows of another actor, and its own actor's event before did not: edges that others imply are left out.
static void put_edges(struct run_header *h)
{
    const struct exec *x = &engine.exec;
    for (uint32_t i = 0; i < h->events; i++) {
        const struct event *e = &x->events[i];
        clock_id before = e->old_last == NO_EVENT ? 0 : x->events[e->old_last].clock;
        for (uint32_t actor = 0; actor < x->known; actor++) {
            uint32_t index = clock_lane(&x->clocks, e->clock, actor);
            if (actor != e->actor && index > clock_lane(&x->clocks, before, actor))
                put_edge(h, out.number[out.own[actor] + index], i);
        }
    }
}

// That one call returned before another began is part of what cannot be explained.
static void put_wishes(struct run_header *h)
{
    uint32_t n = client_run.client->calls;
    for (uint32_t later = 0; later < n; later++)
        for (uint32_t earlier = 0; earlier < n; earlier++) {
            const struct ran_call *a = &client_run.ran[earlier], *b = &client_run.ran[later];
            if (orders_wish(earlier, later) && a->actor != b->actor && a->state == CALL_RETURNED && b->first)
                put_edge(h, a->last, b->called);
        }
}

// Whether this one is to be kept: all at first, then every second, every fourth, …
static bool is_wanted(bool bad)
{
    uint64_t n = out.seen[bad]++, most = bad ? MOST_BAD : MOST_GOOD, stride = 1;
    while (n / stride >= most)
        stride *= 2;
    return n % stride == 0;
}

void runs_write(const struct job *job, bool unexplained)
{
    struct run_header h = {.magic = RUN_MAGIC, .client = job->client.at, .events = engine.exec.count};
    for (uint32_t i = 0; i < engine.failure_count; i++)
        h.bad |= engine.failures[i].kind != BUG_RACE;
    if (!is_wanted(h.bad))
        return;
    if (!out.bytes) {
        out.bytes = mem_reserve(BYTES);
        out.number = mem_reserve((engine.exec.limit + MAX_ACTORS) * sizeof *out.number);
    }
    out.used = sizeof h;
    number_events();
    put_events(&h);
    put_edges(&h);
    if (unexplained)
        put_wishes(&h);
    for (uint32_t i = 0; i < h.events; i++)
        put(site_of(i)->frame, site_of(i)->frames * (uint32_t)sizeof *site_of(i)->frame);
    if (out.used > BYTES)
        return;
    plain_move(out.bytes, &h, sizeof h);
    write_out(job->runs_fd);
}
