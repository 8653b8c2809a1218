// Predictions of a log for people, and as JSON.
#ifndef REQUESTS_REQUEST_TEXT_H
#define REQUESTS_REQUEST_TEXT_H

#include <stdio.h>

#include "base/buffer.h"
#include "report/style.h"
#include "requests/request_predict.h"

// One prediction, by its number in the list: what may happen, the order in which it does as a table by clients, what came of it.
void request_text(FILE *out, const struct request_predictions *p, uint32_t number, const struct style *style);

// What was read, and what counts as protected.
void request_summary(FILE *out, const struct request_predictions *p);

// The sentence alone, without a full stop, and "lost update" and so on.
void request_sentence(const struct request_predictions *p, const struct prediction *one, struct buffer *out);
const char *request_title(const struct prediction *one);

// 0, or -1 with errno set.
int request_json(FILE *out, const struct request_predictions *p);

#endif
