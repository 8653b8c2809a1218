// heddle check: compile if need be, explore, give a verdict.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/whole_file.h"
#include "cli/commands.h"
#include "cli/misuse.h"
#include "cli/search_options.h"
#include "cli/suite.h"
#include "report/quote.h"
#include "report/timeline.h"
#include "supervise/keeper.h"
#include "supervise/kept_files.h"

static const char usage_begin[] =
    "usage: heddle check [options] FILE.c [more.c …] [-- arguments]\n"
    "       heddle check [options] ./program [-- arguments]\n"
    "       heddle check [options] tests/ [more.c …]\n"
    "\n"
    "  --strategy NAME       optimal (default), dpor, rf, dfs, bounded; by states: states, spor,\n"
    "                        dlspor, sdpor; or samples: random, pct, pos, fuzz, sample; to compare with:\n"
    "                        ddpor, ddpor-aggressive\n"
    "  --max-executions N    stop after N executions\n"
    "  --max-steps N         cut an execution after N events (default 20000)\n"
    "  -j N, --jobs N        N workers share the search, or the tests; 0: as many as there are processors (default 1)\n"
    "  --time SECONDS        stop after this time (60, 60s, 5m)\n"
    "  --save DIR            keep the search there: `heddle resume DIR` goes on with it, `heddle status DIR` looks at "
    "it\n"
    "  --save-every SECONDS  how often (default 10)\n"
    "  --timeline FILE       draw which worker explored which unit of the search, and when, as SVG\n"
    "  --preemptions K       only runs with at most K preemptions\n"
    "  --depth D             for --strategy pct or sample: of the bugs to be found (default 3)\n"
    "  --memory SIZE         for searches by states: the most that their table may take (512M, 4G; default a quarter)\n"
    "  --audit-states        for searches by states: look by samples whether equal ones go on in the same way\n"
    "  --symmetry WHEN       threads that are alike may change places: auto (default: in searches by states), on, off\n"
    "  --seed N              for what is drawn at random (default 1)\n"
    "  --keep-going          find all distinct bugs, not only the first\n"
    "  --races MODE          report (default), explore or off\n"
    "  --only races          look for data races only, and leave out executions that show none\n"
    "  --reuse               let malloc give out freed memory again, as an explored choice\n"
    "  --memory-errors       look closer: branches on memory that nobody wrote, variables of functions that return\n"
    "  --fill WHAT           fresh memory holds this: zero, random, or a byte such as 0xbe (the default)\n"
    "  --fault LIST          let calls fail, each of a kind at most N times: malloc:N, create:N, read:N, write:N\n"
    "  --spurious[=N]        let waits on condition variables end without a signal, N times a thread (1)\n"
    "  --omp-threads N       threads of an OpenMP region that asks for no number (OMP_NUM_THREADS, or 2)\n"
    "  --leaks               report memory that is lost at the end\n"
    "  --exit-status         a status other than 0 at the end of the process is a bug\n"
    "  --restart MODE        auto (default), undo, replay, verify, fork or checkpoint\n"
    "  --undo-check WHEN     compare what undo left with a fresh run: on (default: now and then), off, always\n"
    "  --tail WHEN           what main does after its last join: remember (default: run it where it may differ), "
    "always\n"
    "  --output WHICH        show what the program prints: failing (default: in the failing run), none, all\n"
    "  --directory DIR       where the program runs; if it changes files, in a copy of that\n"
    "  --stdin FILE          what the program finds on its standard input, in every execution; -: heddle's own\n"
    "  --allow clock         let the program see today's date and time: those of the beginning of the search\n"
    "  --allow PATH          a file, or all of a folder: every execution reads what is there now\n"
    "  --allow-writes DIR    let the program change files there for good\n"
    "  --trust NAME[,NAME…]  functions of libraries, or libraries, that do nothing to memory that threads share\n"
    "  --schedule FILE       keep the failing schedule there\n";

// Between the two stand the options of the formats of reports.
static const char usage_end[] =
    "  --baseline FILE       bugs listed there are known, and do not fail the check\n"
    "  --write-baseline FILE list the bugs there\n"
    "  --suppressions FILE   lines KIND:PATTERN; bugs in such functions or variables do not fail the check\n"
    "  --list                every source is a program of its own, as in a folder\n"
    "  --test PATTERN        only tests with such names (* stands for anything)\n"
    "  --names               only print the names of the tests\n"
    "  --stacks              show call stacks with the functions of libraries in them\n"
    "  --explain SECONDS     time for shrinking and explaining a bug (default 10; 0: do not)\n"
    "  --explain-search      say what was searched, in which order, and why\n"
    "  --cflags FLAGS        more flags for the compiler\n"
    "  --no-cache            compile sources even if they were compiled before\n"
    "  --bare N              benchmark: repeat the first execution N times without searching\n";

