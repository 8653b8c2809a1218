// Searching anew in a safer way, because something that the search saw did not happen again in a fresh process. Either heddle's way
// to go back was at fault, and a safer one shows what is true; or it cannot be cleared up.
#ifndef SUPERVISE_ANEW_H
#define SUPERVISE_ANEW_H

#include "supervise/run.h"

struct anew {
    struct job *task; // as it was given, before phases changed it
    double began;
};

void anew_keep(struct anew *anew, const struct job *job);
void anew_free(struct anew *anew);

// Makes the job what it was, but for what was learnt, to be run in a safer way and in what is left of the time. False if there is
// no safer way, no time, or the user does not want to wait.
bool anew_prepare(const struct anew *anew, struct job *job);

#endif
