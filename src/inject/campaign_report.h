// What a campaign has shown: as text, and as JSON with everything.
#ifndef INJECT_CAMPAIGN_REPORT_H
#define INJECT_CAMPAIGN_REPORT_H

#include "inject/campaign.h"

void campaign_print(const struct campaign *c, FILE *out);

// 0, or -1 with errno set.
int campaign_write_json(const struct campaign *c, FILE *out);

// How many runs came to this.
uint64_t campaign_count(const struct campaign *c, enum fault_class class);

#endif
