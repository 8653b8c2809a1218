// Predicted orders that are tried natively: what `heddle predict --native` shares with the holder (holder/holder.h), which is
// loaded into the program.
//
// An *order* says in terms of the code what is predicted: its points are accesses and calls at places of the program, and some of
// them have to come before others, or all have to be reached at the same time. Which thread comes to a point, and which memory it
// is about, is found out in the run: points of one thread of the prediction have to be of one thread there, points of different
// threads of different ones, and points about one variable have to be about the same memory. So a server needs not do the same
// as in the recorded run, nor its memory lie in the same place.
#ifndef MODEL_HOLDING_H
#define MODEL_HOLDING_H

#include <stdint.h>

#define HOLDING_VARIABLE "HEDDLE_HOLDING" // environment: the descriptor of a holding_block
#define HOLDING_MAGIC 0x31646c6f68646468ull

enum {
    HOLDING_ORDERS = 1024,
    HOLDING_POINTS = 8,
    HOLDING_ANY = UINT8_MAX // no point; any number of calls
};

enum hold_kind { HOLD_ACCESS, HOLD_LOCK, HOLD_RELEASE };

struct hold_point {
    uint64_t pc;      // return address of the hook or call
    uint64_t gate;    // the same of the call that takes the lock it is done under, if that is after `previous`; 0: none
    uint64_t address; // of a variable or lock that is always in one place; 0: it is wherever the first point says
    uint64_t offset;  // in its block
    uint32_t size;    // of the variable
    uint32_t releases; // how many locks the thread may have let go since `previous`
    uint8_t kind;      // enum hold_kind
    uint8_t thread;    // of the prediction, from 0
    uint8_t variable;  // points with the same number are about the same memory …
    uint8_t block;     // … and with the same number here about the same block
    uint8_t previous;  // the point before it of the same thread; HOLDING_ANY: it is the first
    uint8_t
        outward; // the call so many levels around `previous` has to be the same one; HOLDING_ANY: it is not looked at
    uint16_t unused;
};

struct hold_pair {
    uint8_t before, after; // points
};

struct hold_order {
    struct hold_point point[HOLDING_POINTS];
    struct hold_pair pair[HOLDING_POINTS];
    uint32_t point_count, pair_count;
    uint32_t meets; // all points have to be reached at the same time; there are no pairs
    // What came of it:
    uint32_t confirmed;            // how often it came about
    uint32_t waits;                // how often a thread was held back for it …
    uint32_t held;                 // … in vain …
    uint32_t missing;              // … and the point that did not come, the last time
    uint32_t stuck;                // of locks: how many of the threads that met still wait for theirs
    uint32_t seen[HOLDING_POINTS]; // how often a thread came to the point's place
};

struct holding_block {
    uint64_t magic, size;
    uint32_t attached; // the program has loaded the holder
    uint32_t order_count;
    uint32_t hold_ms;     // a thread waits at most so long …
    uint32_t most_held;   // … and so often for one order in vain
    uint32_t gates;       // threads wait at the gates of points, so that others can have the lock meanwhile
    uint32_t most_seen;   // an order is not waited for any more after it came about so often
    uint32_t held_all_ms; // all waiting of the run together, at most
    struct hold_order order[HOLDING_ORDERS];
};

#endif
