// How an execution that can go no further has ended.
#ifndef WORKER_ENDING_H
#define WORKER_ENDING_H

#include <stdbool.h>

enum ending {
    ENDING_WHOLE,
    ENDING_BLOCKED, // cut short by a false assumption or by spinning, so that waiting for ever means nothing
    ENDING_ROUND    // the same, but all that is left is threads that go round for ever, as they are meant to
};

// Adds a failure for a deadlock, a livelock or (on request) leaks to those of the execution.
enum ending ending_judge(void);

#endif
