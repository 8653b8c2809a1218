// Which requests read, write, take and release which resource.
//
// A rules file has one rule a line; `#` begins a comment:
//
//     client x-tracking-id user-agent        # headers that tell clients apart: the first that a request has
//     atomic client                          # all that a client does is to be atomic; by default one round (meaning.h)
//     first setup                            # what this client has done comes before all that others begin with later
//     version body revision                  # a write that carries this is refused if the resource has changed:
//     version query rev                      #   in its JSON body, in its query, or as a header
//     defaults no                            # do without the rules below
//     POST {db:**}/_all_docs -> read {db}/{body.keys}
//     GET /static/** -> ignore
//
// METHOD PATTERN -> ACTION [RESOURCE] {, ACTION RESOURCE}. The first rule that fits a request counts; the file's come before those
// that are always there. In a pattern, `*` stands for any characters but `/`, `**` for any, {NAME} and {NAME:**} for the same, to be
// used in resources. There also {path}, {query.NAME} and {body.FIELD} can be used; a list in the body names several resources.
//
// Actions: read, write; lock and unlock take and release a lock of that name, which others need not heed; guard and unguard do so
// with a resource, and the server refuses others' writes of it meanwhile (as LOCK of WebDAV does); ignore.
#ifndef REQUESTS_REQUEST_RULES_H
#define REQUESTS_REQUEST_RULES_H

#include "base/strings.h"
#include "requests/request_log.h"

enum deed { DEED_IGNORE, DEED_READ, DEED_WRITE, DEED_LOCK, DEED_UNLOCK, DEED_GUARD, DEED_UNGUARD, DEEDS };

extern const char *const deed_names[DEEDS];

enum { MOST_DEEDS = 4 };

struct request_rule {
    char *method, *pattern;
    enum deed deeds[MOST_DEEDS];
    char *resources[MOST_DEEDS]; // with {NAME}
    uint32_t count;
};

struct request_rules {
    struct request_rule *rules;
    uint32_t count;
    size_t room;
    struct strings clients;                                          // headers
    struct strings version_headers, version_queries, version_fields; // of requests that depend on a version
    bool whole_clients;                                              // "atomic client"
    bool no_defaults;
    char *first; // "first"; null: nobody
};

// The rules that are always there, behind those of a file (null: none). Null: `wrong` (to be freed) says why, as a sentence.
struct request_rules *request_rules_read(const char *path, char **wrong);
void request_rules_free(struct request_rules *r);

// What a request does, one after the other; resources are added to `names`, which stand beside `deeds`. At most `most`.
uint32_t request_rules_apply(const struct request_rules *rules, const struct request *r, enum deed *deeds,
                             uint32_t most, struct strings *names);

// The text of a member of a JSON body, or null; to be freed. The name may go down by dots.
char *request_body_field(const char *body, size_t length, const char *name);

#endif
