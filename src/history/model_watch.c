#include "history/model_watch.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { ALTERNATE_STACK = 1 << 16, GRACE = 2 };

static char crash_text[512], late_text[512];

static void say(const char *text)
{
    ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
    (void)ignored;
}

static void on_crash(int number)
{
    (void)number;
    say(crash_text);
    _exit(2);
}

static void on_late(int number)
{
    (void)number;
    say(late_text);
    _exit(3);
}

void model_watch(const char *path, double seconds)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    static char stack[ALTERNATE_STACK];
    struct sigaction crash = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK}, late = {.sa_handler = on_late};
    snprintf(crash_text, sizeof crash_text, "heddle history: the model %s crashed\n", path);
    snprintf(late_text, sizeof late_text, "heddle history: the model %s did not come back in time\n", path);
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        sigaction(crashes[i], &crash, NULL);
    if (seconds > 0) {
        sigaction(SIGALRM, &late, NULL);
        setitimer(ITIMER_REAL, &(struct itimerval){.it_value.tv_sec = (time_t)seconds + GRACE}, NULL);
    }
}
