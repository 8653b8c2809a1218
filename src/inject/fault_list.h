// The faults that a campaign tries: the first calls of every place, faults that are drawn, or one by its name.
#ifndef INJECT_FAULT_LIST_H
#define INJECT_FAULT_LIST_H

#include "inject/campaign.h"

struct fault_list {
    struct fault *fault; // free it
    size_t count, room;
};

// Fills it as the campaign's request says, and counts how many faults are possible. Null, or what is wrong with the request.
const char *fault_list_fill(struct campaign *c, struct fault_list *list);

#endif
