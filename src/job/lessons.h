// The lessons: what the search of a program has to know of it, and learns by running it. An attempt that learns something ends
// with JOB_AGAIN; the next one begins with all that those before it have learnt.
#ifndef JOB_LESSONS_H
#define JOB_LESSONS_H

#include <stdint.h>

#include "model/dynamic.h"
#include "model/missed.h"

enum { RACY_WORDS = 2048, MERGED_BLOCKS = 256, LESSON_KIN = 256 };

// What heddle no longer relies on for this program, since an execution that was run again was another one.
enum distrust {
    DISTRUST_NOTHING,
    DISTRUST_UNDO,  // the log of writes: executions are run again from the beginning of main
    DISTRUST_MEMORY // and the image: each runs in a process of its own
};

// The array of which main's threads got elements as arguments (target/threads/engine/arguments.h).
struct array_lesson {
    uint64_t base, stride;
    uint32_t first, count; // actors; no count: there is none
    uint32_t looked;       // it was looked for
    uint32_t off;          // elements change, or may be told apart
};

struct lessons {
    uint32_t unlock_visible; // a try call can tell when a lock is let go, or a thread ends
    uint32_t mixed;          // some location is accessed both atomically and plainly
    uint32_t crowded;        // more threads use some barrier than it lets through at once
    uint32_t serial;         // the program looks which of the threads at a barrier is the serial one
    uint32_t shares;         // readers share a lock: optimal search would miss a writer between two of them
    uint32_t
        rounds_seen; // a try call can tell that a thread in a circle has a lock for a moment: how often it goes round matters
    uint32_t deep_stacks;    // steps are taken hundreds of calls deep (target/threads/engine/deep_stacks.h)
    uint32_t write_order;    // rf: memory that is written in steps is read in no step
    uint32_t time_read;      // virtual time matters: it is part of states, and travels between threads
    uint32_t ordered;        // searches by states of clients: threads order what they do by more than atomic accesses
    uint32_t told_apart;     // threads that look alike ask who they are …
    uint8_t kin[LESSON_KIN]; // … or are joined apart: which of main's children are of one kin
    struct array_lesson array;
    uint32_t needs_fork, needs_place; // a process for each execution, a private working directory
    uint32_t long_prefix;             // events that were to be repeated, if that is why
    uint32_t distrust;                // enum distrust
    struct missed missed;             // the write that undo missed, if that is why
    char unlogged[64];                // a function that changes what the log of writes does not have, or empty
    char outside_call[64];            // what it did that needs that, and where
    uint64_t outside_pc;
    struct dynamic_lesson dynamic; // libraries that it opens
    uint32_t merged_count;
    uint64_t merged[MERGED_BLOCKS]; // blocks of 16 bytes whose parts are accessed in different sizes: one object each
    uint32_t racy_count;
    uint64_t racy[RACY_WORDS]; // words whose plain accesses are visible
};

#endif
