// heddle trace: prints a recording, or a canonical trace.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "cli/commands.h"
#include "cli/misuse.h"
#include "cli/options.h"
#include "inject/canonical_trace.h"
#include "trace/recording_print.h"
#include "trace/recording_read.h"

static const char usage[] =
    "usage: heddle trace [--everything] FILE\n"
    "\n"
    "Prints a recording of heddle record, one line for each thing that a thread did; or a canonical trace, a folder\n"
    "that heddle inject --trace has written, thread by thread.\n"
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

static int print_canonical(const char *folder)
{
    struct canonical_trace t;
    const char *wrong = canonical_read(&t, folder);
    for (size_t i = 0; !wrong && i < t.count; i++)
        for (size_t k = 0; k < t.threads[i].count; k++) {
            struct buffer words = {0};
            canonical_record_words(&t, &t.threads[i].records[k], &words);
            printf("%s %zu: %s\n", t.threads[i].name, k, buffer_text(&words));
            buffer_free(&words);
        }
    canonical_free(&t);
    if (wrong)
        return misuse_of_file("trace", folder, wrong);
    return fflush(stdout) ? 2 : 0;
}

static bool is_folder(const char *path)
{
    struct stat about;
    return !stat(path, &about) && S_ISDIR(about.st_mode);
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
    return is_folder(argv[optind]) ? print_canonical(argv[optind]) : print_file(argv[optind], everything);
}
