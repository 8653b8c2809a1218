// Requests that clients sent to a server, as a log has them: HAR (what browsers, mitmproxy and Fiddler write), access logs of web
// servers in the common or combined format, and CSV with a line of names.
//
// CSV has a column for each of these that is known: client (or id), method and url, or action (read, write, lock, unlock, guard,
// unguard) and object (or resource) in their place; seq (or time), status, version (or if-match), etag, body.
#ifndef REQUESTS_REQUEST_LOG_H
#define REQUESTS_REQUEST_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "requests/headers.h"

struct request {
    uint32_t entry;    // its number in the log, or its line; from 1
    double begin, end; // in which order requests were sent and answered; any unit
    char *method;      // null: see action
    char *host;        // null: unknown
    char *target;      // path and query, as sent
    char *
        path; // without the query; characters that were escaped stand for themselves, but for those that mean something
    struct headers headers;
    bool headers_known; // all of them are recorded: what is not there was not sent
    char *body;         // null: not recorded
    size_t body_length;
    int status; // 0: unknown
    struct headers answer_headers;
    char *answer; // null: not recorded
    size_t answer_length;
    char *client;          // what the log itself says; null: nothing
    char *action, *object; // in place of method and target; null: none
};

struct request_log {
    const char *path;
    struct request *requests; // in the order in which they were sent
    uint32_t count;
    size_t room;
    uint32_t skipped; // entries that are no requests
};

// Null: `wrong` (to be freed) says why, as a sentence that goes on behind the file's name.
struct request_log *request_log_read(const char *path, char **wrong);
void request_log_free(struct request_log *log);

// For readers of a format. A new request, all null; and where it goes.
struct request *request_log_add(struct request_log *log, uint32_t entry);
void request_free(struct request *r); // what it holds
void request_set_url(struct request *r, const char *url);

bool har_read(struct request_log *log, const char *text, size_t length, char **wrong);
bool access_log_read(struct request_log *log, char *text, char **wrong);
bool csv_read(struct request_log *log, char *text, char **wrong);
// Whether the first line is one of names.
bool csv_is_one(const char *text);

// The value behind NAME= in the query of a target; null: there is none. To be freed.
char *request_query(const struct request *r, const char *name);

// "PUT /x", or "write x".
const char *request_verb(const struct request *r);
const char *request_what(const struct request *r);

#endif