enum {
    JOBS = 'j',
    STRATEGY = SEARCH_LAST,
    TIME,
    SAVE,
    SAVE_EVERY,
    TIMELINE,
    PREEMPTIONS,
    DEPTH,
    MEMORY,
    AUDIT_STATES,
    SYMMETRY,
    SEED,
    KEEP_GOING,
    RACES,
    ONLY,
    LEAKS,
    EXIT_STATUS,
    RESTART,
    BASELINE,
    WRITE_BASELINE,
    SUPPRESSIONS,
    LIST,
    TEST,
    NAMES,
    EXPLAIN,
    BARE,
    OUTPUT,
    DIRECTORY,
    ALLOW_WRITES,
    ALLOW,
    INPUT,
    TRUST,
    STACKS,
    EXPLAIN_SEARCH,
    UNDO_CHECK,
    TAIL,
    FORMAT // and the numbers from here on: of a report
};

static const struct option known_options[] = {
    SEARCH_OPTIONS,
    {"strategy", 1, NULL, STRATEGY},
    {"time", 1, NULL, TIME},
    {"save", 1, NULL, SAVE},
    {"save-every", 1, NULL, SAVE_EVERY},
    {"timeline", 1, NULL, TIMELINE},
    {"preemptions", 1, NULL, PREEMPTIONS},
    {"depth", 1, NULL, DEPTH},
    {"jobs", 1, NULL, JOBS},
    {"memory", 1, NULL, MEMORY},
    {"audit-states", 0, NULL, AUDIT_STATES},
    {"symmetry", 1, NULL, SYMMETRY},
    {"seed", 1, NULL, SEED},
    {"keep-going", 0, NULL, KEEP_GOING},
    {"races", 1, NULL, RACES},
    {"only", 1, NULL, ONLY},
    {"leaks", 0, NULL, LEAKS},
    {"exit-status", 0, NULL, EXIT_STATUS},
    {"restart", 1, NULL, RESTART},
    {"baseline", 1, NULL, BASELINE},
    {"write-baseline", 1, NULL, WRITE_BASELINE},
    {"suppressions", 1, NULL, SUPPRESSIONS},
    {"list", 0, NULL, LIST},
    {"test", 1, NULL, TEST},
    {"names", 0, NULL, NAMES},
    {"stacks", 0, NULL, STACKS},
    {"explain-search", 0, NULL, EXPLAIN_SEARCH},
    {"explain", 1, NULL, EXPLAIN},
    {"bare", 1, NULL, BARE},
    {"output", 1, NULL, OUTPUT},
    {"directory", 1, NULL, DIRECTORY},
    {"allow-writes", 1, NULL, ALLOW_WRITES},
    {"allow", 1, NULL, ALLOW},
    {"stdin", 1, NULL, INPUT},
    {"trust", 1, NULL, TRUST},
    {"undo-check", 1, NULL, UNDO_CHECK},
    {"tail", 1, NULL, TAIL},
    {"help", 0, NULL, OPTION_HELP},
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
    while (n < ALLOWED && job->task.outside.allowed[n][0])
        n++;
    if (n == ALLOWED)
        return misuse_of_check("--allow-writes %s: there are too many", directory);
    return realpath_of(directory, job->task.outside.allowed[n])
               ? 0
               : misuse_of_check("%s is not a directory that can be used", directory);
}

// In every execution, and where a failure is repeated, the calendar begins like this, and files are read as they are now.
static int allow(struct task *task, const char *what)
{
    if (!strcmp(what, "clock")) {
        task->rules.calendar = (uint32_t)time(NULL);
        return 0;
    }
    const char *why = kept_files_add(&task->outside, what);
    if (!why)
        return 0;
    char text[PATH_MAX + 128];
    snprintf(text, sizeof text, "%s: %s", what, why);
    return misuse_of_check("--allow takes clock, a file or a folder; %s", text);
}

