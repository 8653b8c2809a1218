// Searching anew in a safer way, because something that the search saw did not happen again in a fresh process. Either heddle's way
// to go back was at fault, and a safer one shows what is true; or it cannot be cleared up.
#ifndef SUPERVISE_ANEW_H
#define SUPERVISE_ANEW_H

#include "supervise/declared.h"
#include "supervise/run.h"

enum { ANEW_ATOMICS = 64 };

struct anew {
    struct task task; // as it was given, before phases changed it
    double began;
    bool no_atomics; // races on variables declared _Atomic are races
    uint32_t atomics;
    uint64_t atomic[ANEW_ATOMICS]; // words that hold variables declared _Atomic: see declared.h
    uint32_t named;
    char names[ANEW_ATOMICS + 1][DECLARED_NAME]; // of those variables
    char sentence[256];                          // on the last of them, for the report; or empty
};

// Adds the words of a variable; false if they are there already, or too many.
bool anew_add_atomic(struct anew *anew, uint64_t address, uint32_t size);
void anew_name_atomic(struct anew *anew, const char *name);

// Makes the job what it was, but for what was learnt, with plain accesses to these words as steps. False if there is no time.
bool anew_repeat(const struct anew *anew, struct job *job);

void anew_keep(struct anew *anew, const struct job *job);

// Takes over what was found out before a search was saved that goes on now.
void anew_remember(struct anew *anew, const struct anew *before);

// Makes the job what it was, but for what was learnt, to be run in a safer way and in what is left of the time. False if there is
// no safer way, no time, or the user does not want to wait.
bool anew_prepare(const struct anew *anew, struct job *job);

#endif
