// heddle inject: runs a program with faults, and says what becomes of it.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/scratch.h"
#include "base/whole_file.h"
#include "build/source.h"
#include "cli/commands.h"
#include "cli/inject_repeat.h"
#include "cli/misuse.h"
#include "cli/options.h"
#include "inject/campaign_report.h"
#include "supervise/executable.h"
#include "supervise/schedule.h"

static const char usage[] =
    "usage: heddle inject [OPTION…] PROGRAM [-- ARGUMENT…]\n"
    "       heddle inject [OPTION…] SOURCE… [-- ARGUMENT…]\n"
    "\n"
    "Runs a program natively without a fault, then with one fault at a time, and says what became of each run.\n"
    "\n"
    "  --faults LIST         which (default malloc,create,open,read,write,timeout): also delay, interrupt, and those "
    "of the "
    "seed,\n"
    "                        bitflip, filesize, mallsize, callcorr, invalptr; seed: these five; all\n"
    "  --every[=N]           the first N calls of every place in every way (default, N 1)\n"
    "  --runs N              N faults drawn from all calls; the table has 95 % confidence intervals\n"
    "  --seed N              for --runs (default 1)\n"
    "  --fault NAME          only this one, such as malloc@table.c:40#3=ENOMEM\n"
    "  -j N, --jobs N        N runs at a time; 0: as many as there are processors (default 1)\n"
    "  --golden N            runs without a fault, which have to be the same (default 5)\n"
    "  --timeout SECONDS     a run that takes longer hangs (default 1 s and ten times the run without a fault)\n"
    "  --input FILE          standard input of the program (default: nothing)\n"
    "  --output FILE         a file that the program writes and that counts as output; may be repeated\n"
    "  --compare             trace each run, say whether runs can be compared, and how far each fault went\n"
    "  --controlled[=SEED]   one thread at a time, all runs by the schedule of the golden one as far as it can be\n"
    "                        followed; --compare does so by itself if native runs could not be compared\n"
    "  --naive               with --compare: how many runs without a fault differ by addresses and order, too\n"
    "  --native              never that\n"
    "  --trace DIR           the same, and keep the traces there, for heddle diff\n"
    "  --save FILE            keep what became of each fault there, and go on with that\n"
    "  --json FILE           write the report as JSON ('-': standard output, and no text)\n"
    "  --cflags FLAGS        compiler flags for sources\n"
    "\n"
    "Exit status: 0 no fault made the program crash, hang or print something else without a word; 1 some did; 2 wrong "
    "use;\n"
    "3 interrupted.\n";

enum {
    FAULTS = OPTION_FIRST,
    EVERY,
    RUNS,
    SEED,
    FAULT,
    GOLDEN,
    TIMEOUT,
    INPUT,
    OUTPUT,
    COMPARE,
    TRACE,
    SAVE,
    JSON,
    CFLAGS,
    CONTROLLED,
    NATIVE,
    NAIVE
};
enum { MOST_OUTPUTS = 64 };

static const struct option known_options[] = {{"faults", 1, NULL, FAULTS},    {"every", 2, NULL, EVERY},
                                              {"runs", 1, NULL, RUNS},        {"seed", 1, NULL, SEED},
                                              {"fault", 1, NULL, FAULT},      {"jobs", 1, NULL, 'j'},
                                              {"golden", 1, NULL, GOLDEN},    {"timeout", 1, NULL, TIMEOUT},
                                              {"input", 1, NULL, INPUT},      {"output", 1, NULL, OUTPUT},
                                              {"compare", 0, NULL, COMPARE},  {"trace", 1, NULL, TRACE},
                                              {"save", 1, NULL, SAVE},        {"json", 1, NULL, JSON},
                                              {"cflags", 1, NULL, CFLAGS},    {"controlled", 2, NULL, CONTROLLED},
                                              {"native", 0, NULL, NATIVE},    {"naive", 0, NULL, NAIVE},
                                              {"help", 0, NULL, OPTION_HELP}, {0}};

struct inject_command {
    struct campaign_request request;
    struct schedule origin; // its flags
    char *outputs[MOST_OUTPUTS + 1];
    int output_count;
    const char *json;
    bool every, faults_given, compare, built;
};

static int misuse(const char *format, const char *what)
{
    return misuse_of("inject", format, what);
}

static int take_faults(struct inject_command *c, const char *text)
{
    c->faults_given = true;
    return campaign_groups(text, &c->request.groups)
               ? misuse("--faults takes malloc, create, open, read, write, timeout, "
                        "delay, interrupt, bitflip, filesize, mallsize, callcorr, "
                        "invalptr, seed or all, with commas, not %s",
                        text)
               : 0;
}

