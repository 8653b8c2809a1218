// heddle check: compile if need be, explore, give a verdict.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/misuse.h"
#include "cli/options.h"
#include "cli/suite.h"

static const char usage[] =
    "usage: heddle check [options] FILE.c [more.c …] [-- arguments]\n"
    "       heddle check [options] ./program [-- arguments]\n"
    "       heddle check [options] tests/ [more.c …]\n"
    "\n"
    "  --strategy NAME       optimal (default), dpor, dfs, bounded, pct or random\n"
    "  --max-executions N    stop after N executions\n"
    "  --max-steps N         cut an execution after N events (default 20000)\n"
    "  --time SECONDS        stop after this time (60, 60s, 5m)\n"
    "  --preemptions K       only runs with at most K preemptions\n"
    "  --depth D             for --strategy pct: of the bugs to be found (default 3)\n"
    "  --seed N              for --strategy random and pct (default 1)\n"
    "  --keep-going          find all distinct bugs, not only the first\n"
    "  --races MODE          report (default), explore or off\n"
    "  --reuse               let malloc give out freed memory again, as an explored choice\n"
    "  --fill WHAT           fresh memory holds this: zero, random, or a byte such as 0xbe (the default)\n"
    "  --spurious[=N]        let waits on condition variables end without a signal, N times a thread (1)\n"
    "  --leaks               report memory that is lost at the end\n"
    "  --exit-status         a status other than 0 at the end of the process is a bug\n"
    "  --restart MODE        auto (default), undo, replay, verify, fork or checkpoint\n"
    "  --undo-check WHEN     compare what undo left with a fresh run: on (default: now and then), off, always\n"
    "  --output WHICH        show what the program prints: failing (default: in the failing run), none, all\n"
    "  --directory DIR       where the program runs; if it changes files, in a copy of that\n"
    "  --allow-writes DIR    let the program change files there for good\n"
    "  --trust NAME[,NAME…]  functions of libraries, or libraries, that do nothing to memory that threads share\n"
    "  --schedule FILE       keep the failing schedule there\n"
    "  --json FILE           write the report as JSON ('-': standard output, and no text)\n"
    "  --sarif FILE          write the bugs as SARIF 2.1.0\n"
    "  --junit FILE          write the tests as JUnit XML\n"
    "  --annotations         print a line for each bug that GitHub Actions shows in the source\n"
    "  --baseline FILE       bugs listed there are known, and do not fail the check\n"
    "  --write-baseline FILE list the bugs there\n"
    "  --suppressions FILE   lines KIND:PATTERN; bugs in such functions or variables do not fail the check\n"
    "  --list                every source is a program of its own, as in a folder\n"
    "  --test PATTERN        only tests with such names (* stands for anything)\n"
    "  --names               only print the names of the tests\n"
    "  --stacks              show call stacks with the functions of libraries in them\n"
    "  --explain SECONDS     time for shrinking and explaining a bug (default 10; 0: do not)\n"
    "  --cflags FLAGS        more flags for the compiler\n"
    "  --bare N              benchmark: repeat the first execution N times without searching\n";

enum {
    STRATEGY = OPTION_FIRST, MAX_EXECUTIONS, MAX_STEPS, TIME, PREEMPTIONS, DEPTH, SEED, KEEP_GOING, RACES, REUSE, SPURIOUS, FILL, LEAKS, EXIT_STATUS,
    RESTART, SCHEDULE, JSON, SARIF, JUNIT, ANNOTATIONS, BASELINE, WRITE_BASELINE, SUPPRESSIONS, LIST, TEST, NAMES, EXPLAIN,
    CFLAGS, BARE, OUTPUT, DIRECTORY, ALLOW_WRITES, TRUST, STACKS, UNDO_CHECK
};

