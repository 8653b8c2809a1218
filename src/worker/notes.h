// The assumptions behind the verdict of a search, each a sentence, as far as it has come: written when the search is over, and where
// somebody wants to know before.
#ifndef WORKER_NOTES_H
#define WORKER_NOTES_H

#include "worker/searching.h"

void notes_conclude(struct worker *w);

#endif
