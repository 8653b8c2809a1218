// heddle record: runs a program as it is, and writes down what its threads do.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "build/source.h"
#include "cli/commands.h"
#include "cli/misuse.h"
#include "cli/options.h"
#include "cli/record_http.h"
#include "model/recording_format.h"
#include "supervise/executable.h"
#include "supervise/record_program.h"
#include "supervise/schedule.h"

static const char usage[] =
    "usage: heddle record [OPTION…] PROGRAM [-- ARGUMENT…]\n"
    "       heddle record [OPTION…] SOURCE… [-- ARGUMENT…]\n"
    "       heddle record --http SERVER [--port PORT] [-o FILE]\n"
    "\n"
    "Runs a program that heddle cc built with its own threads, at full speed, and writes what they do to a file.\n"
    "\n"
    "  -o, --output FILE     where to (default heddle.trace)\n"
    "  --limit SIZE          at most so many bytes, with K, M or G (default 1G); what comes later is not recorded\n"
    "  --stacks              record which calls each thread is in as well\n"
    "  --values              record what plain accesses read and write as well\n"
    "  --full                record every access, also to memory that one thread alone uses\n"
    "  --cflags FLAGS        compiler flags for sources\n"
    "\n"
    "  --http SERVER         hand requests on to a server on loopback (http://HOST:PORT), and write them to a file\n"
    "                        for heddle predict --import (default heddle.har) when interrupted\n"
    "  --port PORT           where clients find it (default: any that is free)\n"
    "\n"
    "Exit status: 0 the run was recorded to its end, 2 wrong use or no recording, 3 the recording ends earlier.\n";

enum { LIMIT = OPTION_FIRST, STACKS, VALUES, FULL, CFLAGS, HTTP, PORT };

static const struct option known_options[] = {{"output", 1, NULL, 'o'},       {"limit", 1, NULL, LIMIT},
                                              {"stacks", 0, NULL, STACKS},    {"values", 0, NULL, VALUES},
                                              {"full", 0, NULL, FULL},        {"cflags", 1, NULL, CFLAGS},
                                              {"http", 1, NULL, HTTP},        {"port", 1, NULL, PORT},
                                              {"help", 0, NULL, OPTION_HELP}, {0}};

struct record_command {
    struct record_request request;
    struct schedule origin; // its flags
    struct http_recording http;
};

static int take_option(void *command, int option, const char *text)
{
    struct record_command *c = command;
    switch (option) {
    case 'o':
        c->request.path = c->http.path = text;
        return 0;
    case LIMIT:
        return option_bytes(text, &c->request.limit)
                   ? 0
                   : misuse_of("record", "--limit takes a number of bytes from a million on, like 500M, not %s", text);
    case STACKS:
        c->request.stacks = true;
        return 0;
    case VALUES:
        c->request.values = true;
        return 0;
    case FULL:
        c->request.full = true;
        return 0;
    case HTTP:
        c->http.server = text;
        return 0;
    case PORT:
        return option_small(text, 1, 65535, &c->http.port)
                   ? 0
                   : misuse_of("record", "--port takes a number from 1 to 65535, not %s", text);
    default:
        return option_flags(text, &c->origin) ? 0 : misuse_of("record", "%s: too many flags", "--cflags");
    }
}

static int build_sources(struct record_command *c, const char *const *sources)
{
    c->request.sources = sources;
    c->request.flags = (const char *const *)c->origin.flags;
    return source_build(sources, c->request.flags, SOURCE_WITHOUT_MAIN, &c->request.program);
}

// Sets the program, which sources are built to.
static int find_subject(struct record_command *c, int operands, char **operand)
{
    static char path[PATH_MAX];
    const char *preload = NULL;
    if (!operands)
        return misuse_of("record", "%s", "say which program to run, for example: heddle record ./server");
    if (is_source(operand[0]))
        return build_sources(c, (const char *const *)operand);
    if (operands > 1)
        return misuse_of("record", "%s: arguments of the program come after --", operand[1]);
    if (!realpath(operand[0], path))
        return misuse_of_file("record", operand[0], strerror(errno));
    const char *trouble = executable_trouble(path, &preload);
    if (trouble)
        return misuse_file_is("record", operand[0], trouble);
    c->request.program = path;
    c->request.without_hooks = preload != NULL;
    return 0;
}

static void say_size(uint64_t bytes)
{
    if (bytes < 10000)
        fprintf(stderr, "%llu bytes", (unsigned long long)bytes);
    else if (bytes < 10000000)
        fprintf(stderr, "%llu KB", (unsigned long long)bytes / 1000);
    else
        fprintf(stderr, "%llu MB", (unsigned long long)bytes / 1000000);
}

// How the program itself fared, in a clause.
static void say_program(int status)
{
    if (WIFSIGNALED(status))
        fprintf(stderr, "the program was ended by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        fprintf(stderr, "the program ended with status %d", WEXITSTATUS(status));
}

static int no_recording(const struct record_command *c, const char *why)
{
    unlink(c->request.path);
    return misuse_of("record", "nothing was recorded: %s", why);
}

static int report_recording(const struct record_command *c, const struct record_outcome *o)
{
    static const char *const stops[] = {
        [STOP_LIMIT] = "the file has reached its limit (--limit)",
        [STOP_THREADS] = "the program has too many threads at once, or had more than 65,000",
        [STOP_FORMAT] = "the file could not be written",
        [STOP_INTERRUPTED] = "heddle itself was ended",
    };
    if (o->no_room)
        return no_recording(c, "the recorder needs 512 GB of address space, of which it uses little; see ulimit -v");
    if (o->not_attached)
        return no_recording(c, "the program ended before it loaded the recorder");
    fprintf(stderr, "%s: ", c->request.path);
    say_size(o->bytes);
    fprintf(stderr, ", %u thread%s; ", o->threads, o->threads == 1 ? "" : "s");
    say_program(o->status);
    fprintf(stderr, ".\n");
    if (o->stop)
        fprintf(stderr, "It ends before the program did: %s%s%s.\n", stops[o->stop], o->error ? ": " : "",
                o->error ? strerror(o->error) : "");
    if (c->request.without_hooks)
        fprintf(stderr, "The program was not built by heddle cc: what it reads and writes itself is not recorded.\n");
    if (o->lost)
        fprintf(stderr, "It lacks %llu records of signal handlers that interrupted the recorder.\n",
                (unsigned long long)o->lost);
    return o->stop || o->error ? 3 : 0;
}

int cli_record(int argc, char **argv)
{
    const struct option_reader reader = {"record", usage, known_options, take_option, "o:"};
    struct record_command c = {.request = {.path = "heddle.trace", .limit = 1000000000},
                               .http = {.path = "heddle.har"}};
    struct record_outcome outcome;
    int end = 1;
    while (end < argc && strcmp(argv[end], "--"))
        end++;
    c.request.arguments = end < argc ? argv + end + 1 : NULL;
    argv[end] = NULL; // operands end here
    int status = options_read(&reader, &c, end, argv);
    if (!status && c.http.server)
        return end == optind ? record_http(&c.http)
                             : misuse_of("record", "--http runs no program; what is %s?", argv[optind]);
    if (!status && c.http.port)
        return misuse_of("record", "--port belongs to --http%s", "");
    if (!status)
        status = find_subject(&c, end - optind, argv + optind);
    if (!status)
        status = record_program(&c.request, &outcome);
    if (!status)
        status = report_recording(&c, &outcome);
    source_clean();
    return status < 0 ? 0 : status;
}
