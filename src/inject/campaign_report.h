// What a campaign has shown: as text, and as JSON with everything.
#ifndef INJECT_CAMPAIGN_REPORT_H
#define INJECT_CAMPAIGN_REPORT_H

#include "inject/campaign.h"

void campaign_print(const struct campaign *c, FILE *out);

// Of a campaign with one run: what became of it, beside what did in the campaign that it was in (a class, or -1).
void campaign_print_again(const struct campaign *c, int expected, FILE *out);

// 0, or -1 with errno set.
int campaign_write_json(const struct campaign *c, FILE *out);

// How many runs came to this.
uint64_t campaign_count(const struct campaign *c, enum fault_class class);

#endif
