// heddle COMMAND …: finds the command and hands over.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/version.h"
#include "build/assembly/assembly_as.h"
#include "cli/commands.h"
#include "cli/misuse.h"

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} commands[] = {
    {"check", cli_check, "explore every interleaving of a program and give a verdict"},
    {"resume", cli_resume, "go on with a search that `heddle check --save` has kept"},
    {"status", cli_status, "say how far such a search is"},
    {"replay", cli_replay, "run a failing execution again, exactly as it was"},
    {"lin", cli_lin, "invent clients of an object and say whether it is linearizable"},
    {"history", cli_history, "judge a recorded history of calls and results: is it linearizable?"},
    {"cluster", cli_cluster, "explore a distributed protocol: orders of messages, crashes, reboots, losses"},
    {"qtree", cli_qtree, "watch the log of a consensus protocol: do two of its events disagree?"},
    {"record", cli_record, "run a program natively and write down what its threads do"},
    {"trace", cli_trace, "print such a recording"},
    {"predict", cli_predict, "say what a recorded run was one switch away from"},
    {"inject", cli_inject, "run a program with faults and say what becomes of it"},
    {"diff", cli_diff, "say how two runs differ that heddle inject has traced"},
    {"cc", cli_cc, "compile and link C so that heddle can check it; use as CC"},
    {"c++", cli_cxx, "the same for C++; use as CXX"},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static int help(void)
{
    puts("heddle explores all interleavings of programs with POSIX threads.\n\nusage:");
    for (int i = 0; i < COMMANDS; i++)
        printf("  heddle %-7s …  %s\n", commands[i].name, commands[i].summary);
    puts("  heddle --version\n  heddle --help\n\nExit status: 0 verified, 1 bug, 2 wrong use, 3 incomplete.");
    return fflush(stdout) ? 2 : 0;
}

static int version(void)
{
    puts("heddle " HEDDLE_VERSION);
    return fflush(stdout) ? 2 : 0;
}

// Standard streams that the caller closed would be taken by other files.
static void open_streams(void)
{
    int fd;
    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd > STDERR_FILENO)
        close(fd);
}

int main(int argc, char **argv)
{
    const char *slash = strrchr(argv[0] ? argv[0] : "", '/');
    if (slash && !strcmp(slash, "/as"))
        return assembly_as(argc, argv);
    open_streams();
    signal(SIGPIPE, SIG_IGN); // a reader that goes away is an error like any other, and what was made is cleaned up
    if (argc < 2) {
        fputs("heddle: say what to do, for example: heddle check test.c (heddle --help lists the commands).\n", stderr);
        return 2;
    }
    for (int i = 0; i < COMMANDS; i++)
        if (!strcmp(argv[1], commands[i].name))
            return commands[i].run(argc - 1, argv + 1);
    if (!strcmp(argv[1], "--version"))
        return version();
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))
        return help();
    return misuse_of_command(argv[1]);
}