static const struct option known_options[] = {
    {"strategy", 1, NULL, STRATEGY},
    {"max-executions", 1, NULL, MAX_EXECUTIONS},
    {"max-steps", 1, NULL, MAX_STEPS},
    {"time", 1, NULL, TIME},
    {"preemptions", 1, NULL, PREEMPTIONS},
    {"depth", 1, NULL, DEPTH},
    {"seed", 1, NULL, SEED},
    {"keep-going", 0, NULL, KEEP_GOING},
    {"races", 1, NULL, RACES},
    {"reuse", 0, NULL, REUSE},
    {"spurious", 2, NULL, SPURIOUS},
    {"fill", 1, NULL, FILL},
    {"leaks", 0, NULL, LEAKS},
    {"exit-status", 0, NULL, EXIT_STATUS},
    {"restart", 1, NULL, RESTART},
    {"schedule", 1, NULL, SCHEDULE},
    {"json", 1, NULL, JSON},
    {"sarif", 1, NULL, SARIF},
    {"junit", 1, NULL, JUNIT},
    {"annotations", 0, NULL, ANNOTATIONS},
    {"baseline", 1, NULL, BASELINE},
    {"write-baseline", 1, NULL, WRITE_BASELINE},
    {"suppressions", 1, NULL, SUPPRESSIONS},
    {"list", 0, NULL, LIST},
    {"test", 1, NULL, TEST},
    {"names", 0, NULL, NAMES},
    {"stacks", 0, NULL, STACKS},
    {"explain", 1, NULL, EXPLAIN},
    {"cflags", 1, NULL, CFLAGS},
    {"bare", 1, NULL, BARE},
    {"output", 1, NULL, OUTPUT},
    {"directory", 1, NULL, DIRECTORY},
    {"allow-writes", 1, NULL, ALLOW_WRITES},
    {"trust", 1, NULL, TRUST},
    {"undo-check", 1, NULL, UNDO_CHECK},
    {"help", 0, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

static bool realpath_of(const char *directory, char *path)
{
    char found[PATH_MAX];
    struct stat st;
    if (!realpath(directory, found) || stat(found, &st) || !S_ISDIR(st.st_mode) || strlen(found) >= JOB_PATH)
        return false;
    strcpy(path, found);
    return true;
}

static int allow_writes(struct job *job, const char *directory)
{
    int n = 0;
    while (n < ALLOWED && job->allowed[n][0])
        n++;
    if (n == ALLOWED)
        return misuse_of_check("--allow-writes %s: there are too many", directory);
    return realpath_of(directory, job->allowed[n]) ? 0 : misuse_of_check("%s is no directory that can be used", directory);
}

static int trust(struct job *job, const char *names)
{
    size_t length = strlen(job->trusted);
    if (!*names || strstr(names, ",,") || *names == ',' || names[strlen(names) - 1] == ',')
        return misuse_of_check("--trust takes names of functions or libraries, separated by commas, not '%s'", names);
    if (length + strlen(names) + 2 > sizeof job->trusted)
        return misuse_of_check("--trust %s: there are too many", names);
    snprintf(job->trusted + length, sizeof job->trusted - length, "%s%s", length ? "," : "", names);
    return 0;
}

static void need_tolerance(struct suite *s)
{
    if (!s->reports.tolerance)
        s->check.tolerance = s->reports.tolerance = tolerance_new();
}

static int read_tolerance(struct suite *s, const char *path,
                          const char *(*read)(struct tolerance *, FILE *, char *, size_t))
{
    char why[256];
    FILE *file = fopen(path, "r");
    const char *wrong = strerror(errno);
    need_tolerance(s);
    if (file) {
        wrong = read(s->reports.tolerance, file, why, sizeof why);
        fclose(file);
    }
    return wrong ? misuse_of_file("check", path, wrong) : 0;
}

// What goes into reports, and which tests.
static int take_report_option(struct suite *s, int option, const char *text)
{
    switch (option) {
    case JSON: s->reports.json_path = text; return 0;
    case SARIF: s->reports.sarif_path = text; return 0;
    case JUNIT: s->reports.junit_path = text; return 0;
    case ANNOTATIONS: s->reports.annotations = true; return 0;
    case BASELINE: return read_tolerance(s, text, tolerance_read_baseline);
    case SUPPRESSIONS: return read_tolerance(s, text, tolerance_read_suppressions);
    case WRITE_BASELINE:
        s->reports.baseline_path = text;
        s->check.job->keep_going = 1;
        need_tolerance(s);
        return 0;
    case LIST: s->apart = true; return 0;
    case TEST: s->pattern = text; return 0;
    case NAMES: s->names = true; return 0;
    default: return 2;
    }
}

static int take_option(void *request, int option, const char *text)
{
    static const char *const strategies[] = {"optimal", "dpor", "dfs", "bounded", "pct", "random", NULL}; // enum strategy_kind
    static const char *const races[] = {"report", "explore", "off", NULL};
    static const char *const restarts[] = {"auto", "undo", "replay", "verify", "fork", "checkpoint", NULL};
    static const char *const outputs[] = {"failing", "none", "all", NULL};
    static const char *const undo_checks[] = {"on", "off", "always", NULL}; // enum audit_mode
    struct suite *s = request;
    struct check *check = &s->check;
    struct job *job = check->job;
    uint32_t known;
    switch (option) {
    case STRATEGY:
        if (!option_word(text, strategies, &known))
            return misuse_of_check("there is no strategy called %s", text);
        job->strategy = (enum strategy_kind)known;
        check->strategy_given = true;
        return 0;
    case MAX_EXECUTIONS:
        return option_number(text, 1, UINT64_MAX - 1, &job->max_executions) ? 0 : misuse_of_check("%s is no number of executions", text);
    case MAX_STEPS:
        return option_small(text, 1, JOB_STEPS - 2, &job->max_steps) ? 0 : misuse_of_check("%s is no number of steps from 1 to 1048574", text);
    case TIME: return option_seconds(text, &job->seconds) && job->seconds > 0 ? 0 : misuse_of_check("%s is no time", text);
    case PREEMPTIONS:
        return option_small(text, 0, 60000, &job->preemptions) ? 0 : misuse_of_check("%s is no number of preemptions", text);
    case DEPTH:
        check->depth_given = true;
        return option_small(text, 1, PCT_MOST_DEPTH, &job->depth) ? 0 : misuse_of_check("%s is no depth from 1 to 32", text);
    case SEED: return option_number(text, 0, UINT64_MAX, &job->seed) ? 0 : misuse_of_check("%s is no seed", text);
    case KEEP_GOING: job->keep_going = 1; return 0;
    case RACES: return option_word(text, races, &job->races) ? 0 : misuse_of_check("--races takes report, explore or off, not %s", text);
    case REUSE: job->reuse = 1; return 0;
    case SPURIOUS:
        return option_small(text ? text : "1", 1, UINT16_MAX, &job->spurious)
                   ? 0
                   : misuse_of_check("%s is no number of spurious wake-ups from 1 to 65535", text);
    case FILL: return option_fill(text, &job->fill) ? 0 : misuse_of_check("--fill takes zero, random or a byte such as 0xbe, not %s", text);
    case LEAKS: job->leaks = 1; return 0;
    case STACKS: check->stacks = true; return 0;
    case EXIT_STATUS: job->status_matters = 1; return 0;
    case RESTART:
        return option_word(text, restarts, &job->restart)
                   ? 0
                   : misuse_of_check("--restart takes auto, undo, replay, verify, fork or checkpoint, not %s", text);
    case SCHEDULE: check->schedule_path = text; return 0;
    case EXPLAIN: return option_seconds(text, &check->explain_seconds) ? 0 : misuse_of_check("%s is no time", text);
    case BARE:
        return option_small(text, 1, UINT32_MAX, &job->bare) ? 0 : misuse_of_check("%s is no number of executions", text);
    case OUTPUT:
        return option_word(text, outputs, &job->output) ? 0 : misuse_of_check("--output takes failing, none or all, not %s", text);
    case DIRECTORY:
        return realpath_of(text, job->directory) ? 0 : misuse_of_check("%s is no directory that can be used", text);
    case ALLOW_WRITES: return allow_writes(job, text);
    case TRUST: return trust(job, text);
    case UNDO_CHECK:
        return option_word(text, undo_checks, &job->undo_check) ? 0 : misuse_of_check("--undo-check takes on, off or always, not %s", text);
    case CFLAGS: return option_flags(text, &check->origin) ? 0 : misuse_of_check("%s: too many flags", text);
    default: return take_report_option(s, option, text);
    }
}

static int settle_strategy(const struct check *check)
{
    struct job *job = check->job;
    if (job->output == OUTPUT_ALL && (job->restart == RESTART_UNDO || job->restart == RESTART_VERIFY))
        return misuse_of_check("%s", "--output all does not go with --restart undo or verify, which repeat no output");
    bool ours_to_choose = !check->strategy_given && job->preemptions == NO_BOUND && !job->bare;
    if (ours_to_choose && job->seconds > 0)
        job->strategy = STRATEGY_PORTFOLIO;
    else if (ours_to_choose && job->max_executions == UINT64_MAX && !check->depth_given)
        job->strategy = STRATEGY_PATIENT;
    if (check->depth_given && job->strategy != STRATEGY_PCT && job->strategy != STRATEGY_PORTFOLIO)
        return misuse_of_check("--depth goes with --strategy pct, not with %s", strategy_table[job->strategy].name);
    if (job->preemptions != NO_BOUND && job->strategy != STRATEGY_BOUNDED) {
        if (job->strategy != STRATEGY_OPTIMAL && job->strategy != STRATEGY_DFS)
            return misuse_of_check("--preemptions does not go with --strategy %s", strategy_table[job->strategy].name);
        job->strategy = STRATEGY_DFS;
    }
    if (strategy_table[job->strategy].samples && job->max_executions == UINT64_MAX && job->seconds <= 0)
        job->max_executions = 10000;
    return 0;
}

static bool wants_colour(void)
{
    const char *no = getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) && !(no && *no);
}

static int settle(struct suite *s)
{
    const char *trouble = reports_trouble(&s->reports);
    return trouble ? misuse_of_check("%s", trouble) : settle_strategy(&s->check);
}

int cli_check(int argc, char **argv)
{
    static const struct option_reader reader = {"check", usage, known_options, take_option};
    struct suite suite = {.check = {.job = job_new(), .explain_seconds = 10}, .reports = {.colour = wants_colour()}};
    struct check *check = &suite.check;
    check->job->seed = 1;
    check->job->guard = 1;
    int end = 1;
    while (end < argc && strcmp(argv[end], "--"))
        end++;
    check->subject.arguments = end < argc ? argv + end + 1 : NULL;
    for (int i = 0; end < argc && argv[end + 1 + i] && i < SCHEDULE_WORDS - 1; i++)
        check->origin.arguments[i] = argv[end + 1 + i];
    check->subject.progress = isatty(STDERR_FILENO);
    int status = options_read(&reader, &suite, end, argv);
    if (!status)
        status = settle(&suite);
    if (!status)
        status = suite_run(&suite, end - optind, argv + optind);
    if (suite.reports.tolerance)
        tolerance_free(suite.reports.tolerance);
    job_free(check->job);
    return status < 0 ? 0 : status;
}
