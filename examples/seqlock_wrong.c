// The sequence lock whose reader does not mind an odd sequence number.
// heddle: bug, assertion `l == r`.
#define WRONG
#include "seqlock.c"
