// A place in memory that going back by the log of writes did not put back: somebody wrote there and heddle did not see it.
#ifndef MODEL_MISSED_H
#define MODEL_MISSED_H

#include <stdint.h>

enum missed_area {
    MISSED_NOTHING,
    MISSED_DATA,   // variables of the program or of a library of its own
    MISSED_MAP,    // memory that the program has mapped
    MISSED_HEAP,   // a block that `owner` allocated
    MISSED_STACK,  // of the thread `owner`
    MISSED_THREAD, // thread-local variables of `owner`
    MISSED_OBJECT, // what heddle itself keeps of a lock or the like: no write of the program
    MISSED_RECORD, // what heddle itself keeps of the thread `owner`
    MISSED_RACING  // nothing need be missed: what is in memory depends on a data race
};

struct missed {
    uint32_t area;
    uint32_t owner;
    uint32_t size;
    uint32_t block; // MISSED_HEAP: bytes of the block …
    uint64_t start; // … and where it begins
    uint64_t address;
    // Who wrote, once that is known: the instruction, and the thread. (pc 0: it is not.)
    uint64_t pc;
    uint32_t writer;
};

#endif
