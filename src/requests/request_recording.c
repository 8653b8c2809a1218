#include "requests/request_recording.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/fail.h"

struct builder {
    struct request_recording *q;
    const struct meaning *m;
    uint32_t *variables, *guards, *versions, *locks; // by resource; NOT_RECORDED: not made yet
    uint32_t *holder, *depth;                        // by object
    size_t holder_room, depth_room;
    uint32_t *round; // by client: the one that is under way; NO_EFFECT: none
    bool *began;     // by client
};

static void add_record(struct builder *b, enum record_kind kind, uint32_t client, uint32_t object, uint32_t effect)
{
    struct recording *r = b->q->r;
    uint32_t place = NOT_RECORDED;
    if (effect != NO_EFFECT) {
        // By who does what, not by its number in the log: what a client does over and over is told once.
        const struct effect *e = &b->m->effects[effect];
        char *what = alloc_format("%u %s %s", client, request_verb(&b->m->log->requests[e->request]),
                                  table_text(&b->m->resources, e->resource));
        place = recording_place(r, &(struct recorded_place){.function = what});
        free(what);
    }
    b->q->effect_of = alloc_reserve(b->q->effect_of, r->count + 1, &b->q->room, sizeof *b->q->effect_of);
    b->q->effect_of[r->count] = effect;
    recording_add(r,
                  (struct record){.kind = (uint8_t)kind, .thread = (uint16_t)client, .object = object, .place = place});
}

static uint32_t resource_block(struct builder *b, uint32_t resource)
{
    return recording_block(b->q->r, &(struct recorded_block){.kind = BLOCK_GLOBAL,
                                                             .name = table_text(&b->m->resources, resource),
                                                             .size = 1,
                                                             .place = NOT_RECORDED,
                                                             .thread = NOT_RECORDED});
}

static uint32_t variable_of(struct builder *b, uint32_t resource)
{
    if (b->variables[resource] == NOT_RECORDED)
        b->variables[resource] = recording_variable(b->q->r, resource_block(b, resource), 0, 1);
    return b->variables[resource];
}

static uint32_t object_of(struct builder *b, uint32_t *objects, uint32_t resource)
{
    if (objects[resource] == NOT_RECORDED) {
        uint32_t object = recording_object(b->q->r, OBJECT_MUTEX, resource_block(b, resource), 0);
        b->holder = alloc_reserve(b->holder, object + 1, &b->holder_room, sizeof *b->holder);
        b->depth = alloc_reserve(b->depth, object + 1, &b->depth_room, sizeof *b->depth);
        b->holder[object] = NOT_RECORDED;
        b->depth[object] = 0;
        objects[resource] = object;
    }
    return objects[resource];
}

static void let_go(struct builder *b, uint32_t object, uint32_t client, uint32_t effect)
{
    if (b->holder[object] != client)
        return; // it has lost it
    add_record(b, RECORD_UNLOCK, client, object, effect);
    if (--b->depth[object] == 0)
        b->holder[object] = NOT_RECORDED;
}

static void take(struct builder *b, uint32_t object, uint32_t client, uint32_t effect)
{
    uint32_t other = b->holder[object];
    if (other != NOT_RECORDED && other != client) {
        b->q->broken++;
        while (b->holder[object] == other)
            let_go(b, object, other, NO_EFFECT);
    }
    b->holder[object] = client;
    b->depth[object]++;
    add_record(b, RECORD_LOCK, client, object, effect);
}

static void begin_round(struct builder *b, const struct effect *e)
{
    uint32_t now = b->round[e->client];
    if (now == e->round)
        return;
    if (now != NO_EFFECT)
        add_record(b, RECORD_REGION_END, e->client, REGION_ATOMIC, NO_EFFECT);
    add_record(b, RECORD_REGION_BEGIN, e->client, REGION_ATOMIC, NO_EFFECT);
    b->round[e->client] = e->round;
}

static void add_access(struct builder *b, uint32_t effect)
{
    const struct effect *e = &b->m->effects[effect];
    bool writes = e->deed == DEED_WRITE;
    uint32_t guard = object_of(b, b->guards, e->resource), version = object_of(b, b->versions, e->resource);
    uint32_t variable = variable_of(b, e->resource);
    begin_round(b, e);
    if (e->until != NO_EFFECT)
        take(b, version, e->client, NO_EFFECT);
    if (writes) {
        take(b, guard, e->client, NO_EFFECT);
        take(b, version, e->client, NO_EFFECT);
    }
    add_record(b, writes ? RECORD_ATOMIC_WRITE : RECORD_ATOMIC_READ, e->client, variable, effect);
    if (writes) {
        let_go(b, version, e->client, NO_EFFECT);
        let_go(b, guard, e->client, NO_EFFECT);
    }
    if (e->since != NO_EFFECT && b->m->effects[e->since].until == effect)
        let_go(b, version, e->client, NO_EFFECT);
}

// What the first client has done by now comes before all that others do.
static void begin_client(struct builder *b, uint32_t client)
{
    uint32_t first = b->m->first;
    if (first != NO_EFFECT && client != first && !b->began[client])
        add_record(b, RECORD_CREATE, first, client, NO_EFFECT);
    b->began[client] = true;
}

static void add_effect(struct builder *b, uint32_t effect)
{
    const struct effect *e = &b->m->effects[effect];
    begin_client(b, e->client);
    switch (e->deed) {
    case DEED_READ:
    case DEED_WRITE:
        add_access(b, effect);
        break;
    case DEED_LOCK:
        take(b, object_of(b, b->locks, e->resource), e->client, effect);
        break;
    case DEED_UNLOCK:
        let_go(b, object_of(b, b->locks, e->resource), e->client, effect);
        break;
    case DEED_GUARD:
        take(b, object_of(b, b->guards, e->resource), e->client, effect);
        break;
    case DEED_UNGUARD:
        let_go(b, object_of(b, b->guards, e->resource), e->client, effect);
        break;
    default:
        break;
    }
}

static uint32_t *unknown_numbers(uint32_t count)
{
    uint32_t *numbers = alloc_array(count + 1, sizeof *numbers);
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = NOT_RECORDED;
    return numbers;
}

void request_recording_make(struct request_recording *q, const struct meaning *m)
{
    *q = (struct request_recording){.r = recording_new()};
    struct builder b = {.q = q,
                        .m = m,
                        .variables = unknown_numbers(m->resources.count),
                        .guards = unknown_numbers(m->resources.count),
                        .versions = unknown_numbers(m->resources.count),
                        .locks = unknown_numbers(m->resources.count),
                        .round = unknown_numbers(m->clients.count),
                        .began = alloc_zeroed(m->clients.count + 1, sizeof *b.began)};
    q->r->path = recording_word(q->r, m->log->path);
    for (uint32_t i = 0; i < m->clients.count; i++)
        recording_thread(q->r, table_text(&m->clients, i), NOT_RECORDED);
    for (uint32_t i = 0; i < m->count; i++)
        add_effect(&b, i);
    uint32_t count = q->r->count;
    recording_finish(q->r);
    require(q->r->count == count);
    free(b.variables);
    free(b.guards);
    free(b.versions);
    free(b.locks);
    free(b.holder);
    free(b.depth);
    free(b.round);
    free(b.began);
}

void request_recording_free(struct request_recording *q)
{
    recording_free(q->r);
    free(q->effect_of);
}
