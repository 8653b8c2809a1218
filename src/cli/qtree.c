// heddle qtree: watches the log of a consensus protocol.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/time.h"
#include "base/whole_file.h"
#include "cli/commands.h"
#include "cli/misuse.h"
#include "cli/options.h"
#include "consensus/qtree_log.h"
#include "report/qtree_report.h"

static const char usage[] =
    "usage: heddle qtree [options] FILE\n"
    "\n"
    "  FILE has a line for each event ('-': standard input), as docs/qtree.md says:\n"
    "    add INSTANCE ROUND VALUE PARENT\n"
    "    commit INSTANCE ROUND\n"
    "\n"
    "  --values WHICH        same (default): a round has the value of its parent, as in Paxos and PBFT; any: values\n"
    "                        are commands, as in Raft and HotStuff\n"
    "  --witnesses           several processes tell of one event: what is said again is no second event\n"
    "  --after TEXT          an event begins behind TEXT; lines without it are none\n"
    "  --keep-going          after a violation, look at the other instances\n"
    "  --tree                show every tree, not only those with a violation\n"
    "  --svg FILE            draw the trees\n"
    "  --dot FILE            write all trees with every round for Graphviz\n"
    "  --json FILE           write the report as JSON ('-': standard output, and no text)\n";

enum { CHUNK = 1 << 20, LONGEST_LINE = 1 << 20, MOST_VIOLATIONS = 100 };

enum { VALUES = OPTION_FIRST, WITNESSES, AFTER, KEEP_GOING, TREE, SVG, DOT, JSON };

static const struct option known_options[] = {
    {"values", 1, NULL, VALUES},    {"witnesses", 0, NULL, WITNESSES},
    {"after", 1, NULL, AFTER},      {"keep-going", 0, NULL, KEEP_GOING},
    {"tree", 0, NULL, TREE},        {"svg", 1, NULL, SVG},
    {"dot", 1, NULL, DOT},          {"json", 1, NULL, JSON},
    {"help", 0, NULL, OPTION_HELP}, {NULL, 0, NULL, 0},
};

struct qtree_request {
    const char *file, *svg, *dot, *json;
    bool keep_going, all_trees;
    struct qtree_options options;
    struct qtree_log log;
    struct qtree tree;
    bool is_open; // the tree: from the first event on
    struct qtree_violation *violations;
    size_t violation_room;
    uint32_t violation_count;
    uint64_t unlisted;
    bool stopped;
};

static int misuse(const char *format, const char *what)
{
    return misuse_of("qtree", format, what);
}

static int take_option(void *request, int option, const char *text)
{
    static const char *const values[] = {"same", "any", NULL}; // enum qtree_values
    struct qtree_request *r = request;
    uint32_t word = 0;
    switch (option) {
    case VALUES:
        if (!option_word(text, values, &word))
            return misuse("--values takes same or any, not %s", text);
        r->options.values = (enum qtree_values)word;
        return 0;
    case WITNESSES:
        r->options.witnesses = true;
        return 0;
    case AFTER:
        r->log.after = text;
        return *text ? 0 : misuse("%s", "--after takes some text");
    case KEEP_GOING:
        r->keep_going = true;
        return 0;
    case TREE:
        r->all_trees = true;
        return 0;
    case SVG:
        r->svg = text;
        return 0;
    case DOT:
        r->dot = text;
        return 0;
    default:
        r->json = text;
        return 0;
    }
}

// -1: help was given.
static int read_options(struct qtree_request *r, int argc, char **argv)
{
    static const struct option_reader reader = {"qtree", usage, known_options, take_option, NULL};
    int status = options_read(&reader, r, argc, argv);
    if (status)
        return status;
    if (optind == argc)
        return misuse("%s", "name a file of events");
    if (optind + 1 < argc)
        return misuse("%s is one file too many", argv[optind + 1]);
    r->file = argv[optind];
    return 0;
}

static void note(struct qtree_request *r, const struct qtree_violation *v)
{
    r->stopped = !r->keep_going;
    if (r->violation_count == MOST_VIOLATIONS) {
        r->unlisted++;
        return;
    }
    r->violations = alloc_grow(r->violations, r->violation_count, &r->violation_room, sizeof *r->violations);
    r->violations[r->violation_count++] = *v;
}

static int misuse_of_line(const struct qtree_request *r, const char *why)
{
    fprintf(stderr, "heddle qtree: %s:%llu: %s\n", r->file, (unsigned long long)r->log.line, why);
    return 2;
}

