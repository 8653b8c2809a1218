// What a campaign keeps of its runs (inject/saved_faults.h), and takes over when it goes on.
#ifndef INJECT_CAMPAIGN_SAVE_H
#define INJECT_CAMPAIGN_SAVE_H

#include "inject/fault_list.h"

// Opens the request's file and takes over what is in it: those faults are `done`. Null after a sentence.
FILE *campaign_open_saved(struct campaign *c, const struct fault_list *list, bool *done);

void campaign_save_outcome(FILE *file, const struct campaign *c, size_t number, const struct fault_outcome *o);

#endif
