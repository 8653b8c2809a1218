// Which way code mostly goes. A search takes about 2,000 instructions per event, including what the strategy does and
// going back, and no part of them takes more than a tenth. Rare code (recording, a debugger, visible unlocks, freed
// memory) must not be compiled into their midst, where it would cost registers and jumps at every event: there it made
// the whole search a tenth slower. So it stands in functions of its own, marked RARE.
//
// Such functions are not marked as cold. gcc makes cold functions small, and aligns their stacks by pushing a register that holds nothing.
// Where a thread waits inside one, that value is part of its live stack: equal states looked different, by what had run before.
#ifndef BASE_PATHS_H
#define BASE_PATHS_H

#define RARE __attribute__((noinline))                 // a function that hardly any event calls
#define OFTEN __attribute__((hot, noinline))           // one of several that each event calls one of
#define IN_PLACE inline __attribute__((always_inline)) // one that each event calls, and that is not worth a call

#define likely(condition) __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)

#endif
