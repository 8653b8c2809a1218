// What heddle lin says of the clients beyond the bounds, and of the bounds where it did not get through with them.
#ifndef SUPERVISE_GROWTH_REPORT_H
#define SUPERVISE_GROWTH_REPORT_H

#include <stdio.h>

#include "report/json_build.h"
#include "supervise/lin_object.h"

// Nothing if there were none.
void growth_text(FILE *out, const struct lin *lin);

// Up to how many calls clients within the bounds were explored, where not all of them were.
void growth_text_covered(FILE *out, const struct lin *lin);

cJSON *growth_json(const struct lin *lin);

#endif
