// Stands between clients and a server, both on loopback, hands requests and answers through, one after the other, and keeps them: the
// order in the log is the order in which the server saw them.
#ifndef REQUESTS_RECORDING_PROXY_H
#define REQUESTS_RECORDING_PROXY_H

#include <stdbool.h>

#include "requests/loopback.h"
#include "requests/request_log.h"

// Waits for clients at a port of 127.0.0.1; 0 takes one that is free. The socket, or -1 with errno set.
int recording_proxy_listen(uint16_t *port);

// Serves until it is interrupted (base/interrupt.h).
void recording_proxy_run(int listening, const struct loopback *server, struct request_log *log);

#endif
