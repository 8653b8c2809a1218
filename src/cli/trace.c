// heddle trace: prints a recording.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/misuse.h"
#include "cli/options.h"
#include "trace/recording_print.h"
#include "trace/recording_read.h"

static const char usage[] =
    "usage: heddle trace [--everything] FILE\n"
    "\n"
    "Prints a recording of heddle record, one line for each thing that a thread did.\n"
    "\n"
    "  --everything          also what happened to memory that only one thread has touched\n"
    "\n"
    "Exit status: 0 the recording goes to the end of the run, 2 it cannot be read, 3 it ends earlier.\n";

enum { EVERYTHING = OPTION_FIRST };

static const struct option known_options[] = {{"everything", 0, NULL, EVERYTHING}, {"help", 0, NULL, OPTION_HELP}, {0}};

static int take_option(void *everything, int option, const char *text)
{
    (void)option;
    (void)text;
    *(bool *)everything = true;
    return 0;
}

static int print_file(const char *path, bool everything)
{
    char *wrong = NULL;
    struct recording *r = recording_read(path, everything, &wrong);
    if (!r) {
        int status = misuse_of_file("trace", path, wrong);
        free(wrong);
        return status;
    }
    recording_print(stdout, r);
    if (r->doubt)
        fprintf(stderr, "%s\n", r->doubt);
    if (r->cut)
        fprintf(stderr, "%s ends before the run did: %s.\n", path, r->cut);
    int status = r->cut ? 3 : 0;
    recording_free(r);
    return fflush(stdout) ? 2 : status;
}

int cli_trace(int argc, char **argv)
{
    const struct option_reader reader = {"trace", usage, known_options, take_option, NULL};
    bool everything = false;
    int status = options_read(&reader, &everything, argc, argv);
    if (status)
        return status < 0 ? 0 : status;
    if (argc - optind != 1)
        return misuse_of("trace", "%s", argc == optind ? "say which recording to print" : "one recording at a time");
    return print_file(argv[optind], everything);
}
