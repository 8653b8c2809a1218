// Predictions tried natively: with the program's own threads, which are held back for a bounded time at the places of a prediction
// (holder/holder.h), and with the load that the program serves. It is the way for programs that heddle cannot run under control,
// such as servers, whose clients are outside.
//
// First the program runs a few times without being held back: that is what the others are compared with. Then predictions are
// tried many at a time, those first that stand for others (prediction_groups.h). At last each that came about is tried alone, so
// that what goes wrong then is due to it.
//
// *Confirmed*: a run was seen in which threads came to the places in the predicted order, or at the same time, in one call of the
// region and about the same memory. *Infeasible*: all places were reached, and threads waited often enough for the others in
// vain. *Unknown*: neither.
//
// A confirmed one is *harmful* if the program, with only that one tried, is ended by a signal, ends with another status, or does not
// end twice, as it never did without being held back; if its threads wait for one another's locks for ever; or if memory is used that was
// freed. One that does not come about is, too, if the program ends so twice on the way there, while nobody has waited in vain: who sees
// what is wrong may end the program before the order is complete. That it prints something else is told, but counts for nothing: it may
// as well be what the order is expected to do.
#ifndef PREDICT_NATIVE_CONFIRM_H
#define PREDICT_NATIVE_CONFIRM_H

#include "predict/confirm.h"

struct native_request {
    const char *load; // a command for the shell; null: none
    uint32_t hold_ms; // how long a thread waits at most
    uint32_t only;    // number of the only prediction to try, from 1; 0: all
};

// Sets what is known of all predictions. `c` has been begun.
void native_confirm(struct confirmer *c, const struct native_request *request);

#endif
