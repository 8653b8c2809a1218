// The deque whose owner takes the last item without a compare-and-swap of the top.
// heddle: bug, assertion `times[item] == 1`.
#define WRONG
#include "work_stealing_deque.c"
