// What other rooms may use of the families of calls on threads.
#ifndef TARGET_PTHREAD_ROOM_H
#define TARGET_PTHREAD_ROOM_H

#include "target/threads/pthread/surface.h"
#include "target/threads/pthread/contexts.h"

#endif
