// One request of HTTP/1.1 and its answer, over a connection of its own.
#ifndef REQUESTS_HTTP_H
#define REQUESTS_HTTP_H

#include <stdbool.h>

#include "base/buffer.h"
#include "requests/headers.h"
#include "requests/loopback.h"

struct http_call {
    const char *method, *target;
    const struct headers *headers; // those that belong to the connection are left out
    const char *body;              // null: none
    size_t length;
};

struct http_answer {
    int status;
    struct headers headers;
    struct buffer body;
};

enum { HTTP_MOST = 64 << 20 }; // bytes of an answer or a request

// False: `wrong` (to be freed) says why, as a part of a sentence. The answer is to be freed in any case.
bool http_exchange(const struct loopback *to, const struct http_call *call, struct http_answer *answer, char **wrong);
void http_answer_free(struct http_answer *a);

// Whether the words can stand in a request without being taken for something else.
bool http_method_is_good(const char *method);
bool http_target_is_good(const char *target);

// Whether a header belongs to a connection rather than to what is sent over it.
bool http_is_of_connection(const char *name);

// A message as it comes from a socket: its first line, headers and body. Null, or why not (a constant).
const char *http_receive(int fd, bool is_request, bool no_body, struct buffer *line, struct headers *headers,
                         struct buffer *body);
bool http_send(int fd, const char *bytes, size_t length);

#endif
