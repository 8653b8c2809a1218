// heddle resume: goes on with a search that was kept in a directory.
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/commands.h"
#include "cli/misuse.h"
#include "cli/options.h"
#include "supervise/keeper.h"

static const char usage[] =
    "usage: heddle resume [options] DIR\n"
    "\n"
    "Goes on with the search that `heddle check --save DIR` kept there, with the same options but for\n"
    "\n"
    "  -j N, --jobs N        N workers share the search\n"
    "  --time SECONDS        stop after this time, counted from now\n"
    "  --max-executions N    stop after N executions, those before included\n"
    "  --save-every SECONDS  how often the search is saved\n"
    "  --json FILE           write a report as JSON there (-: to standard output)\n"
    "  --timeline FILE       draw who explored what, and when, as SVG\n";

enum { TIME = OPTION_FIRST, MAX_EXECUTIONS, SAVE_EVERY, JSON, TIMELINE };

static const struct option known_options[] = {
    {"jobs", 1, NULL, 'j'},
    {"time", 1, NULL, TIME},
    {"max-executions", 1, NULL, MAX_EXECUTIONS},
    {"save-every", 1, NULL, SAVE_EVERY},
    {"json", 1, NULL, JSON},
    {"timeline", 1, NULL, TIMELINE},
    {"help", 0, NULL, OPTION_HELP},
    {0},
};

// Options are those of `heddle check`, which looks at their values.
static int take_option(void *words, int option, const char *text)
{
    strings_add_format(words, "--%s=%s",
                       option == 'j'              ? "jobs"
                       : option == TIME           ? "time"
                       : option == MAX_EXECUTIONS ? "max-executions"
                       : option == SAVE_EVERY     ? "save-every"
                       : option == JSON           ? "json"
                                                  : "timeline",
                       text);
    return 0;
}

// The words of the search, with those of now behind its options: the last one counts.
static void put_together(const struct strings *before, const struct strings *now, struct strings *all)
{
    size_t i = 0;
    for (; i < before->count && strcmp(before->item[i], "--") != 0; i++)
        strings_add(all, before->item[i]);
    for (size_t k = 0; k < now->count; k++)
        strings_add(all, now->item[k]);
    for (; i < before->count; i++)
        strings_add(all, before->item[i]);
}

static int go_on(const struct fellows *fellows, const char *directory, const struct strings *options)
{
    struct keeper keeper = {.file.lock = -1};
    struct strings words = {0};
    const char *wrong = keeper_resume(&keeper, directory);
    int status = wrong ? misuse_file_is("resume", directory, wrong) : 0;
    if (!wrong) {
        put_together(&keeper.words, options, &words);
        status = check_with(&keeper, fellows, (int)words.count, words.item);
    }
    strings_free(&words);
    keeper_close(&keeper);
    return status;
}

int resume_with(const struct fellows *fellows, int argc, char **argv)
{
    struct strings options = {0};
    const struct option_reader reader = {"resume", usage, known_options, take_option, "j:"};
    int status = options_read(&reader, &options, argc, argv);
    if (!status && argc - optind != 1)
        status = misuse_of("resume", "%s", "name the directory of one search");
    else if (!status)
        status = go_on(fellows, argv[optind], &options);
    strings_free(&options);
    return status < 0 ? 0 : status;
}

int cli_resume(int argc, char **argv)
{
    return resume_with(NULL, argc, argv);
}
