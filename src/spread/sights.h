// What several workers have seen of the program, put together.
#ifndef SPREAD_SIGHTS_H
#define SPREAD_SIGHTS_H

#include "job/answer.h"

// Everything that says how far the answer can be trusted, and what was noticed; no bugs.
void answer_gather_sights(struct answer *into, const struct answer *from);

#endif
