// The choices on the path of a search by reads-from classes, and the beginnings that each of them still owes (rf.c).
//
// A choice is an event that could have had another source, another outcome, or another event in its place, together with the
// events that are fixed before it. It keeps a fingerprint of each beginning that it has ever owed, and owes none twice. When neither a
// choice nor those after it owe anything, it goes with all that it knows.
#ifndef EXPLORE_RF_PATH_H
#define EXPLORE_RF_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "model/exec.h"
#include "model/fingerprint.h"

struct rf_choice {
    uint32_t actor, index; // of the event
    uint32_t object;
    bool takes;        // it is about who takes the object next
    bool begun;        // something that it owed has been run
    uint32_t below;    // the newest choice before this about the same object, plus 1
    uint32_t width;    // lanes beyond are zero
    uint32_t children; // all beginnings it has ever owed …
    uint32_t pending;  // … and those it still owes, linked; 0 ends a list
};

// What is known of a planned step beforehand.
enum { STEP_SURE, STEP_MAY_WAIT = 1, STEP_MUST_CHANGE = 2, STEP_MUST_NOT_CHANGE = 4 };

struct rf_step {
    uint16_t actor, alternative;
    uint8_t kind, doubt;
    uint16_t object; // the end of its number
};

// A beginning that is to be run. Mostly it has events of the execution that showed it, in the same order, and one or two more.
struct rf_plan {
    uint32_t base;         // that execution (rf_path_keep), while it is owed; 0: all steps stand here
    const uint32_t *lanes; // with a base: how many events of each actor it has of it …
    uint32_t width;        // … of so many actors
    struct rf_step *steps; // all steps, or those after the events of the base
    uint32_t length;
    uint32_t changes; // so many events do something else than in the execution that showed this
    struct {
        uint32_t actor, index;
    } changed[2];
};

struct rf_path;

struct rf_path *rf_path_new(uint32_t events, uint32_t objects);
void rf_path_free(struct rf_path *c);

uint32_t rf_path_count(const struct rf_path *c);
struct rf_choice *rf_path_at(struct rf_path *c, uint32_t number);
uint32_t *rf_path_lanes(struct rf_path *c, uint32_t number);       // how many events of each actor are fixed before it
uint32_t rf_path_newest(const struct rf_path *c, uint32_t object); // plus 1; 0: there is none

// A new one on top; its lanes are copied.
uint32_t rf_path_push(struct rf_path *c, const struct rf_choice *choice, const uint32_t *lanes);

// Keeps the steps of an execution for those who have it as a base. The caller has it as well until rf_path_drop.
uint32_t rf_path_keep(struct rf_path *c, const struct rf_step *steps, uint32_t length);
void rf_path_drop(struct rf_path *c, uint32_t base);

// Whether this beginning is new to the choice; it is not from now on.
bool rf_path_claim(struct rf_path *c, uint32_t number, struct fingerprint key);

// The beginning claimed last is to be run.
void rf_path_owe(struct rf_path *c, uint32_t number, const struct rf_plan *plan);

// Takes what is owed by the newest choice that owes anything, which becomes the top; false if nothing is owed.
bool rf_path_take(struct rf_path *c, struct rf_plan *plan);

#endif
