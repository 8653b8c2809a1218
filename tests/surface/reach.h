// For programs that run both natively and under heddle: REACHED(k) marks an outcome that some run must have. Started with
// the argument k the program fails there, which heddle has to find.
#ifndef REACH_H
#define REACH_H

#include <assert.h>

static int reach;

#define REACHED(k) assert(reach != (k))

static inline void begin(int argc, char **argv)
{
    for (const char *digit = argc > 1 ? argv[1] : ""; *digit; digit++)
        reach = reach * 10 + *digit - '0';
}

#endif