// 0, or the exit status after a word on what is wrong with the line.
static int take_line(struct qtree_request *r, const char *line, size_t length)
{
    struct qtree_event event;
    struct qtree_violation violation;
    enum qtree_line kind = qtree_log_take(&r->log, line, length, &event);
    if (kind == QTREE_LINE_WRONG)
        return misuse_of_line(r, r->log.error);
    if (kind == QTREE_LINE_EMPTY)
        return 0;
    if (!r->is_open) // lines before the first event may have set options
        qtree_open(&r->tree, &r->options);
    r->is_open = true;
    if (qtree_take(&r->tree, &event, &violation) == QTREE_FINE)
        return 0;
    if (violation.fault == QTREE_FULL) {
        fprintf(stderr, "heddle qtree: %s: there are more rounds than heddle can number\n", r->file);
        return 2;
    }
    note(r, &violation);
    return 0;
}

// Takes all whole lines of the text; returns how many characters that were.
static size_t take_lines(struct qtree_request *r, const char *text, size_t length, int *status)
{
    size_t used = 0;
    while (!*status && !r->stopped) {
        const char *end = memchr(text + used, '\n', length - used);
        if (!end)
            break;
        *status = take_line(r, text + used, (size_t)(end - text) - used);
        used = (size_t)(end - text) + 1;
    }
    return used;
}

// Looks at each line as soon as it is there.
static int read_all(struct qtree_request *r, int fd)
{
    size_t room = 0, held = 0;
    char *text = NULL;
    int status = 0;
    for (ssize_t got = 1; got && !status && !r->stopped;) {
        text = alloc_reserve(text, held + CHUNK, &room, 1);
        got = read(fd, text + held, CHUNK);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            status = misuse_of_file("qtree", r->file, strerror(errno));
        if (got <= 0)
            break;
        held += (size_t)got;
        size_t used = take_lines(r, text, held, &status);
        memmove(text, text + used, held - used);
        held -= used;
        if (held > LONGEST_LINE && !status && !r->stopped) {
            r->log.line++;
            status = misuse_of_line(r, "a line is longer than a megabyte");
        }
    }
    if (!status && held && !r->stopped)
        status = take_line(r, text, held); // the last line has no end
    free(text);
    return status;
}

static int read_file(struct qtree_request *r)
{
    int fd = strcmp(r->file, "-") ? open(r->file, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    if (fd < 0)
        return misuse_of_file("qtree", r->file, strerror(errno));
    int status = read_all(r, fd);
    if (fd != STDIN_FILENO)
        close(fd);
    if (!status && !r->is_open)
        status = misuse_of_file("qtree", r->file, "there is no event in it");
    return status;
}

static int write_dot(const struct qtree_report *report, FILE *out)
{
    return qtree_dot(&report->drawing, out);
}

static int write_to(const char *path, const struct qtree_report *report,
                    int (*write)(const struct qtree_report *, FILE *))
{
    struct whole_file file;
    bool good = whole_file_or_output(&file, path) && !whole_file_close(&file, !write(report, file.out));
    return good ? 0 : misuse_of_file("qtree", path, strerror(errno));
}

static int write_all(const struct qtree_request *r, const struct qtree_report *report)
{
    bool only_json = r->json && !strcmp(r->json, "-");
    int status = only_json ? 0 : write_to("-", report, qtree_report_text);
    if (!status && r->json)
        status = write_to(r->json, report, qtree_report_json);
    if (!status && r->svg)
        status = write_to(r->svg, report, qtree_report_svg);
    if (!status && r->dot)
        status = write_to(r->dot, report, write_dot);
    if ((fflush(stdout) || ferror(stdout)) && errno != EPIPE)
        status = misuse_of_file("qtree", "the report", strerror(errno));
    return status ? status : r->violation_count > 0;
}

static int tell(struct qtree_request *r, double seconds)
{
    struct qtree_names names = qtree_log_names(&r->log);
    struct qtree_shape shape = {NULL, NULL, NULL};
    if (r->violation_count || r->all_trees) // nothing else asks for it, and it takes as long as reading a large log
        qtree_shape_make(&shape, &r->tree);
    struct qtree_report report = {.file = r->file,
                                  .drawing = {&r->tree, &names, &shape},
                                  .violations = r->violations,
                                  .violation_count = r->violation_count,
                                  .unlisted = r->unlisted,
                                  .lines = r->log.line,
                                  .stopped = r->stopped,
                                  .all_trees = r->all_trees,
                                  .seconds = seconds};
    int status = write_all(r, &report);
    qtree_shape_free(&shape);
    return status;
}

int cli_qtree(int argc, char **argv)
{
    struct qtree_request r = {.file = NULL};
    int status = read_options(&r, argc, argv);
    if (status)
        return status < 0 ? 0 : status;
    r.log.options = &r.options;
    double start = time_now();
    status = read_file(&r);
    if (!status)
        status = tell(&r, time_now() - start);
    if (r.is_open)
        qtree_close(&r.tree);
    qtree_log_free(&r.log);
    free(r.violations);
    return status;
}
