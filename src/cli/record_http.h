// heddle record --http: writes down requests to a server.
#ifndef CLI_RECORD_HTTP_H
#define CLI_RECORD_HTTP_H

#include <stdint.h>

struct http_recording {
    const char *server, *path;
    uint32_t port; // 0: any
};

// The exit status.
int record_http(const struct http_recording *request);

#endif
