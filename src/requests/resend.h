// Predictions of a log tried: the recorded requests are sent in the predicted order to a server on this machine, and what it
// answers is compared with what was predicted.
//
// Whoever the requests were from is not there: each is sent as it was recorded, whatever the answers before it say. What the server
// itself gave out, such as ETags and tokens of locks, is replaced by what it gives out now. Where the log has no body of a write,
// one is made up. Requests that mean nothing to the rules are sent where their client sent them.
//
// *Confirmed*: the server accepted all of it. *Harmful*: moreover, each access saw, or took the place of, what the predicted order says.
// For that, resources are read once more behind each write that the prediction is about. *Infeasible*: the server refused (409,
// 412, 423). *Unknown*: something failed that went well in the log.
#ifndef REQUESTS_RESEND_H
#define REQUESTS_RESEND_H

#include "requests/loopback.h"
#include "requests/request_predict.h"

// Fills in `resent`.
void resend_predictions(struct request_predictions *p, const struct request_rules *rules, const struct loopback *to);

#endif
