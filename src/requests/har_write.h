// Logs in the HTTP archive format, written.
#ifndef REQUESTS_HAR_WRITE_H
#define REQUESTS_HAR_WRITE_H

#include <stdio.h>

#include "requests/request_log.h"

// `begin` and `end` of requests are seconds since 1970. 0, or -1 with errno set.
int har_write(FILE *out, const struct request_log *log);

#endif
