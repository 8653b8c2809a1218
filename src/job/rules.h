// The rules of a run: the part of a task that the engine keeps as it is, and every schedule.
#ifndef JOB_RULES_H
#define JOB_RULES_H

#include <stdint.h>

#include "model/fault.h"

enum race_mode { RACES_REPORT, RACES_EXPLORE, RACES_OFF };
enum restart_mode { RESTART_AUTO, RESTART_UNDO, RESTART_REPLAY, RESTART_VERIFY, RESTART_FORK, RESTART_CHECKPOINT };

// What may happen in a run, and what counts as a failure: the same wherever a run of the program is repeated.
struct rules {
    uint32_t races;   // enum race_mode
    uint32_t restart; // enum restart_mode
    uint32_t leaks, reuse;
    uint32_t memory_errors;  // are looked for closely: frames, and memory that nobody wrote
    uint32_t status_matters; // the process must end with the status 0
    uint32_t fill;           // enum fill: what fresh memory holds
    uint32_t spurious;       // wake-ups without a signal that a thread may have
    uint32_t framework;      // enum framework: whose tests the program has
    uint32_t openmp_threads; // of a parallel region that asks for no number; 0 if not given
    uint32_t calendar;       // seconds since 1970 at which the calendar begins; 0: some day
    uint32_t tell_apart; // races on the same memory by their places, too: one that is tolerated must not hide another
    struct fault_budget faults[FAULT_FAMILIES]; // that an execution may have
    uint32_t outlives_all;                      // whoever misuses a call goes on (schedules of runs in which some did)
};

#endif
