#include "cli/history_transactions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/interrupt.h"
#include "base/scratch.h"
#include "base/time.h"
#include "cli/history_write.h"
#include "report/transactions.h"

bool transactions_model(const char *name, enum transaction_model *model)
{
    *model = strcmp(name, "list-append") ? MODEL_REGISTERS : MODEL_LISTS;
    return !strcmp(name, "list-append") || !strcmp(name, "rw-register");
}

const char *transactions_levels(void)
{
    return "serializable, strict-serializable, session-serializable, snapshot-isolation, strong-snapshot-isolation, "
           "session-snapshot-isolation or read-committed";
}

static size_t most_memory(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) ? 0 : (size_t)usage.ru_maxrss * 1024;
}

static void write_text(FILE *out, const void *report, bool colour)
{
    report_transactions_text(out, report, colour);
}

static int write_json(FILE *out, const void *report)
{
    return report_transactions_json(out, report);
}

int transactions_decide(const struct transactions_request *r, const struct transactions *from, bool or_else)
{
    static const int statuses[] = {[VERDICT_NO] = 1, [VERDICT_YES] = 0, [VERDICT_UNKNOWN] = 3};
    struct decision decision;
    double start = time_now();
    struct decide_limits limits = {.choices = {r->most_tried, r->time > 0 ? start + r->time : 0}};
    scratch_watch();
    decide(&decision, from, r->level, &limits);
    if (or_else && decision.verdict == VERDICT_UNKNOWN) {
        decision_free(&decision);
        return -1;
    }
    struct transactions_report report = {r->file,       &decision,    r->explain, r->witness, time_now() - start,
                                         most_memory(), r->said_model};
    int status = history_write(&(struct history_writer){&report, write_text, write_json}, r->json);
    status = status ? status : statuses[decision.verdict];
    decision_free(&decision);
    return status;
}

int transactions_judge(const struct transactions_request *r, char *text, size_t length)
{
    struct transactions from;
    int status = 2;
    if (!transactions_read(&from, r->model, text, length, r->format))
        fprintf(stderr, "heddle history: %s:%u: %s\n", r->file, from.line, from.error);
    else if (!from.count)
        fprintf(stderr, "heddle history: %s: there is no transaction in it\n", r->file);
    else
        status = transactions_decide(r, &from, false);
    transactions_free(&from);
    return status;
}
