#include "report/progress.h"

#include <inttypes.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/time.h"

#define BETWEEN_UPDATES 0.2 // seconds

void progress_begin(struct progress *p, FILE *out)
{
    *p = (struct progress){.out = out, .wanted = isatty(fileno(out)) == 1};
    p->started = p->last = time_now();
}

static void scaled(double rate, char *text, size_t room)
{
    if (rate >= 1e6)
        snprintf(text, room, "%.1fM/s", rate * 1e-6);
    else if (rate >= 1e4)
        snprintf(text, room, "%.0fk/s", rate * 1e-3);
    else
        snprintf(text, room, "%.0f/s", rate);
}

void progress_line(const struct progress *p, const volatile struct job *job, uint64_t executions, double seconds,
                   char *line, size_t room)
{
    char rate[32], share[64] = "", phase[32] = "", client[48] = "";
    unsigned whole = (unsigned)seconds;
    scaled(p->rate, rate, sizeof rate);
    if (job->answer.share.likely >= 0)
        snprintf(share, sizeof share, "  about %.2g%% explored", job->answer.share.likely * 100);
    enum strategy_kind strategy = job->task.strategy;
    if ((job->task.executions_before || job->task.hopeless_after > 0) &&
        strategy < STRATEGIES) // one of several searches: say which
        snprintf(phase, sizeof phase, "  %s", strategy_table[strategy].name);
    if (job->client.clients)
        snprintf(client, sizeof client, "client %" PRIu64 ": ", job->client.before + job->client.answer.at + 1);
    snprintf(line, room, "%s%" PRIu64 " execution%s  %s%s  depth %u%s  %u:%02u", client, executions,
             executions == 1 ? "" : "s", rate, share, job->answer.deepest, phase, whole / 60, whole % 60);
}

static int columns(FILE *out)
{
    struct winsize window;
    return ioctl(fileno(out), TIOCGWINSZ, &window) == 0 && window.ws_col > 1 ? window.ws_col - 1 : 79;
}

static void put_line(struct progress *p, const char *line)
{
    fprintf(p->out, "\r\033[K%.*s", columns(p->out), line);
    fflush(p->out);
    p->shown = true;
}

void progress_show(struct progress *p, const char *line)
{
    if (!p->wanted || time_now() < p->last + BETWEEN_UPDATES)
        return;
    p->last = time_now();
    put_line(p, line);
}

void progress_update(struct progress *p, const volatile struct job *job, uint64_t others)
{
    char line[200];
    double time = time_now(), passed = time - p->last;
    if (!p->wanted || passed < BETWEEN_UPDATES)
        return;
    uint64_t executions = job->answer.counts.executions + others;
    if (executions < p->executions) // the search began anew
        p->executions = 0;
    double rate = (double)(executions - p->executions) / passed;
    p->rate = p->rate > 0 ? 0.7 * p->rate + 0.3 * rate : rate;
    p->executions = executions;
    p->last = time;
    progress_line(p, job, executions, time - p->started, line, sizeof line);
    put_line(p, line);
}

void progress_clear(struct progress *p)
{
    if (!p->shown)
        return;
    fputs("\r\033[K", p->out);
    fflush(p->out);
    p->shown = false;
}
