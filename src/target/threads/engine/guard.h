// The determinism guard: whether an execution that is repeated does what it did the first time.
//
// Going back by the undo log repeats nothing; so executions are repeated from time to time for this purpose alone. Going
// back by replay repeats the common steps each time, and each time they are compared.
#ifndef TARGET_GUARD_H
#define TARGET_GUARD_H

#include <stdbool.h>
#include <stdint.h>

// Remembers the events of the execution at hand from number `from` up to `events`, before they are repeated.
void guard_expect(uint32_t from, uint32_t events);

// Whether the next step can be taken by `actor`, as it was; otherwise the difference is kept.
bool guard_before(uint32_t actor, uint32_t alternative);

// Whether the event just repeated is the one that was remembered; otherwise the difference is kept.
bool guard_after(void);

// Repeats the whole execution at hand. False if that went another way: the search cannot go on from here.
bool guard_repeat(void);

// The actor is about to do something else than what was planned (target.surprise).
void guard_surprise(uint32_t actor, uint32_t kind, uint32_t object);

#endif