static int take_option(void *command, int option, const char *text)
{
    struct inject_command *c = command;
    struct campaign_request *r = &c->request;
    switch (option) {
    case FAULTS:
        return take_faults(c, text);
    case EVERY:
        c->every = true;
        return option_number(text ? text : "1", 1, UINT32_MAX, &r->each) ? 0
                                                                         : misuse("%s is not a number of calls", text);
    case RUNS:
        return option_number(text, 1, UINT32_MAX, &r->runs) ? 0 : misuse("%s is not a number of runs", text);
    case SEED:
        return option_number(text, 0, UINT64_MAX, &r->seed) ? 0 : misuse("%s is not a seed", text);
    case FAULT:
        r->only = text;
        return 0;
    case 'j':
        return option_workers(text, &r->jobs) ? 0 : misuse("%s is not a number of runs at a time", text);
    case GOLDEN:
        return option_small(text, 2, 1000000, &r->repeats)
                   ? 0
                   : misuse("--golden takes a number of runs from 2 on, not %s", text);
    case TIMEOUT:
        return option_seconds(text, &r->timeout) && r->timeout > 0 ? 0 : misuse("%s is not a time", text);
    case INPUT:
        r->program.input = text;
        return access(text, R_OK) ? misuse_of_file("inject", text, strerror(errno)) : 0;
    case OUTPUT:
        if (c->output_count == MOST_OUTPUTS)
            return misuse("%s: too many files", text);
        c->outputs[c->output_count++] = (char *)(uintptr_t)text;
        r->program.outputs = c->outputs;
        return 0;
    case COMPARE:
        c->compare = true;
        return 0;
    case TRACE:
        r->trace = text;
        r->keep_traces = true;
        return 0;
    case SAVE:
        r->save = text;
        return 0;
    case CONTROLLED:
        r->way = WAY_CONTROLLED;
        return option_number(text ? text : "1", 0, UINT64_MAX, &r->schedule) ? 0 : misuse("%s is not a seed", text);
    case NAIVE:
        r->naive = true;
        return 0;
    case NATIVE:
        r->way = WAY_NATIVE;
        return 0;
    case JSON:
        c->json = text;
        return 0;
    default:
        return option_flags(text, &c->origin) ? 0 : misuse("%s: too many flags", "--cflags");
    }
}

static int find_subject(struct inject_command *c, int operands, char **operand)
{
    static char path[PATH_MAX];
    if (!operands)
        return misuse("%s", "say which program to run, for example: heddle inject ./server");
    c->request.program.shown = operand[0];
    c->built = is_source(operand[0]);
    if (c->built)
        return source_build((const char *const *)operand, (const char *const *)c->origin.flags, SOURCE_WITHOUT_MAIN,
                            &c->request.program.path);
    if (operands > 1)
        return misuse("%s: arguments of the program come after --", operand[1]);
    if (!realpath(operand[0], path))
        return misuse_of_file("inject", operand[0], strerror(errno));
    struct stat is;
    if (access(path, X_OK) || stat(path, &is))
        return misuse_of_file("inject", operand[0], strerror(errno));
    if (S_ISDIR(is.st_mode))
        return misuse_of_file("inject", operand[0], strerror(EISDIR));
    c->request.program.path = path;
    return 0;
}

static int settle(struct inject_command *c)
{
    struct campaign_request *r = &c->request;
    if ((c->every && r->runs) || (r->only && (c->every || r->runs)))
        return misuse("%s", "--every, --runs and --fault say which faults to try: give one of them");
    if (c->output_count && r->jobs > 1 && !r->only)
        return misuse("%s", "runs at a time would write to the same file: give --output or -j");
    if (r->naive && !c->compare && !r->trace)
        return misuse("%s", "--naive is about traces: give --compare or --trace as well");
    if (r->only && !c->faults_given)
        campaign_groups("all", &r->groups);
    return 0;
}

// A program that was built for this goes away, and the names in the traces with it: a copy stays beside them.
static int keep_program(struct inject_command *c)
{
    static char copy[PATH_MAX + 16], real[PATH_MAX];
    char buffer[1 << 16];
    snprintf(copy, sizeof copy, "%s/program", c->request.trace);
    FILE *from = fopen(c->request.program.path, "r"), *to = fopen(copy, "w");
    bool good = from && to;
    for (size_t n; good && (n = fread(buffer, 1, sizeof buffer, from)) > 0;)
        good = fwrite(buffer, 1, n, to) == n;
    if (from)
        fclose(from);
    if ((to && fclose(to)) || !good || chmod(copy, 0755) || !realpath(copy, real))
        return misuse_of_file("inject", copy, strerror(errno));
    c->request.program.path = real;
    return 0;
}

