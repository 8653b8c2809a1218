#define _GNU_SOURCE
#include "base/interrupt.h"

#include <signal.h>
#include <stddef.h>

#include "base/time.h"

static volatile sig_atomic_t seen; // the number of the first signal
static double seen_at;             // when it came
static void (*end_at_once)(int);

// One request may arrive twice: timeout(1) signals its child, and then the whole process group of the child.
static void on_signal(int number)
{
    const double moment = 0.25;
    double at = time_now();
    if (!seen) {
        seen_at = at;
        seen = number;
    } else if (at > seen_at + moment) {
        end_at_once(number);
    }
}

void interrupt_watch(void (*end)(int signal_number))
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
    if (end_at_once)
        return;
    end_at_once = end;
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        struct sigaction action = {.sa_handler = on_signal}, before;
        sigaction(ending[i], NULL, &before);
        if (ending[i] != SIGHUP || before.sa_handler != SIG_IGN)
            sigaction(ending[i], &action, NULL);
    }
}

bool interrupted(void)
{
    return seen;
}

int interrupt_signal(void)
{
    return seen;
}

const char *interrupt_reason(void)
{
    return seen == SIGTERM  ? "it was ended by SIGTERM"
           : seen == SIGHUP ? "it was ended by SIGHUP"
                            : "it was interrupted";
}
