#include "explore/search_stack.h"

#include <string.h>

enum { POINTS = 2 }; // with so many or fewer backtrack points nothing is given away (n of seed 002, Figure 6.4)

// Actors that are to be tried and were not, the present one left out.
static struct stack_set to_be_tried(const struct stack_level *level)
{
    struct stack_set set;
    for (uint32_t i = 0; i < STACK_WORDS; i++)
        set.word[i] = level->backtrack.word[i] & ~level->done.word[i];
    set.word[level->actor / 64] &= ~(1ull << (level->actor % 64));
    return set;
}

static uint32_t count_actors(const struct stack_set *set)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < STACK_WORDS; i++)
        count += (uint32_t)__builtin_popcountll(set->word[i]);
    return count;
}

static uint32_t first_actor(const struct stack_set *set)
{
    uint32_t actor = 0;
    while (actor < MAX_ACTORS && !stack_set_has(set, actor))
        actor++;
    return actor;
}

bool stack_advance(struct stack_level *level)
{
    if (level->alternative + 1u < level->alternatives) {
        level->alternative++;
        return true;
    }
    stack_set_put(&level->done, level->actor);
    struct stack_set left = to_be_tried(level);
    uint32_t actor = first_actor(&left);
    if (actor == MAX_ACTORS)
        return false;
    level->actor = (uint16_t)actor;
    level->alternative = 0;
    level->alternatives = 1;
    return true;
}

// Whoever gives it away keeps all other actors that are to be tried, so the receiver counts them as done.
static void copy_for_receiver(const struct stack_level *from, struct stack_level *to)
{
    *to = *from;
    to->alternatives = 0; // the giver goes on with the other outcomes, too
    for (uint32_t i = 0; i < STACK_WORDS; i++)
        to->done.word[i] |= to->backtrack.word[i];
    stack_set_put(&to->done, to->actor);
    memset(&to->backtrack, 0, sizeof to->backtrack);
}

uint32_t stack_unload(struct stack_level *stack, uint32_t levels, struct stack_level *given)
{
    uint32_t points = 0, deepest = UINT32_MAX;
    for (uint32_t at = levels; at-- > 0;) {
        struct stack_set left = to_be_tried(&stack[at]);
        points += count_actors(&left);
        if (points && deepest == UINT32_MAX)
            deepest = at;
    }
    if (points <= POINTS)
        return 0;
    struct stack_set left = to_be_tried(&stack[deepest]);
    uint32_t actor = first_actor(&left);
    for (uint32_t at = 0; at <= deepest; at++)
        copy_for_receiver(&stack[at], &given[at]);
    stack_set_put(&given[deepest].backtrack, actor);
    given[deepest].done.word[actor / 64] &= ~(1ull << (actor % 64));
    stack_set_put(&stack[deepest].done, actor);
    return deepest + 1;
}
