// The assumptions behind the verdict of a search, each a sentence, written when the search is over.
#ifndef WORKER_NOTES_H
#define WORKER_NOTES_H

#include "worker/searching.h"

void notes_conclude(struct worker *w);

#endif
