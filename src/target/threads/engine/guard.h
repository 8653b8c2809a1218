// The determinism guard: whether an execution that is repeated does what it did the first time. Everything that heddle
// concludes rests on that: after the same steps the program has to do the same.
//
// Going back by the undo log repeats nothing. So the first execution is run again three times, and the second, fourth,
// eighth and so on once, from the beginning, and compared with itself, up to the state in which each thread is left.
// Going back by replay repeats the common steps each time, and each of them is compared: the operation, its object, its
// effect and its result. What a plan of `optimal` expects of the steps in its detours is compared as well, and no step
// is taken that cannot be taken (`may_step`), so that a program that changes only now and then does no harm.
//
// At the first difference (model/difference.h) the target is *lost*, and the search ends. A difference need not be the
// program's doing. With `--restart auto` the search first begins anew in a safer way: replay instead of undo, then a
// process for each execution. Only what differs there is the program's. The supervisor then goes on with random
// executions, which continue nothing, and looks for a likely source (supervise/suspect.h).
//
// Two things are not compared. Whether a thread spins depends on what earlier executions left on its stack. And it does
// not matter who has joined already: all who can join do so before states are compared (target_settle).
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
