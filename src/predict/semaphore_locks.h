// Semaphores that are used as locks: there is one token, and each thread that takes it is the one to post it again.
//
// Then there are as many tokens as there would be in a lock that is free, in every order of the records: none while a thread is between
// its take and its post, one otherwise. So their sections exclude each other and may come in either order, while the tokens of other
// semaphores hand something over (order.h).
#ifndef PREDICT_SEMAPHORE_LOCKS_H
#define PREDICT_SEMAPHORE_LOCKS_H

#include "trace/recording.h"

// By object; to be freed.
bool *semaphore_locks(const struct recording *r);

#endif