// A folder for traces: the user's, or one that goes away.
static int open_traces(struct inject_command *c)
{
    static char folder[PATH_MAX];
    if (c->request.keep_traces && mkdir(c->request.trace, 0777))
        return misuse_of_file("inject", c->request.trace, strerror(errno));
    if (c->request.keep_traces)
        return c->built ? keep_program(c) : 0;
    if (!c->compare)
        return 0;
    c->request.trace = folder;
    return scratch_folder(folder, sizeof folder)
               ? 0
               : misuse("%s", "there is no room for traces in the temporary directory");
}

static int report(const struct inject_command *c, const struct campaign *campaign)
{
    if (c->json && !strcmp(c->json, "-"))
        return campaign_write_json(campaign, stdout) ? misuse_of_file("inject", "-", strerror(errno)) : 0;
    campaign_print(campaign, stdout);
    if (!c->json)
        return 0;
    struct whole_file file;
    bool good = whole_file_open(&file, c->json) && !whole_file_close(&file, !campaign_write_json(campaign, file.out));
    return good ? 0 : misuse_of_file("inject", c->json, strerror(errno));
}

static void drop_traces(const struct inject_command *c)
{
    char golden[PATH_MAX + 16];
    snprintf(golden, sizeof golden, "%s/golden", c->request.trace);
    canonical_remove(golden);
    scratch_drop(c->request.trace);
}

static int verdict(const struct campaign *c)
{
    if (c->interrupted)
        return 3;
    return campaign_count(c, CLASS_CRASH) + campaign_count(c, CLASS_HANG) + campaign_count(c, CLASS_CORRUPTION) ? 1 : 0;
}

// As the file of a campaign has it.
static void take_way(struct campaign_request *r, const char *way)
{
    static const char controlled[] = "controlled ";
    bool control = !strncmp(way, controlled, strlen(controlled));
    r->way = control ? WAY_CONTROLLED : WAY_NATIVE;
    if (control)
        r->schedule = strtoull(way + strlen(controlled), NULL, 10);
}

// Only that run, and nothing is kept of it.
static void take_repeat(struct inject_command *c, const struct inject_repeat *repeat)
{
    struct campaign_request *r = &c->request;
    c->every = c->compare = false;
    c->json = NULL;
    r->only = repeat->name;
    r->runs = 0;
    r->save = r->trace = NULL;
    r->keep_traces = r->naive = false;
    r->show = true;
    if (repeat->way)
        take_way(r, repeat->way);
}

static int report_repeat(const struct inject_repeat *repeat, const struct campaign *campaign)
{
    campaign_print_again(campaign, repeat->expected, stdout);
    return campaign_count(campaign, CLASS_NOT_ACTIVATED) ? 3 : 0;
}

static int read_words(struct inject_command *c, const struct inject_repeat *repeat, int argc, char **argv)
{
    const struct option_reader reader = {repeat ? "replay" : "inject", usage, known_options, take_option, "j:"};
    int end = 1;
    while (end < argc && strcmp(argv[end], "--"))
        end++;
    c->request.program.arguments = end < argc ? argv + end + 1 : NULL;
    argv[end] = NULL; // operands end here
    int status = options_read(&reader, c, end, argv);
    if (!status && repeat)
        take_repeat(c, repeat);
    if (!status)
        status = settle(c);
    return status ? status : find_subject(c, end - optind, argv + optind);
}

static int run_words(const struct inject_repeat *repeat, int argc, char **argv)
{
    struct inject_command c = {.request = {.each = 1,
                                           .seed = 1,
                                           .jobs = 1,
                                           .repeats = 5,
                                           .schedule = 1,
                                           .progress = isatty(STDERR_FILENO) && !repeat}};
    struct campaign campaign = {0};
    char **words = alloc_ended((size_t)argc, sizeof *words); // before options are put first
    memcpy(words, argv, (size_t)argc * sizeof *words);
    c.request.words = words;
    campaign_groups("malloc,create,open,read,write,timeout", &c.request.groups);
    int status = read_words(&c, repeat, argc, argv);
    scratch_watch();
    if (!status)
        status = open_traces(&c);
    if (!status)
        status = campaign_run(&campaign, &c.request);
    if (!status)
        status = repeat ? report_repeat(repeat, &campaign) : report(&c, &campaign);
    if (!status)
        status = verdict(&campaign);
    if (c.compare && !c.request.keep_traces && c.request.trace)
        drop_traces(&c);
    campaign_free(&campaign);
    source_clean();
    free(words);
    return status < 0 ? 0 : status;
}

int cli_inject(int argc, char **argv)
{
    return run_words(NULL, argc, argv);
}

int inject_repeat(const struct inject_repeat *repeat, int argc, char **argv)
{
    return run_words(repeat, argc, argv);
}