static int take_input(struct task *task, const char *path)
{
    const char *why = kept_files_add_input(&task->outside, path);
    if (!why)
        return 0;
    char text[PATH_MAX + 128];
    snprintf(text, sizeof text, "%s: %s", path, why);
    return misuse_of_check("--stdin takes a file, or - for heddle's own standard input; %s", text);
}

static int trust(struct job *job, const char *names)
{
    size_t length = strlen(job->task.outside.trusted);
    if (!*names || strstr(names, ",,") || *names == ',' || names[strlen(names) - 1] == ',')
        return misuse_of_check("--trust takes names of functions or libraries, separated by commas, not '%s'", names);
    if (length + strlen(names) + 2 > sizeof job->task.outside.trusted)
        return misuse_of_check("--trust %s: there are too many", names);
    snprintf(job->task.outside.trusted + length, sizeof job->task.outside.trusted - length, "%s%s", length ? "," : "",
             names);
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
    case BASELINE:
        return read_tolerance(s, text, tolerance_read_baseline);
    case SUPPRESSIONS:
        return read_tolerance(s, text, tolerance_read_suppressions);
    case WRITE_BASELINE:
        s->reports.baseline_path = text;
        s->check.job->task.keep_going = 1;
        need_tolerance(s);
        return 0;
    case LIST:
        s->apart = true;
        return 0;
    case TEST:
        s->pattern = text;
        return 0;
    case NAMES:
        s->names = true;
        return 0;
    default:
        s->reports.wanted[option - FORMAT] = true;
        s->reports.path[option - FORMAT] = text;
        return 0;
    }
}

// How executions start over, and what the program may do.
static int take_run_option(struct suite *s, int option, const char *text)
{
    static const char *const restarts[] = {"auto", "undo", "replay", "verify", "fork", "checkpoint", NULL};
    static const char *const outputs[] = {"failing", "none", "all", NULL};
    static const char *const undo_checks[] = {"on", "off", "always", NULL}; // enum audit_mode
    static const char *const tails[] = {"remember", "always", NULL};        // enum tail_mode
    struct job *job = s->check.job;
    switch (option) {
    case RESTART:
        return option_word(text, restarts, &job->task.rules.restart)
                   ? 0
                   : misuse_of_check("--restart takes auto, undo, replay, verify, fork or checkpoint, not %s", text);
    case UNDO_CHECK:
        return option_word(text, undo_checks, &job->task.undo_check)
                   ? 0
                   : misuse_of_check("--undo-check takes on, off or always, not %s", text);
    case TAIL:
        return option_word(text, tails, &job->task.tail)
                   ? 0
                   : misuse_of_check("--tail takes remember or always, not %s", text);
    case BARE:
        return option_small(text, 1, UINT32_MAX, &job->task.bare)
                   ? 0
                   : misuse_of_check("%s is not a number of executions", text);
    case OUTPUT:
        return option_word(text, outputs, &job->task.output)
                   ? 0
                   : misuse_of_check("--output takes failing, none or all, not %s", text);
    case DIRECTORY:
        return realpath_of(text, job->task.outside.directory)
                   ? 0
                   : misuse_of_check("%s is not a directory that can be used", text);
    case ALLOW:
        return allow(&job->task, text);
    case INPUT:
        return take_input(&job->task, text);
    case ALLOW_WRITES:
        return allow_writes(job, text);
    case TRUST:
        return trust(job, text);
    default:
        return take_report_option(s, option, text);
    }
}

// What counts as a bug, and how it is told.
static int take_bug_option(struct suite *s, int option, const char *text)
{
    static const char *const races[] = {"report", "explore", "off", NULL};
    struct check *check = &s->check;
    struct job *job = check->job;
    switch (option) {
    case KEEP_GOING:
        job->task.keep_going = 1;
        return 0;
    case RACES:
        return option_word(text, races, &job->task.rules.races)
                   ? 0
                   : misuse_of_check("--races takes report, explore or off, not %s", text);
    case ONLY:
        job->task.only_races = 1;
        return !strcmp(text, "races") ? 0 : misuse_of_check("--only takes races, not %s", text);
    case LEAKS:
        job->task.rules.leaks = 1;
        return 0;
    case EXIT_STATUS:
        job->task.rules.status_matters = 1;
        return 0;
    case STACKS:
        check->stacks = true;
        return 0;
    case EXPLAIN:
        return option_seconds(text, &check->explain_seconds) ? 0 : misuse_of_check("%s is not a time", text);
    case EXPLAIN_SEARCH:
        check->explain_search = true;
        return 0;
    default:
        return take_run_option(s, option, text);
    }
}

