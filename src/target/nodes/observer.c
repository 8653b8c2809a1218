#include "target/nodes/observer.h"

#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/mem.h"
#include "target/nodes/looking.h"
#include "target/nodes/world.h"

enum { MEMORY = 4096, GOALS = 64, GOAL_NAME = 80 };

static struct {
    uint8_t *memory;
    size_t size;
    uint32_t goals, declared;
    struct {
        char name[GOAL_NAME];
        uint64_t times;
    } goal[GOALS];
} looker;

// The number of a goal, which is new if need be; GOALS if there are too many.
static uint32_t find_goal(const char *name)
{
    for (uint32_t i = 0; i < looker.goals; i++)
        if (!strncmp(looker.goal[i].name, name, GOAL_NAME - 1))
            return i;
    if (looker.goals < GOALS)
        snprintf(looker.goal[looker.goals++].name, GOAL_NAME, "%s", name);
    else
        return GOALS;
    return looker.goals - 1;
}

const char *observer_open(void)
{
    const struct heddle_protocol *p = world.library.protocol;
    memset(&looker, 0, sizeof looker);
    if (p->observer_size > MEMORY)
        return "its observer has more than 4096 bytes of memory";
    if (p->observer_size && !p->observe)
        return "its heddle_protocol has an observer_size but no observe";
    for (const char *const *goal = p->goals; goal && *goal; goal++)
        if (find_goal(*goal) == GOALS)
            return "it has more than 64 goals";
    looker.declared = looker.goals;
    looker.size = p->observer_size;
    looker.memory = mem_reserve(MEMORY);
    return NULL;
}

void observer_close(void)
{
    if (looker.memory)
        mem_release(looker.memory, MEMORY);
    looker.memory = NULL;
}

static const char *call_observer(const struct heddle_view *view, void *context)
{
    return world.library.protocol->observe(view, *(int *)context, looker.memory);
}

void observer_look(int node)
{
    if (!world.library.protocol->observe || world.failure != FAILURE_NONE)
        return;
    undo_save(&world.undo, looker.memory, looker.size);
    const char *wrong = looking_ask_with(call_observer, &node);
    if (wrong)
        world_fail(FAILURE_CHECK, node, "%s", wrong);
}

uint64_t observer_hash(void)
{
    return looker.size ? XXH3_64bits(looker.memory, looker.size) : 0;
}

uint64_t observer_hash_renamed(const int *to)
{
    static uint8_t renamed[MEMORY];
    if (!looker.size)
        return 0;
    memcpy(renamed, looker.memory, looker.size);
    world.library.protocol->renaming->observer(renamed, to);
    return XXH3_64bits(renamed, looker.size);
}

const void *observer_memory(size_t *size)
{
    *size = looker.size;
    return looker.memory;
}

bool observer_can_rename(void)
{
    const struct heddle_protocol *p = world.library.protocol;
    return !looker.size || (p->renaming && p->renaming->observer);
}

void observer_rename(const int *to)
{
    if (!looker.size)
        return;
    undo_save(&world.undo, looker.memory, looker.size);
    world.library.protocol->renaming->observer(looker.memory, to);
}

void heddle_reached(const char *goal)
{
    uint32_t which = find_goal(goal);
    if (which < GOALS)
        looker.goal[which].times++;
}

uint32_t goal_count(void)
{
    return looker.goals;
}

const char *goal_name(uint32_t goal)
{
    return looker.goal[goal].name;
}

uint64_t goal_times(uint32_t goal)
{
    return looker.goal[goal].times;
}

void goal_add(const char *goal, uint64_t times)
{
    uint32_t which = find_goal(goal);
    if (which < GOALS)
        looker.goal[which].times += times;
}

void goal_clear(void)
{
    for (uint32_t i = 0; i < looker.goals; i++)
        looker.goal[i].times = 0;
}

const char *goal_missed(void)
{
    for (uint32_t i = 0; i < looker.declared; i++)
        if (!looker.goal[i].times)
            return looker.goal[i].name;
    return NULL;
}
