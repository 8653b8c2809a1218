// The philosophers who all take the left fork first.
// heddle: bug, deadlock.
#define WRONG
#include "dining_philosophers.c"