static int take_option(void *request, int option, const char *text)
{
    static const char *const symmetry[] = {"auto", "on", "off", NULL};
    struct suite *s = request;
    struct check *check = &s->check;
    struct job *job = check->job;
    if (option >= OPTION_FIRST && option < SEARCH_LAST)
        return search_option("check", check, option, text);
    switch (option) {
    case STRATEGY:
        job->task.strategy = strategy_by_name(text, STRATEGY_FOR_PROGRAMS);
        check->strategy_given = true;
        return job->task.strategy < STRATEGIES ? 0 : misuse_of_check("there is no strategy called %s", text);
    case TIME:
        return option_seconds(text, &job->task.seconds) && job->task.seconds > 0
                   ? 0
                   : misuse_of_check("%s is not a time", text);
    case SAVE:
        s->save_directory = text;
        return 0;
    case TIMELINE:
        s->timeline_path = text;
        return 0;
    case SAVE_EVERY:
        return option_seconds(text, &s->save_every) && s->save_every > 0 ? 0
                                                                         : misuse_of_check("%s is not a time", text);
    case PREEMPTIONS:
        return option_small(text, 0, 60000, &job->task.preemptions)
                   ? 0
                   : misuse_of_check("%s is not a number of preemptions", text);
    case DEPTH:
        check->depth_given = true;
        return option_small(text, 1, PCT_MOST_DEPTH, &job->task.depth)
                   ? 0
                   : misuse_of_check("%s is not a depth from 1 to 32", text);
    case JOBS:
        return option_workers(text, &job->task.workers)
                   ? 0
                   : misuse_of_check("%s is not a number of workers from 0 to 64", text);
    case MEMORY:
        return option_bytes(text, &job->task.memory) ? 0 : misuse_of_check("%s is not a size from 1M on", text);
    case AUDIT_STATES:
        job->task.audit_states = 1;
        return 0;
    case SYMMETRY:
        return option_word(text, symmetry, &job->task.symmetry)
                   ? 0
                   : misuse_of_check("--symmetry takes auto, on or off, not %s", text);
    case SEED:
        return option_number(text, 0, UINT64_MAX, &job->task.seed) ? 0 : misuse_of_check("%s is not a seed", text);
    default:
        return take_bug_option(s, option, text);
    }
}

// What searches by states need: a limit that the machine can keep, and programs without remains that tell states apart for
// nothing. An execution may be as long as a way through the graph of states without coming back.
static int prepare_for_states(struct check *check)
{
    enum { STEPS = 200000 };
    struct task *task = &check->job->task;
    if (!task->memory)
        task->memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 4;
    if (!check->steps_given)
        task->most_steps = STEPS;
    if (task->most_steps && strategy_table[task->strategy].matches_states)
        task->max_steps = task->most_steps;
    return option_flags("--clear-dead", &check->origin) ? 0 : misuse_of_check("%s: too many flags", "--cflags");
}

static int settle_only_races(struct check *check)
{
    struct task *task = &check->job->task;
    if (check->strategy_given && task->strategy != STRATEGY_DPOR)
        return misuse_of_check("--only races searches by dpor: it cannot be combined with --strategy %s",
                               strategy_table[task->strategy].name);
    if (task->preemptions != NO_BOUND)
        return misuse_of_check("%s", "--only races cannot be combined with --preemptions");
    if (fault_any(task->rules.faults))
        return misuse_of_check("%s", "--only races cannot be combined with --fault");
    if (task->rules.races != RACES_REPORT || task->rules.leaks || task->rules.status_matters)
        return misuse_of_check("--only races cannot be combined with %s", task->rules.leaks            ? "--leaks"
                                                                          : task->rules.status_matters ? "--exit-status"
                                                                                                       : "--races");
    task->strategy = STRATEGY_DPOR;
    check->strategy_given = true;
    return option_flags("--flows", &check->origin) ? 0 : misuse_of_check("%s: too many flags", "--cflags");
}

