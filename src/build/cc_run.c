#include "build/cc_run.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { ENDING_SIGNALS = sizeof ending_signals / sizeof *ending_signals };

static volatile pid_t running;              // the program under way, for the signal handler
static volatile sig_atomic_t caught_signal; // came while a program was being started

static int cannot_run(const struct strings *command, int error)
{
    fprintf(stderr, "heddle: the compiler '%s' cannot be run: %s.\n", command->item[0], strerror(error));
    return 2;
}

int run_instead(const struct strings *command)
{
    fflush(NULL);
    execvp(command->item[0], command->item);
    return cannot_run(command, errno);
}

static void pass_on(int signal_number)
{
    caught_signal = signal_number;
    if (running > 0)
        kill(running, signal_number);
}

static void watch_signals(struct sigaction old[ENDING_SIGNALS])
{
    struct sigaction action = {.sa_handler = pass_on};
    caught_signal = 0;
    for (int i = 0; i < ENDING_SIGNALS; i++) {
        sigaction(ending_signals[i], NULL, &old[i]);
        if (old[i].sa_handler != SIG_IGN)
            sigaction(ending_signals[i], &action, NULL);
    }
}

static void unwatch_signals(const struct sigaction old[ENDING_SIGNALS])
{
    for (int i = 0; i < ENDING_SIGNALS; i++)
        sigaction(ending_signals[i], &old[i], NULL);
}

// Waits for `running`; a signal that came before it was known is passed on now.
static int wait_status(void)
{
    int status = 0;
    if (caught_signal)
        kill(running, caught_signal);
    while (waitpid(running, &status, 0) < 0)
        if (errno != EINTR)
            return 2;
    running = 0;
    if (WIFSIGNALED(status))
        return 128 + WTERMSIG(status);
    return caught_signal ? 128 + caught_signal : WEXITSTATUS(status);
}

static int run_with(const struct strings *command, const posix_spawn_file_actions_t *actions)
{
    struct sigaction old[ENDING_SIGNALS];
    pid_t child = 0;
    fflush(NULL);
    watch_signals(old);
    int error = posix_spawnp(&child, command->item[0], actions, NULL, command->item, environ);
    running = child;
    int status = error ? cannot_run(command, error) : wait_status();
    unwatch_signals(old);
    return status;
}

int run_wait(const struct strings *command)
{
    return run_with(command, NULL);
}

static int run_wait_aside(const struct strings *command, const char *said)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return cannot_run(command, error);
    error = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, said, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int status = error ? cannot_run(command, error) : run_with(command, &actions);
    posix_spawn_file_actions_destroy(&actions);
    return status;
}

bool run_was_interrupted(int status)
{
    return status == 128 + SIGINT || status == 128 + SIGTERM || status == 128 + SIGHUP || status == 128 + SIGQUIT;
}

int run_wait_told(const struct strings *command, const char *path, struct buffer *said)
{
    int status = run_wait_aside(command, path);
    FILE *file = fopen(path, "r");
    if (file) {
        buffer_add_file(said, file);
        fclose(file);
    }
    return status;
}

char *run_scratch(void)
{
    const char *parent = getenv("TMPDIR");
    char *name = alloc_format("%s/heddle-cc-XXXXXX", parent && *parent ? parent : "/tmp");
    if (mkdtemp(name))
        return name;
    fprintf(stderr, "heddle: no temporary directory can be made (%s); set TMPDIR to a writable one.\n",
            strerror(errno));
    free(name);
    return NULL;
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *place)
{
    (void)info, (void)type, (void)place;
    return remove(path);
}

void run_remove(const char *directory)
{
    nftw(directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}
