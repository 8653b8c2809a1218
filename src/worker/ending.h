// How an execution that can go no further has ended.
#ifndef WORKER_ENDING_H
#define WORKER_ENDING_H

#include <stdbool.h>
#include <stdint.h>

enum ending {
    ENDING_WHOLE,
    ENDING_BLOCKED, // cut short by a false assumption or by spinning, so that waiting for ever means nothing
    ENDING_ROUND    // the same, but all that is left is threads that go round for ever, as they are meant to
};

// Adds a failure for a deadlock, a livelock or (on request) leaks to those of the execution.
enum ending ending_judge(void);

// The same for an execution that came back to the state after `from` events, with no end that could be reached from there.
enum ending ending_judge_round(uint32_t from);

#endif