static int settle_strategy(struct check *check, bool saved)
{
    struct job *job = check->job;
    if (job->task.output == OUTPUT_ALL &&
        (job->task.rules.restart == RESTART_UNDO || job->task.rules.restart == RESTART_VERIFY))
        return misuse_of_check("%s",
                               "--output all cannot be combined with --restart undo or verify, which repeat no output");
    if (job->task.only_races && settle_only_races(check))
        return 2;
    bool ours_to_choose = !saved && !check->strategy_given && job->task.preemptions == NO_BOUND && !job->task.bare;
    if (ours_to_choose && job->task.seconds > 0)
        job->task.strategy = STRATEGY_PORTFOLIO;
    else if (ours_to_choose && job->task.max_executions == UINT64_MAX && !check->depth_given)
        job->task.strategy = STRATEGY_PATIENT;
    enum strategy_kind given = job->task.strategy;
    if (check->depth_given && given != STRATEGY_PCT && given != STRATEGY_SAMPLE && given != STRATEGY_PORTFOLIO)
        return misuse_of_check("--depth is for --strategy pct or sample, not for %s", strategy_table[given].name);
    if (job->task.preemptions != NO_BOUND && job->task.strategy != STRATEGY_BOUNDED) {
        if (job->task.strategy != STRATEGY_OPTIMAL && job->task.strategy != STRATEGY_DFS)
            return misuse_of_check("--preemptions cannot be combined with --strategy %s",
                                   strategy_table[job->task.strategy].name);
        job->task.strategy = STRATEGY_DFS;
    }
    if (strategy_table[job->task.strategy].samples && job->task.max_executions == UINT64_MAX && job->task.seconds <= 0)
        job->task.max_executions = 10000;
    if (job->task.strategy == STRATEGY_RF && job->task.rules.leaks)
        return misuse_of_check("%s",
                               "--leaks cannot be combined with --strategy rf: what is lost may depend on the order "
                               "of writes that nobody reads");
    bool ours = job->task.strategy == STRATEGY_PORTFOLIO || job->task.strategy == STRATEGY_PATIENT;
    bool by_states = ours || strategy_table[job->task.strategy].matches_states;
    if (!by_states && (job->task.memory || job->task.audit_states))
        return misuse_of_check("%s is for searches by states (--strategy dlspor)",
                               job->task.memory ? "--memory" : "--audit-states");
    if (job->task.symmetry == SYMMETRY_ON && !by_states && job->task.strategy != STRATEGY_DFS)
        return misuse_of_check("--symmetry on is for searches by states and for --strategy dfs, not for %s",
                               strategy_table[job->task.strategy].name);
    return by_states || job->task.symmetry == SYMMETRY_ON ? prepare_for_states(check) : 0;
}

static bool wants_colour(void)
{
    const char *no = getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) && !(no && *no);
}

// What cannot be combined with --save, or null: a search is kept if it is by `optimal` and could be divided.
static const char *what_is_not_saved(const struct suite *s)
{
    const struct task *task = &s->check.job->task;
    if (s->reports.tolerance)
        return "--baseline, --write-baseline and --suppressions";
    if (task->rules.restart == RESTART_FORK || task->rules.restart == RESTART_CHECKPOINT)
        return "--restart fork and checkpoint";
    if (task->outside.allowed[0][0])
        return "--allow-writes";
    if (!strcmp(task->outside.input, "-"))
        return "--stdin -";
    if (task->bare || s->names)
        return task->bare ? "--bare" : "--names";
    return task->output == OUTPUT_ALL ? "--output all" : NULL;
}

static int settle_save(const struct suite *s)
{
    enum strategy_kind strategy = s->check.job->task.strategy;
    bool by_states = strategy_table[strategy].matches_states && strategy != STRATEGY_SDPOR;
    if (s->check.fellows && !strategy_table[strategy].divides && !by_states)
        return misuse_of_check("ranks share searches by optimal, ddpor, states, spor and dlspor, not by %s",
                               strategy_table[strategy].name);
    if (s->check.fellows && by_states && s->check.job->task.symmetry == SYMMETRY_ON)
        return misuse_of_check("%s", "ranks that search states tell all threads apart; leave out --symmetry on");
    if (s->check.fellows && by_states)
        s->check.job->task.symmetry = SYMMETRY_OFF;
    if (s->check.fellows && s->check.job->task.max_executions != UINT64_MAX)
        return misuse_of_check("%s", "--max-executions cannot be kept by several ranks; use --time");
    if (!s->save_directory)
        return s->save_every > 0 ? misuse_of_check("%s", "--save-every says how often --save saves; name a directory")
                                 : 0;
    if (strategy != STRATEGY_OPTIMAL)
        return misuse_of_check("--save keeps searches by optimal, not by %s", strategy_table[strategy].name);
    const char *what = what_is_not_saved(s);
    return what ? misuse_of_check("--save cannot be combined with %s", what) : 0;
}

