// Clients beyond the bounds, for as long as there is time.
#ifndef SUPERVISE_GROW_H
#define SUPERVISE_GROW_H

#include "supervise/hunt.h"

// Into lin->growth; what is found goes to the hunt. That time is over, or that there are clients with too many executions, is no
// reason for the verdict, which is about the bounds. False if the program could not be run at all.
bool grow(struct hunt *h);

#endif
