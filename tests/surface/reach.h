// For programs that run both natively and under heddle: REACHED(k) marks an outcome that some run must have. Started with
// the argument k the program fails there, which heddle has to find.
#ifndef REACH_H
#define REACH_H

#include <assert.h>
#include <stdlib.h>

static int reach;

#define BEGIN(argc, argv) (reach = (argc) > 1 ? atoi((argv)[1]) : 0)
#define REACHED(k) assert(reach != (k))

#endif
