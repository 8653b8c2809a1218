// The queue whose dequeuers store the head instead of comparing and swapping it.
// heddle: bug, assertion `taken[1] != taken[2]`.
#define WRONG
#include "ms_queue.c"
