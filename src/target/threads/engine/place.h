// Synchronisation objects and atomic locations, by the addresses that the program gives them.
#ifndef TARGET_PLACE_H
#define TARGET_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check/race.h"
#include "model/exec.h"

struct thread;

// A synchronisation object or atomic location; found by its address, which is the same in every execution.
struct place {
    uint64_t address;       // survives
    uint32_t size;          // survives: of atomic accesses to it; 1 for a lock or the like; 0 for other objects
    uint32_t state;         // enum place_state
    uint32_t owner;         // mutex: actor + 1; once: who runs the routine or has run it. In one word with …
    uint32_t depth;         // … how often a mutex is held; once: whether the routine has ended
    struct release release; // owner, depth and release are kept together
    struct release shared;  // readers–writer lock: what readers pass on to writers
    uint64_t waiters[MAX_ACTORS / 64]; // condition variable
    // Readers–writer lock that prefers writers (rwlocks_queue.c): how many of them wait, who is next, who had it last.
    uint32_t waiting;
    uint16_t heir, write_phase;
    uint64_t kept; // the step in which owner, depth and release were kept last; survives
    // Of a lock; both survive:
    bool tried;    // a call has looked whether it is free
    bool polled;   // a thread in a circle has taken it and let it go
    bool accessed; // it is memory that is accessed in steps; survives
};

_Static_assert(offsetof(struct place, owner) % 8 == 0 &&
                   offsetof(struct place, release) + sizeof(struct release) <= offsetof(struct place, owner) + 32,
               "keep_holding");

enum place_state {
    PLACE_INITIALISED = 1,
    PLACE_DESTROYED = 2,
    PLACE_OWNER_DIED = 4,    // robust mutex: what it protects may be half done
    PLACE_UNRECOVERABLE = 8, // robust mutex: it was let go like that
    PLACE_FOR_SEVERAL = 16,  // processes, of kinds of locks whose own memory does not tell
    PLACE_USER_SHIFT = 8     // from here on: the process that used it first, plus 1 (forked.h)
};

bool forked_copied(uint64_t address);        // forked.h
uint32_t forked_place(uint64_t address);     // the object there in a process that the program forked, where that is so
uint32_t place_find(uint64_t address);       // the number of a place that is known, or 0
void search_again(struct thread *t);         // gives this search up: something was learnt that changes what is visible
uint32_t place_seen_first(uint64_t address); // place_at: gives it its number (place_aside.S) …
uint32_t place_number(uint64_t address);     // … by this, on a stack …
extern uint8_t *place_aside;                 // … that ends here
void places_join(struct thread *t, uint64_t one, uint64_t other); // words that one operation concerns become one object
void places_learn(struct thread *t,
                  uint64_t mark); // later attempts have to know of this: a block that is nobody's memory …
bool places_know(uint64_t mark);  // … whether that is so
uint32_t place_of_access(uint64_t address, uint32_t size); // for memory accesses, whose sizes may overlap
uint32_t place_of_span(uint64_t address, uint64_t size);   // the same for those that need not be aligned

#endif
