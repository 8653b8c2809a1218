// The buffer that asks `if` instead of `while` before it waits.
// heddle: bug, assertion `count > 0`.
#define WRONG
#include "bounded_buffer.c"
