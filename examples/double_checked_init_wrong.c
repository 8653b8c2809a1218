// Double-checked initialisation with relaxed memory orders.
// heddle: bug, race between the store to `found->width` and the load of `mine->width`.
#define WRONG
#include "double_checked_init.c"
