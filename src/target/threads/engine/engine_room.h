// What other rooms may use of the engine: the state that all hooks need, how a thread asks for something, and what the worker asks
// of the engine.
#ifndef TARGET_ENGINE_ROOM_H
#define TARGET_ENGINE_ROOM_H

#include "target/threads/engine/engine.h"
#include "target/threads/engine/thread.h"
#include "target/threads/engine/place.h"
#include "target/threads/engine/turn.h"
#include "target/threads/engine/deep_stacks.h"
#include "target/threads/engine/perform.h"
#include "target/threads/engine/operations.h"
#include "target/threads/engine/failure.h"
#include "target/threads/engine/faults.h"
#include "target/threads/engine/spin.h"
#include "target/threads/engine/record.h"
#include "target/threads/engine/execution.h"

// How threads sleep, yield, are copied by fork and come back from libraries that nobody sees into.
#include "target/threads/engine/sleep.h"
#include "target/threads/engine/yield.h"
#include "target/threads/engine/snapshot.h"
#include "target/threads/engine/forked.h"
#include "target/threads/engine/foreign.h"
#include "target/threads/engine/fiber.h"
#include "target/threads/engine/floats.h"

// For the worker, which puts a search together: clients of objects, blocks of code, states, and what is checked on the way.
#include "target/threads/engine/client.h"
#include "target/threads/engine/blocks.h"
#include "target/threads/engine/sites.h"
#include "target/threads/engine/state.h"
#include "target/threads/engine/commons.h"
#include "target/threads/engine/ignored.h"
#include "target/threads/engine/likeness.h"
#include "target/threads/engine/arguments.h"
#include "target/threads/engine/join_runs.h"
#include "target/threads/engine/audit.h"
#include "target/threads/engine/guard.h"
#include "target/threads/engine/watch.h"
#include "target/threads/engine/tail.h"
#include "target/threads/engine/times.h"
#include "target/threads/engine/stops.h"

#endif
