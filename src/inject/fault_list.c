#include "inject/fault_list.h"

#include <stdlib.h>

#include "base/alloc.h"

// The bit that flips where none is drawn: any will do, and always the same.
static uint64_t scatter(uint64_t x)
{
    x = (x + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    return x ^ x >> 31;
}

static void list_add(struct fault_list *list, struct fault fault)
{
    list->fault = alloc_grow(list->fault, list->count, &list->room, sizeof *list->fault);
    list->fault[list->count++] = fault;
}

// Calls tell(fault) for each way in which a point can be given a fault.
static void each_way(const struct campaign *c, uint32_t point, void (*tell)(void *context, struct fault fault),
                     void *context)
{
    for (int group = 0; group < INJECTION_GROUPS; group++)
        for (int way = 1; c->request->groups >> group & 1 && way < INJECTION_WAYS; way++)
            if (injection_fits(c->points.point[point].call, (enum injection_group)group, (enum injection_way)way))
                tell(context, (struct fault){.point = point,
                                             .group = (enum injection_group)group,
                                             .way = (enum injection_way)way});
}

struct listing {
    struct campaign *c;
    struct fault_list *list;
};

static void list_every(void *context, struct fault fault)
{
    struct listing *l = context;
    uint64_t calls = l->c->points.point[fault.point].calls, most = l->c->request->each;
    for (uint64_t number = 1; number <= calls && number <= most; number++) {
        fault.number = number;
        fault.bit = (uint32_t)(scatter(number * 131 + l->list->count) % 8);
        list_add(l->list, fault);
    }
}

static void count_calls(void *context, struct fault fault)
{
    struct listing *l = context;
    l->c->possible += l->c->points.point[fault.point].calls;
    if (!l->list)
        return;
    fault.number = l->c->points.point[fault.point].calls;
    list_add(l->list, fault);
}

// Draws a fault, each as likely as any other: of all calls in all their ways.
static struct fault draw(const struct fault_list *ways, uint64_t possible, uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t at = scatter(*state) % possible;
    size_t i = 0;
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): there are `possible` calls in it
    while (at >= ways->fault[i].number)
        at -= ways->fault[i++].number;
    struct fault fault = ways->fault[i];
    fault.number = at + 1;
    fault.bit = (uint32_t)(scatter(*state ^ 0x5555) % 64);
    return fault;
}

const char *fault_list_fill(struct campaign *c, struct fault_list *list)
{
    const struct campaign_request *r = c->request;
    struct fault_list ways = {0};
    struct listing counting = {c, &ways}, listing = {c, list};
    const char *wrong = NULL;
    for (uint32_t i = 0; i < c->points.count; i++)
        each_way(c, i, count_calls, &counting);
    if (r->only) {
        struct fault fault;
        wrong = fault_find(&c->points, r->only, r->groups, &fault);
        if (!wrong)
            list_add(list, fault);
    } else if (!c->possible) {
        wrong = "it makes no call that could be given one of these faults";
    } else if (!r->runs) {
        for (uint32_t i = 0; i < c->points.count; i++)
            each_way(c, i, list_every, &listing);
    } else {
        uint64_t state = r->seed;
        for (uint64_t i = 0; i < r->runs; i++)
            list_add(list, draw(&ways, c->possible, &state));
    }
    free(ways.fault);
    return wrong;
}
