#include "worker/runs.h"

#include <sys/syscall.h>

#include "base/mem.h"
#include "base/raw.h"
#include "model/runs.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"
#include "worker/orders.h"

enum { BYTES = 1 << 24, MOST_BAD = 200, MOST_GOOD = 2000 };

static struct {
    uint8_t *bytes;
    uint32_t used;
    uint32_t *number; // event of an actor by its index
    uint32_t own[MAX_ACTORS];
    uint64_t seen[2]; // good, bad
} out;

static void runs_put(const void *bytes, uint32_t size)
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

static uint16_t runs_call_of(uint32_t event)
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

static void put_event(struct run_header *h, uint32_t actor, uint16_t call, const struct site *s)
{
    struct run_event e = {(uint16_t)actor, call, s->frames, s->kept};
    runs_put(&e, sizeof e);
    h->events++;
    h->frames += s->frames;
}

// An actor that is left waiting for an object would have taken it after whoever holds it: that counts like an event, or
// nothing would say what a deadlock is about. The event that it waits for; NO_EVENT: it waits for nothing of the kind.
static uint32_t waits_for(uint32_t actor)
{
    const struct exec *x = &engine.exec;
    const struct op *op = &x->actors[actor].pending;
    if (!exec_is_parked(x, actor) || !op_table[op->kind].takes || engine.target.ready(&engine.target, actor))
        return NO_EVENT;
    uint32_t holder = x->objects[op->object].holder;
    return holder && x->events[holder - 1].actor != actor ? holder - 1 : NO_EVENT;
}

static uint16_t open_call_of(uint32_t actor)
{
    for (uint32_t i = 0; i < client_run.client->calls; i++)
        if (client_run.ran[i].state == CALL_BEGUN && client_run.ran[i].actor == actor)
            return (uint16_t)i;
    return RUN_NO_CALL;
}

static void put_events(struct run_header *h)
{
    for (uint32_t i = 0; i < engine.exec.count; i++)
        put_event(h, engine.exec.events[i].actor, runs_call_of(i), site_of(i));
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        struct site site;
        if (waits_for(actor) == NO_EVENT)
            continue;
        site_look(&engine.threads[actor], &site);
        put_event(h, actor, open_call_of(actor), &site);
    }
}

static void put_frames(void)
{
    for (uint32_t i = 0; i < engine.exec.count; i++)
        runs_put(site_of(i)->frame, site_of(i)->frames * (uint32_t)sizeof *site_of(i)->frame);
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        struct site site;
        if (waits_for(actor) == NO_EVENT)
            continue;
        site_look(&engine.threads[actor], &site);
        runs_put(site.frame, site.frames * (uint32_t)sizeof *site.frame);
    }
}

static void put_edge(struct run_header *h, uint32_t from, uint32_t to)
{
    struct run_edge e = {from, to};
    runs_put(&e, sizeof e);
    h->edges++;
}

// What an event knows of another actor that the previous event of its own actor did not know. Edges that others imply are left
// out.
static void put_edges(struct run_header *h)
{
    const struct exec *x = &engine.exec;
    uint32_t next = x->count;
    for (uint32_t i = 0; i < x->count; i++) {
        const struct event *e = &x->events[i];
        clock_id before = e->old_last == NO_EVENT ? 0 : x->events[e->old_last].clock;
        for (uint32_t actor = 0; actor < x->known; actor++) {
            uint32_t index = clock_lane(&x->clocks, e->clock, actor);
            if (actor != e->actor && index > clock_lane(&x->clocks, before, actor))
                put_edge(h, out.number[out.own[actor] + index], i);
        }
    }
    for (uint32_t actor = 0; actor < x->known; actor++)
        if (waits_for(actor) != NO_EVENT)
            put_edge(h, waits_for(actor), next++);
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
static bool runs_is_wanted(bool bad)
{
    uint64_t n = out.seen[bad]++, most = bad ? MOST_BAD : MOST_GOOD, stride = 1;
    while (n / stride >= most)
        stride *= 2;
    return n % stride == 0;
}

void runs_write(const struct job *job, bool unexplained)
{
    struct run_header h = {.magic = RUN_MAGIC, .client = job->client.answer.at};
    for (uint32_t i = 0; i < engine.failure_count; i++)
        h.bad |= !bug_traits(engine.failures[i].kind)->goes_on;
    if (!runs_is_wanted(h.bad))
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
    put_frames();
    if (out.used > BYTES)
        return;
    plain_move(out.bytes, &h, sizeof h);
    write_out(job->task.runs_fd);
}
