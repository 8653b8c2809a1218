// One execution of optimal search: the plan it follows, the course it takes, and the branches that it shows to be owed.
//
// optimal.c explains what a detour is and why each branch is owed by exactly one execution. This file knows one execution and
// nothing of the others. So a plan can be run by anyone who has it, and shows all branches that begin in it.
#ifndef EXPLORE_COURSE_H
#define EXPLORE_COURSE_H

#include "explore/strategy.h"

enum standing { USUAL, INSIDE, END }; // of a step: usual, inside a detour, the end of a detour

struct plan_step {
    uint16_t actor;
    uint16_t alternative;
    uint8_t standing;
    uint8_t kind;    // what the actor is to do, in detours: an operation other than OP_NONE …
    uint16_t object; // … on an object whose number ends so
};

// A part of the course that was taken instead of the usual event.
struct detour {
    uint32_t end;           // position of its last event
    uint32_t start;         // position where it left the usual way
    uint32_t actor;         // of its last event; 0 if it was taken instead of nothing
    uint32_t instead_actor; // the usual event it was taken instead of, or NO_EVENT
    uint32_t instead_object;
    uint32_t instead_effect;
};

// A plan that shares its first steps with the execution that owes it.
struct branch {
    struct detour detour; // the detour that ends the plan
    uint32_t from;        // position where its own steps begin; those before are the execution's
    uint32_t steps;       // where they stand in course.steps
    bool doubtful;        // whether it belongs here shows only when it is run
};

struct course {
    struct strategy s; // first: a strategy is found from it
    uint32_t root;
    uint32_t length;                     // steps in the plan of the current execution
    uint32_t fresh;                      // first event that this execution was the first to take in its place
    uint64_t could_run[MAX_ACTORS / 64]; // who could, when the process was about to end
    struct plan_step *plan;              // planned steps, then usual ones as they happen
    struct detour *detours;              // of the plan
    uint32_t detour_count;
    uint32_t *races;         // room for those of one event
    struct plan_step *steps; // own steps of branches, those of the newest on top
    uint32_t steps_top;
    struct branch *found; // branches of the execution at hand, deepest last
};

enum { STACK_BYTES = 1 << 30 };
enum {
    STEP_LIMIT = STACK_BYTES / sizeof(struct plan_step),
    DETOUR_LIMIT = STACK_BYTES / sizeof(struct detour),
    BRANCH_LIMIT = STACK_BYTES / sizeof(struct branch)
};
extern const char owed_room[]; // what has run out where one of these is exceeded

// The plan is the user's prefix. Sets what a strategy needs to pick steps.
void course_init(struct course *course, struct target *target, const struct strategy_options *options);
void course_free(struct course *course);

// The pick of a strategy whose first member is a course: what the plan says, then the usual event.
bool course_pick(struct strategy *s, struct step *next);

// Carries out the plan from its step `depth` on, which the target goes back to.
void course_try(struct course *course, uint32_t depth);

// Whether the branch whose plan has just been carried out is the place for its traces, or they belong to a branch of a
// smaller actor at one of the detours before. For branches that are doubtful.
bool course_belongs(const struct course *course);

// For a plan of somebody else who knows the same objects by other numbers, which is repeated step by step. With the target before
// step `at`: looks up what the detour replaced, if it begins there.
void course_name_replaced(struct course *course, struct detour *detour, uint32_t at);

// Takes step `at` of the plan. If its actor is about to do something else, the target is lost.
void course_repeat_step(struct course *course, uint32_t at);

// Collects the branches of the execution that has just ended in `found` and their steps in `steps`; returns how many there are.
uint32_t course_branches(struct course *course);

#endif
