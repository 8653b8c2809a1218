#include "cli/model_source.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "cli/cc_run.h"
#include "cli/place.h"
#include "cli/strings.h"

enum { ALTERNATE_STACK = 1 << 16, GRACE = 2 };

static char crash_text[512], late_text[512];

static void add_words(struct strings *command, const char *words)
{
    for (const char *at = words; at && *at;) {
        size_t length = strcspn(at, " \t");
        if (length)
            strings_add_part(command, at, length);
        at += length;
        at += strspn(at, " \t");
    }
}

static int compile(const char *path, const char *flags, const char *output)
{
    struct strings command = {0};
    struct place place;
    const char *compiler = getenv("HEDDLE_CC");
    if (place_find(&place))
        return 2;
    add_words(&command, compiler && *compiler ? compiler : "gcc");
    strings_add(&command, "-O2");
    strings_add(&command, "-g");
    strings_add(&command, "-shared");
    strings_add(&command, "-fPIC");
    if (place.include_dir[0]) {
        strings_add(&command, "-idirafter");
        strings_add(&command, place.include_dir);
    }
    add_words(&command, flags);
    strings_add(&command, "-o");
    strings_add(&command, output);
    strings_add(&command, path);
    int status = run_wait(&command);
    strings_free(&command);
    if (status)
        fprintf(stderr, "heddle history: the model %s does not compile\n", path);
    return status ? 2 : 0;
}

int model_source_load(struct model_file *model, const char *path, const char *flags)
{
    char *directory = run_scratch(), *object = NULL;
    if (!directory)
        return 2;
    if (asprintf(&object, "%s/model.so", directory) < 0)
        object = NULL;
    int status = object ? compile(path, flags, object) : 2;
    const char *wrong = status ? NULL : model_file_load(model, object);
    if (wrong)
        fprintf(stderr, "heddle history: the model %s: %s\n", path, wrong);
    run_remove(directory);
    free(directory);
    free(object);
    return wrong ? 2 : status;
}

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

void model_source_watch(const char *path, double seconds)
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
