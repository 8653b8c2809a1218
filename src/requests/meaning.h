// What the requests of a log do to which resources, as far as it counts: who they are from, what they read and wrote, and which writes
// would have been refused in another order.
//
// Only what the server did counts: a write that it refused wrote nothing. A read that found nothing is a read.
//
// A write is *conditional* if the server refuses it once the resource has changed: it carries an If-Match (not `*`), another header,
// query or member of its body that the rules call a version, or the same client was refused a write of this resource with 409 or 412
// in this log and so knows what to do then. Where the log does not have the headers, it is enough that somebody was: the server
// compares versions of that resource. (Seed 003 has only the refusal of the same client; there, code that works with versions is
// accused if the run had no conflict.) It depends on the client's latest access to the resource whose answer has that version; members of a body
// that have a common name, such as "version", count only if an answer had them. `since` says which access that is.
//
// A client does one thing after the other. What is to be atomic is a *round*: it begins anew where a client reads what it has read or
// written before in the round, or writes what it has written: it looks again, or acts again. With "atomic client" of the rules
// all that a client does is one round, as in the seed.
#ifndef REQUESTS_MEANING_H
#define REQUESTS_MEANING_H

#include "base/table.h"
#include "requests/request_rules.h"

enum { NO_EFFECT = UINT32_MAX };

struct effect {
    uint32_t request, client, resource; // by number
    enum deed deed;
    bool conditional;
    bool known_version; // it carries one, rather than that the client was refused before
    uint32_t since;     // of a conditional write: the effect that it depends on; NO_EFFECT: none in the log
    uint32_t until;     // the last conditional write that depends on this one; NO_EFFECT: none
    uint32_t round;     // of its client, from 0 on
    uint32_t line;      // a number for its client and resource …
    uint32_t before;    // … and the one before it of that number; NO_EFFECT: none
};

struct meaning {
    const struct request_log *log;
    struct table clients, resources; // names; locks are among the resources
    struct effect *effects;          // in the order of the run
    uint32_t count;
    size_t room;
    uint32_t *client_of; // by request
    uint32_t first;      // the client that sets things up before others begin; NO_EFFECT: none
    uint32_t lines;      // how many pairs of a client and a resource
    uint32_t conditional, refused, ignored;
};

void meaning_make(struct meaning *m, const struct request_log *log, const struct request_rules *rules);
void meaning_free(struct meaning *m);

// Whether the server did what the request asked for.
bool request_was_done(const struct request *r, enum deed deed);
// Whether it refused it since somebody else was faster.
bool request_was_refused(int status);

#endif
