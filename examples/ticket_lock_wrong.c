// The ticket lock whose tickets are drawn by a load and a store.
// heddle: bug, race on `count`.
#define WRONG
#include "ticket_lock.c"
