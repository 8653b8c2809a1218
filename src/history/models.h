// The built-in specifications, and the numbers of their calls.
#ifndef HISTORY_MODELS_H
#define HISTORY_MODELS_H

#include "history/spec.h"

enum { REGISTER_READ, REGISTER_WRITE, REGISTER_CAS };
enum { SET_ADD, SET_REMOVE, SET_CONTAINS };
enum { QUEUE_PUT, QUEUE_GET, QUEUE_TAKE }; // get may find nothing and gives nil; take waits
enum { MAP_PUT, MAP_GET, MAP_REMOVE, MAP_CAS };
enum { COUNTER_INC, COUNTER_ADD, COUNTER_GET, COUNTER_FETCH_ADD };
enum { MUTEX_ACQUIRE, MUTEX_TRY, MUTEX_RELEASE };

extern const struct spec spec_register, spec_set, spec_queue, spec_stack, spec_map, spec_counter, spec_mutex;

#endif
