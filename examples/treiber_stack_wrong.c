// The stack without a count in its head: a node that was popped and pushed again looks as if it had never left (ABA).
// heddle: bug, assertion `popped[value] == 1`.
#define WRONG
#include "treiber_stack.c"
