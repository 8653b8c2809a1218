// Which way code mostly goes. A search takes a few hundred instructions per event, over and over: what is rare must not be
// compiled into their midst, where it would cost registers and jumps each time.
#ifndef BASE_PATHS_H
#define BASE_PATHS_H

#define RARE __attribute__((cold, noinline)) // a function that hardly any event calls
#define OFTEN __attribute__((hot, noinline)) // one of several that each event calls one of
#define IN_PLACE inline __attribute__((always_inline)) // one that each event calls, and that is not worth a call

#define likely(condition) __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)

#endif
