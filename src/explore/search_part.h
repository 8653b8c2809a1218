// A part of a search by `optimal`, or by `ddpor` (search_stack.h), with everything that is needed to explore it wherever the same program runs. Actors must have the
// same numbers there; objects need not. It is one block of memory without pointers, so it can be copied, sent, and kept in a file.
//
// What is given away is always what would have come last. So the executions of whoever gives come before those of the part, which
// come before those of a part given away earlier, and all together, in this order, are the search of one worker.
#ifndef EXPLORE_SEARCH_PART_H
#define EXPLORE_SEARCH_PART_H

#include <stddef.h>

#include "explore/course.h"
#include "explore/search_stack.h"

// What one finished execution owes, with the path that its branches share. Steps and detours that it has in common with executions
// that owe something, too, stand in their frames, which are below its own.
struct owed_frame {
    uint32_t base;     // so many of its first steps stand in frames below it, as they are
    uint32_t path;     // where the execution's own steps, from `base` on, stand among the steps
    uint32_t known;    // so many of its first detours stand in frames below it …
    uint32_t detours;  // … and the others among the detours, from here on
    uint32_t branches; // its first branch that was not given away
    uint32_t shared;   // how many of its first steps the current plan has too
    uint32_t steps_mark, detours_mark, branches_mark; // where those of this frame begin
};

// Behind it stand the frames, the branches, the detours and the steps: so many of each; or the levels of a stack.
struct search_part {
    uint32_t whole; // the search from its beginning; there is nothing behind it
    uint32_t frames, branches, detours, steps;
    uint32_t levels; // of `ddpor`; if there are any, there is nothing else
};

static inline struct owed_frame *part_frames(const struct search_part *part)
{
    return (struct owed_frame *)(uintptr_t)(part + 1);
}

static inline struct branch *part_branches(const struct search_part *part)
{
    return (struct branch *)(part_frames(part) + part->frames);
}

static inline struct detour *part_detours(const struct search_part *part)
{
    return (struct detour *)(part_branches(part) + part->branches);
}

static inline struct plan_step *part_steps(const struct search_part *part)
{
    return (struct plan_step *)(part_detours(part) + part->detours);
}

static inline struct stack_level *part_levels(const struct search_part *part)
{
    return (struct stack_level *)(uintptr_t)(part + 1);
}

static inline size_t part_bytes(const struct search_part *part)
{
    return sizeof *part + part->frames * sizeof(struct owed_frame) + part->branches * sizeof(struct branch) +
           part->detours * sizeof(struct detour) + part->steps * sizeof(struct plan_step) +
           part->levels * sizeof(struct stack_level);
}

// Whether a block that comes from somewhere else can be a part at all: what it refers to is in it.
bool part_is_sound(const struct search_part *part, size_t bytes);

// Takes out of a part what would have come last in it; false if there is only one branch in it, or none. `given` has as much room as
// the part. As strategy.give does it, but nothing has to be run.
bool part_divide(struct search_part *part, struct search_part *given);

#endif
