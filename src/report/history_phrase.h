// Operations and verdicts of histories in words.
#ifndef REPORT_HISTORY_PHRASE_H
#define REPORT_HISTORY_PHRASE_H

#include "base/buffer.h"
#include "report/history_report.h"

// "linearizable", "not sequentially consistent", "unknown".
const char *tell_verdict(enum judgement judgement, enum verdict verdict);
const char *tell_judgement(enum judgement judgement);

// "write 1" or "cas 1 2".
void tell_call(struct buffer *out, const struct history_report *r, const struct operation *op);

// "read -> 1"; without a result: "write 1".
void tell_operation(struct buffer *out, const struct history_report *r, const struct operation *op, const char *gives);

void tell_process(struct buffer *out, const struct history_report *r, uint32_t process);

// What parts of one object are called: "key" or "element".
const char *tell_keys(const struct history_report *r);

// "key 3", "object a, key 3", or nothing.
void tell_part(struct buffer *out, const struct history_report *r, const struct judged_part *part);

// A value as it is; foreign text is made safe.
void tell_value(struct buffer *out, const struct history_report *r, int64_t value);

#endif
