#include "cli/history_transactions.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "report/transactions.h"
#include "supervise/scratch.h"

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

static int write_report(const struct transactions_request *r, const struct transactions_report *report)
{
    const char *no = getenv("NO_COLOR");
    bool to_stdout = r->json && !strcmp(r->json, "-");
    int status = 0;
    if (!to_stdout)
        report_transactions_text(stdout, report, isatty(STDOUT_FILENO) && !(no && *no));
    if (r->json) {
        FILE *out = to_stdout ? stdout : fopen(r->json, "w");
        if (!out || report_transactions_json(out, report) || (!to_stdout && fclose(out))) {
            fprintf(stderr, "heddle history: %s cannot be written: %s\n", r->json, strerror(errno));
            status = 2;
        }
    }
    if ((fflush(stdout) || ferror(stdout)) && errno != EPIPE) {
        fprintf(stderr, "heddle history: the report cannot be written: %s\n", strerror(errno));
        status = 2;
    }
    return status;
}

int transactions_decide(const struct transactions_request *r, const struct transactions *from, bool or_else)
{
    static const int statuses[] = {[VERDICT_NO] = 1, [VERDICT_YES] = 0, [VERDICT_UNKNOWN] = 3};
    struct decision decision;
    double start = lin_now();
    struct decide_limits limits = {.choices = {r->most_tried, r->time > 0 ? start + r->time : 0}};
    scratch_watch();
    decide(&decision, from, r->level, &limits);
    if (or_else && decision.verdict == VERDICT_UNKNOWN) {
        decision_free(&decision);
        return -1;
    }
    struct transactions_report report = {r->file,           &decision,     r->explain,   r->witness,
                                         lin_now() - start, most_memory(), r->said_model};
    int status = write_report(r, &report);
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
