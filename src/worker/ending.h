// How an execution that can go no further has ended.
#ifndef WORKER_ENDING_H
#define WORKER_ENDING_H

#include <stdbool.h>

// Adds a failure for a deadlock, a livelock or (on request) leaks to those of the execution. True if the execution was
// blocked: cut short by a false assumption or by spinning, so that waiting for ever means nothing.
bool ending_judge(void);

#endif
