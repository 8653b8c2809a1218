// heddle diff: how a run differs from the golden one, by their canonical traces.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/misuse.h"
#include "cli/options.h"
#include "inject/deviation.h"

static const char usage[] = "usage: heddle diff [--dot FILE] GOLDEN OTHER\n"
                            "\n"
                            "Compares two canonical traces, folders that heddle inject --trace has written.\n"
                            "\n"
                            "  --dot FILE   draw how far it went, for Graphviz ('-': standard output, and no text)\n"
                            "\n"
                            "Exit status: 0 they are the same, 1 they differ, 2 trouble.\n";

enum { DOT = OPTION_FIRST };

static const struct option known_options[] = {{"dot", 1, NULL, DOT}, {"help", 0, NULL, OPTION_HELP}, {0}};

static int take_option(void *command, int option, const char *text)
{
    (void)option;
    *(const char **)command = text;
    return 0;
}

static int draw(const char *path, struct canonical_trace *golden, struct canonical_trace *other,
                const struct deviation *d)
{
    bool shown = !strcmp(path, "-");
    FILE *out = shown ? stdout : fopen(path, "w");
    if (!out)
        return misuse_of_file("diff", path, strerror(errno));
    deviation_draw(golden, other, d, out);
    return (shown ? fflush(out) : fclose(out)) ? misuse_of_file("diff", path, strerror(errno)) : 0;
}

int cli_diff(int argc, char **argv)
{
    const char *dot = NULL;
    const struct option_reader reader = {"diff", usage, known_options, take_option, NULL};
    struct canonical_trace traces[2] = {0};
    struct deviation d = {0};
    int status = options_read(&reader, &dot, argc, argv);
    if (!status && argc - optind != 2)
        status = misuse_of("diff", "%s", "say which two traces: heddle diff GOLDEN OTHER");
    for (int i = 0; i < 2 && !status; i++) {
        const char *wrong = canonical_read(&traces[i], argv[optind + i]);
        if (wrong)
            status = misuse_of_file("diff", argv[optind + i], wrong);
    }
    if (!status) {
        deviation_find(&traces[0], &traces[1], &d);
        if (!dot || strcmp(dot, "-"))
            deviation_print(&traces[0], &traces[1], &d, stdout);
        if (dot)
            status = draw(dot, &traces[0], &traces[1], &d);
        if (!status)
            status = d.count ? 1 : 0;
    }
    deviation_free(&d);
    canonical_free(&traces[0]);
    canonical_free(&traces[1]);
    return status < 0 ? 0 : status;
}
