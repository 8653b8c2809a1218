#include "report/report.h"

#include <string.h>

const char *const report_verdicts[REPORT_VERDICTS] = {
    [VERDICT_VERIFIED] = "verified", [VERDICT_TOLERATED] = "tolerated", [VERDICT_INCOMPLETE] = "incomplete",
    [VERDICT_BUG] = "bug",           [VERDICT_ERROR] = "error",
};

enum report_verdict report_verdict_of(const struct report_summary *summary)
{
    for (int i = 0; i < REPORT_VERDICTS; i++)
        if (!strcmp(summary->verdict, report_verdicts[i]))
            return (enum report_verdict)i;
    return VERDICT_ERROR;
}

int report_status(enum report_verdict verdict)
{
    static const int status[REPORT_VERDICTS] = {
        [VERDICT_VERIFIED] = 0, [VERDICT_TOLERATED] = 0, [VERDICT_INCOMPLETE] = 3,
        [VERDICT_BUG] = 1,      [VERDICT_ERROR] = 2,
    };
    return status[verdict];
}
