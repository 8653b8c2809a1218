// The Petri net of a predicted violation (seed 003, section 4.4.4.4), small enough to read: only the requests of the regions that it is
// about, their resources and locks.
//
// Places: one for each resource and each lock, and the chain of each client, whose token says how far it is. Transitions: requests,
// numbered in the order in which they fire in the predicted run. Reading and writing a resource takes its token and puts it back;
// a lock's token is away while somebody holds it. The region that is not atomic has a box around it.
#ifndef REQUESTS_PETRI_H
#define REQUESTS_PETRI_H

#include <stdio.h>

#include "requests/request_predict.h"

// For Graphviz, and as a picture. 0, or -1 with errno set.
int petri_dot(FILE *out, const struct request_predictions *p, const struct prediction *one);
int petri_svg(FILE *out, const struct request_predictions *p, const struct prediction *one);

#endif
