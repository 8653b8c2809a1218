// What other rooms may use of the program's memory.
#ifndef TARGET_MEMORY_ROOM_H
#define TARGET_MEMORY_ROOM_H

// Where it lies: arena, heap, mappings, thread-local blocks, and the image by which it is put back.
#include "target/threads/memory/arena.h"
#include "target/threads/memory/heap.h"
#include "target/threads/memory/maps.h"
#include "target/threads/memory/tls.h"
#include "target/threads/memory/image.h"
#include "target/threads/memory/replica.h"
#include "target/threads/memory/flows.h"
#include "target/threads/memory/global_ends.h"
#include "target/threads/memory/defined.h"
#include "target/threads/memory/forking.h"

// How it is accessed: the hooks, and what is known of an access.
#include "target/threads/memory/access.h"
#include "target/threads/memory/mixed.h"
#include "target/threads/memory/lifetime.h"
#include "target/threads/memory/annotations.h"
#include "target/threads/memory/assembly.h"
#include "target/threads/memory/frames.h"
#include "target/threads/memory/unwind.h"

#endif
