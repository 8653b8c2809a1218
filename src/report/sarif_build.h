// Pieces of SARIF 2.1.0 (OASIS) that all who write it share.
#ifndef REPORT_SARIF_BUILD_H
#define REPORT_SARIF_BUILD_H

#include <stdint.h>

#include "report/json_build.h"

// {"text": …} as a member of the object.
void sarif_add_message(cJSON *object, const char *name, const char *text);

// Where in the sources; paths that are relative are so to where heddle runs.
void sarif_add_physical(cJSON *location, const char *file, int line);
void sarif_add_function(cJSON *location, const char *function); // may be null

// The one name that GitHub's code scanning looks at, and heddle's own.
void sarif_add_fingerprints(cJSON *result, uint64_t fingerprint);

// The whole, of its parts, which it takes; the version may be null.
cJSON *sarif_document(const char *version, cJSON *rules, cJSON *invocations, cJSON *results);

#endif
