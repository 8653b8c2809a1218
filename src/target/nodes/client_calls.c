#include "target/nodes/client_calls.h"

#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "target/nodes/world.h"

static uint64_t identity(const struct client_calls *calls, uint32_t index)
{
    uint64_t earlier = 0;
    for (uint32_t i = 0; i < index; i++)
        earlier += calls->call[i].client == calls->call[index].client;
    return XXH3_64bits_withSeed(&earlier, sizeof earlier, calls->call[index].client);
}

uint64_t client_calls_hash(const struct client_calls *calls)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < calls->count; i++) {
        const struct client_call *c = &calls->call[i];
        uint64_t before = 0;
        for (uint32_t k = 0; k < calls->count; k++)
            if (calls->call[k].is_over && calls->call[k].returned < c->invoked)
                before += identity(calls, k);
        uint64_t hash = XXH3_64bits_withSeed(c->name, sizeof c->name, before ^ identity(calls, i));
        sum += XXH3_64bits_withSeed(c->argument, sizeof c->argument,
                                    hash ^ (c->is_over ? (uint64_t)c->result * 2 + 1 : 0));
    }
    return sum;
}

const char *client_model(void)
{
    return world.library.protocol->model;
}

uint32_t client_call_count(void)
{
    return world.clients.count;
}

const struct client_call *client_call(uint32_t index)
{
    return &world.clients.call[index];
}

void client_fail(const char *format, const char *what)
{
    world_fail(FAILURE_HISTORY, -1, format, what);
}

// The newest call of a client, or null.
static struct client_call *newest_of(int client)
{
    for (uint32_t i = world.clients.count; i-- > 0;)
        if (world.clients.call[i].client == (uint32_t)client)
            return &world.clients.call[i];
    return NULL;
}

static bool may_record(const char *call)
{
    if (world.self < 0)
        return false;
    if (!world.library.protocol->model)
        world_fail(FAILURE_USE, world.self, "%s: the protocol names no model", call);
    undo_save(&world.undo, &world.clients, sizeof world.clients);
    return world.library.protocol->model != NULL;
}

void heddle_invoke(int client, const char *call, long first, long second)
{
    if (!may_record("heddle_invoke"))
        return;
    const struct client_call *last = newest_of(client);
    if (last && !last->is_over)
        client = 1000 + (int)world.clients.count; // it does not wait any more, and what it called may still happen
    if (world.clients.count == CLIENT_CALLS) {
        world_fail(FAILURE_USE, world.self, "clients call more than %d times", CLIENT_CALLS);
        return;
    }
    struct client_call *c = &world.clients.call[world.clients.count++];
    *c = (struct client_call){
        .argument = {first, second}, .invoked = world.clients.now++, .client = (uint32_t)client, .is_over = false};
    snprintf(c->name, sizeof c->name, "%s", call);
}

void heddle_return(int client, long result)
{
    if (!may_record("heddle_return"))
        return;
    struct client_call *c = newest_of(client);
    if (!c || c->is_over) {
        world_fail(FAILURE_USE, world.self, "heddle_return: client %d has called nothing", client);
        return;
    }
    c->is_over = true;
    c->result = result;
    c->returned = world.clients.now++;
}