static int settle(struct suite *s)
{
    const char *trouble = reports_trouble(&s->reports);
    int status =
        trouble ? misuse_of_check("%s", trouble) : settle_strategy(&s->check, s->save_directory || s->check.fellows);
    return status ? status : settle_save(s);
}

enum { KNOWN_OPTIONS = sizeof known_options / sizeof *known_options };

// Adds the options of the formats of reports to those of the command.
static void add_formats(struct option *table, struct buffer *usage)
{
    size_t count = KNOWN_OPTIONS;
    memcpy(table, known_options, sizeof known_options);
    buffer_add(usage, "%s", usage_begin);
    for (int i = 0; i < REPORT_FORMATS; i++) {
        const struct report_format *format = report_formats[i];
        bool takes_file = format->goes == REPORT_TO_FILE;
        char words[64];
        if (!format->option)
            continue;
        table[count++] = (struct option){format->option, takes_file, NULL, FORMAT + i};
        snprintf(words, sizeof words, "--%s%s", format->option, takes_file ? " FILE" : "");
        buffer_add(usage, "  %-21s %s\n", words, format->help);
    }
    table[count] = (struct option){0};
    buffer_add(usage, "%s", usage_end);
}

// Where the search is kept, unless it goes on from there.
static int open_keeper(struct suite *s, struct keeper *keeper, int argc, char **argv)
{
    enum { USUALLY = 10 };
    if (!s->save_directory)
        return 0;
    s->check.keeper = keeper;
    keeper->every = s->save_every > 0 ? s->save_every : USUALLY;
    const char *wrong = keeper->resumes ? NULL : keeper_create(keeper, s->save_directory, argc, argv);
    return wrong ? misuse_file_is("check", s->save_directory, wrong) : 0;
}

static void tell_where(const struct keeper *keeper)
{
    if (keeper->saved_at > 0 && !keeper->refused[0])
        quote_print(stderr, "heddle: the search is saved; to go on: heddle resume", keeper->directory);
}

// Writes the picture. Returns 0, or 2 after one sentence.
static int draw_timeline(const char *path, struct timeline *timeline)
{
    if (!timeline->count)
        return misuse_of_file("check", path, "there is nothing to draw: only searches by optimal have units");
    struct whole_file file;
    bool good = whole_file_open(&file, path) && !whole_file_close(&file, timeline_write(timeline, file.out));
    return good ? 0 : misuse_of_file("check", path, strerror(errno));
}

int check_with(struct keeper *keeper, const struct fellows *fellows, int argc, char **argv)
{
    struct option table[KNOWN_OPTIONS + REPORT_FORMATS + 1];
    struct buffer usage = {0};
    add_formats(table, &usage);
    const struct option_reader reader = {"check", usage.text, table, take_option, "j:"};
    struct suite suite = {.check = {.job = job_new(), .explain_seconds = 10}, .reports = {.colour = wants_colour()}};
    struct check *check = &suite.check;
    check->job->task.seed = 1;
    check->job->task.guard = 1;
    check->fellows = fellows;
    struct strings words = {0}; // options_read puts them in another order
    for (int i = 0; i < argc; i++)
        strings_add(&words, argv[i]);
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
        status = open_keeper(&suite, keeper, argc, words.item);
    struct timeline timeline = {0};
    check->timeline = suite.timeline_path ? &timeline : NULL;
    if (!status)
        status = suite_run(&suite, end - optind, argv + optind);
    if (suite.timeline_path && status >= 0 && status != 2 && draw_timeline(suite.timeline_path, &timeline))
        status = 2;
    timeline_free(&timeline);
    if (status == 3 && check->keeper)
        tell_where(keeper);
    if (suite.reports.tolerance)
        tolerance_free(suite.reports.tolerance);
    job_free(check->job);
    strings_free(&words);
    buffer_free(&usage);
    return status < 0 ? 0 : status;
}

int cli_check(int argc, char **argv)
{
    struct keeper keeper = {.file.lock = -1};
    int status = check_with(&keeper, NULL, argc, argv);
    keeper_close(&keeper);
    return status;
}
