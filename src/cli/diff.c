// heddle diff: how a run differs from the golden one, by their canonical traces.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/whole_file.h"
#include "cli/commands.h"
#include "cli/misuse.h"
#include "cli/options.h"
#include "inject/propagation.h"

static const char usage[] = "usage: heddle diff [OPTION…] GOLDEN OTHER\n"
                            "\n"
                            "Compares two canonical traces, folders that heddle inject --trace has written.\n"
                            "\n"
                            "  --svg FILE    draw how far it went\n"
                            "  --dot FILE    the same for Graphviz\n"
                            "  --json FILE   everything as JSON\n"
                            "\n"
                            "FILE may be '-': standard output, and no text.\n"
                            "Exit status: 0 they are the same, 1 they differ, 2 trouble.\n";

enum { DOT = OPTION_FIRST, SVG, JSON };

static const struct option known_options[] = {
    {"dot", 1, NULL, DOT}, {"svg", 1, NULL, SVG}, {"json", 1, NULL, JSON}, {"help", 0, NULL, OPTION_HELP}, {0}};

struct diff_command {
    const char *dot, *svg, *json;
    struct canonical_trace traces[2];
    struct deviation difference;
    struct propagation graph;
};

static int take_option(void *command, int option, const char *text)
{
    struct diff_command *c = command;
    *(option == DOT ? &c->dot : option == SVG ? &c->svg : &c->json) = text;
    return 0;
}

static bool is_output(const char *path)
{
    return path && !strcmp(path, "-");
}

static int write_dot(struct diff_command *c, FILE *out)
{
    propagation_dot(&c->graph, out);
    return 0;
}

static int write_svg(struct diff_command *c, FILE *out)
{
    propagation_svg(&c->graph, out);
    return 0;
}

static int write_json(struct diff_command *c, FILE *out)
{
    return propagation_json(&c->graph, &c->traces[0], &c->difference, out);
}

static int write_to(const char *path, struct diff_command *c, int (*write)(struct diff_command *c, FILE *out))
{
    if (!path)
        return 0;
    struct whole_file file;
    bool good = whole_file_or_output(&file, path) && !whole_file_close(&file, !write(c, file.out) && !fflush(file.out));
    return good ? 0 : misuse_of_file("diff", path, strerror(errno));
}

static int tell(struct diff_command *c)
{
    deviation_find(&c->traces[0], &c->traces[1], &c->difference);
    propagation_find(&c->graph, &c->traces[0], &c->traces[1], &c->difference);
    if (!is_output(c->dot) && !is_output(c->svg) && !is_output(c->json))
        deviation_print(&c->traces[0], &c->traces[1], &c->difference, stdout);
    int status = write_to(c->dot, c, write_dot);
    if (!status)
        status = write_to(c->svg, c, write_svg);
    if (!status)
        status = write_to(c->json, c, write_json);
    return status ? status : c->difference.count ? 1 : 0;
}

int cli_diff(int argc, char **argv)
{
    const struct option_reader reader = {"diff", usage, known_options, take_option, NULL};
    struct diff_command c = {0};
    int status = options_read(&reader, &c, argc, argv);
    if (!status && argc - optind != 2)
        status = misuse_of("diff", "%s", "say which two traces: heddle diff GOLDEN OTHER");
    for (int i = 0; i < 2 && !status; i++) {
        const char *wrong = canonical_read(&c.traces[i], argv[optind + i]);
        if (wrong)
            status = misuse_of_file("diff", argv[optind + i], wrong);
    }
    if (!status)
        status = tell(&c);
    propagation_free(&c.graph);
    deviation_free(&c.difference);
    canonical_free(&c.traces[0]);
    canonical_free(&c.traces[1]);
    return status < 0 ? 0 : status;
}
