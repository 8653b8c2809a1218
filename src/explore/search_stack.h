// What is left of a search by `ddpor`, as its stack: a step for each state on the path, with what is still to be tried there. It stands
// in a search_part in place of what `optimal` owes.
#ifndef EXPLORE_SEARCH_STACK_H
#define EXPLORE_SEARCH_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "model/exec.h"

enum { STACK_WORDS = MAX_ACTORS / 64 };

struct stack_set {
    uint64_t word[STACK_WORDS];
};

static inline void stack_set_put(struct stack_set *set, uint32_t actor)
{
    set->word[actor / 64] |= 1ull << (actor % 64);
}

static inline bool stack_set_has(const struct stack_set *set, uint32_t actor)
{
    return set->word[actor / 64] >> (actor % 64) & 1;
}

struct stack_level {
    uint16_t actor, alternative; // the step that was taken last
    uint32_t alternatives;       // that it has
    struct stack_set backtrack;  // actors to be tried here
    struct stack_set done;       // those that were, or that somebody else tries
};

// Goes on to the next step at this level: false if there is none.
bool stack_advance(struct stack_level *level);

// Gives away one actor that is to be tried, at the deepest level that has one besides its present step; `given` has room for all levels.
// Returns how many levels that has; 0 if there is too little to be divided.
uint32_t stack_unload(struct stack_level *stack, uint32_t levels, struct stack_level *given);

#endif
