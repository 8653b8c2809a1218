// heddle lin: invent clients of an object, explore each, say whether some order of whole calls explains what they see.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "build/source.h"
#include "cli/commands.h"
#include "cli/misuse.h"
#include "cli/search_options.h"
#include "supervise/lin_report.h"
#include "supervise/lock_source.h"
#include "supervise/subject.h"

static const char usage[] =
    "usage: heddle lin [options] FILE.c [more.c …]\n"
    "       heddle lin [options] ./program\n"
    "\n"
    "  --threads N           clients of at most N threads (3)\n"
    "  --calls M             with at most M calls each (2)\n"
    "  --total K             and at most K calls of all threads (4)\n"
    "  --client TEXT         only this one: \"push(1) pop() | pop()\"; calls before and after in brackets\n"
    "  --before CALLS        calls before the threads begin, in every client\n"
    "  --after CALLS         calls after they have ended\n"
    "  --sample N            then N random clients with one call more in each thread, 20000 executions each\n"
    "  --seed N              for --sample (1)\n"
    "  --judge NAME          linearizable, sequential or quiescent (what the object says; linearizable)\n"
    "  --may-fail NAMES      these operations may fail for no reason (separated by commas)\n"
    "  -j N, --jobs N        N workers explore clients; 0: as many as there are processors (default 1)\n"
    "  --time SECONDS        stop after this time\n"
    "  --grow SECONDS        time for clients beyond these bounds (10, or what --time leaves; 0 if bounds are given)\n"
    "  --strategy NAME       optimal (default), dpor or dfs\n"
    "  --match, --no-match   go on from each state only once (default: for clients with many executions)\n"
    "  --max-executions N    stop after N executions of one client\n"
    "  --max-steps N         cut an execution after N events (default 20000)\n"
    "  --races MODE          explore (default) or report\n"
    "  --reuse               let malloc give out freed memory again, as an explored choice\n"
    "  --memory-errors       look closer: branches on memory that nobody wrote, variables of functions that return\n"
    "  --fill WHAT           fresh memory holds this: zero, random, or a byte such as 0xbe (the default)\n"
    "  --fault LIST          let calls fail, each of a kind at most N times: malloc:N, create:N, read:N, write:N\n"
    "  --spurious[=N]        let waits on condition variables end without a signal, N times a thread (1)\n"
    "  --omp-threads N       threads of an OpenMP region that asks for no number (OMP_NUM_THREADS, or 2)\n"
    "  --explain SECONDS     time for making a failing client and its run small (default 10)\n"
    "  --repair SECONDS      time for finding out which lines would have to be atomic, and checking that (default 10; "
    "0: none)\n"
    "  --suggest-lock FILE   the same as a mutex: a patch, which was checked on all clients, goes there\n"
    "  --schedule FILE       keep the failing schedule there\n"
    "  --json FILE           write the report as JSON ('-': standard output, and no text)\n"
    "  --cflags FLAGS        more flags for the compiler\n"
    "  --no-cache            compile sources even if they were compiled before\n";

enum {
    JOBS = 'j',
    THREADS = SEARCH_LAST,
    CALLS,
    TOTAL,
    CLIENT,
    BEFORE,
    AFTER,
    SAMPLE,
    SEED,
    JUDGE,
    MAY_FAIL,
    TIME,
    GROW,
    STRATEGY,
    MATCH,
    NO_MATCH,
    RACES,
    EXPLAIN,
    REPAIR,
    SUGGEST_LOCK,
    JSON
};

enum { SAMPLE_EXECUTIONS = 20000, GROW_SECONDS = 10 };

static const struct option known_options[] = {
    SEARCH_OPTIONS,
    {"threads", 1, NULL, THREADS},
    {"calls", 1, NULL, CALLS},
    {"total", 1, NULL, TOTAL},
    {"client", 1, NULL, CLIENT},
    {"before", 1, NULL, BEFORE},
    {"after", 1, NULL, AFTER},
    {"sample", 1, NULL, SAMPLE},
    {"seed", 1, NULL, SEED},
    {"judge", 1, NULL, JUDGE},
    {"may-fail", 1, NULL, MAY_FAIL},
    {"jobs", 1, NULL, JOBS},
    {"time", 1, NULL, TIME},
    {"grow", 1, NULL, GROW},
    {"strategy", 1, NULL, STRATEGY},
    {"match", 0, NULL, MATCH},
    {"no-match", 0, NULL, NO_MATCH},
    {"races", 1, NULL, RACES},
    {"explain", 1, NULL, EXPLAIN},
    {"repair", 1, NULL, REPAIR},
    {"suggest-lock", 1, NULL, SUGGEST_LOCK},
    {"json", 1, NULL, JSON},
    {"help", 0, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

struct command {
    struct lin lin;
    const char *json_path, *lock_path;
    bool total_given, strategy_given;
    bool bounds_given; // of clients or of their executions: then they are what the user wants to know about
};

static int misuse(const char *format, const char *what)
{
    return misuse_of("lin", format, what);
}

static int take_client_option(struct command *c, int option, const char *text)
{
    struct lin *lin = &c->lin;
    c->bounds_given |= option != BEFORE && option != AFTER && option != JUDGE && option != MAY_FAIL;
    switch (option) {
    case THREADS:
        return option_small(text, 1, CLIENT_THREADS, &lin->bounds.threads)
                   ? 0
                   : misuse("%s is not a number of threads from 1 to 8", text);
    case CALLS:
        return option_small(text, 1, CLIENT_CALLS, &lin->bounds.calls)
                   ? 0
                   : misuse("%s is not a number of calls from 1 to 16", text);
    case TOTAL:
        c->total_given = true;
        return option_small(text, 1, CLIENT_CALLS, &lin->bounds.total)
                   ? 0
                   : misuse("%s is not a number of calls from 1 to 16", text);
    case CLIENT:
        lin->given = text;
        return 0;
    case BEFORE:
        lin->before = text;
        return 0;
    case AFTER:
        lin->after = text;
        return 0;
    case SAMPLE:
        return option_number(text, 1, UINT32_MAX, &lin->samples) ? 0 : misuse("%s is not a number of clients", text);
    case SEED:
        return option_number(text, 0, UINT64_MAX, &lin->seed) ? 0 : misuse("%s is not a seed", text);
    case MAY_FAIL:
        lin->may_fail = text;
        return 0;
    case JUDGE:
        lin->judge_given = true;
        return option_word(text, lin_judgements, &lin->check.job->client.judgement)
                   ? 0
                   : misuse("--judge takes linearizable, sequential or quiescent, not %s", text);
    default:
        return 2;
    }
}

// One execution stands for all that differ in the order of independent steps. Racing accesses that nobody looks for would
// depend on each other without being known to, and their results would be judged in orders that never give them.
static int take_races(const char *text, uint32_t *races)
{
    static const char *const modes[] = {"report", "explore", NULL};
    if (!strcmp(text, "off"))
        return misuse(
            "heddle lin cannot do without looking for races (--races %s): results would be judged in impossible orders",
            text);
    return option_word(text, modes, races) ? 0 : misuse("--races takes report or explore, not %s", text);
}

static int take_option(void *request, int option, const char *text)
{
    struct command *c = request;
    static const char *const strategies[] = {"optimal", "dpor", "dfs", NULL}; // enum strategy_kind
    struct check *check = &c->lin.check;
    struct job *job = check->job;
    uint32_t which;
    c->bounds_given |= option == SEARCH_MAX_EXECUTIONS;
    if (option >= OPTION_FIRST && option < SEARCH_LAST)
        return search_option("lin", check, option, text);
    switch (option) {
    case JOBS:
        return option_workers(text, &c->lin.workers) ? 0 : misuse("%s is not a number of workers from 0 to 64", text);
    case TIME:
        return option_seconds(text, &c->lin.seconds) && c->lin.seconds > 0 ? 0 : misuse("%s is not a time", text);
    case GROW:
        c->lin.grow_given = true;
        return option_seconds(text, &c->lin.grow_seconds) ? 0 : misuse("%s is not a time", text);
    case STRATEGY:
        if (!option_word(text, strategies, &which))
            return misuse("there is no strategy called %s for clients", text);
        job->task.strategy = (enum strategy_kind)which;
        c->strategy_given = true;
        return 0;
    case MATCH:
        job->client.match = MATCH_ALWAYS;
        return 0;
    case NO_MATCH:
        job->client.match = MATCH_NEVER;
        return 0;
    case RACES:
        return take_races(text, &job->task.rules.races);
    case EXPLAIN:
        if (!option_seconds(text, &check->explain_seconds))
            return misuse("%s is not a time", text);
        c->lin.shrink_seconds = check->explain_seconds;
        return 0;
    case REPAIR:
        return option_seconds(text, &c->lin.repair.seconds) ? 0 : misuse("%s is not a time", text);
    case SUGGEST_LOCK:
        c->lock_path = text;
        c->lin.repair.with_lock = true;
        return 0;
    case JSON:
        c->json_path = text;
        return 0;
    default:
        return take_client_option(c, option, text);
    }
}

static int settle(struct command *c)
{
    struct lin *lin = &c->lin;
    struct client_bounds *b = &lin->bounds;
    uint32_t all = b->threads * b->calls;
    if (!c->total_given && b->total > all)
        b->total = all;
    uint32_t *match = &lin->check.job->client.match;
    if (c->strategy_given && *match == MATCH_ALWAYS)
        return misuse("%s", "--match is a strategy of its own: --strategy cannot be combined with it");
    bool faults = fault_any(lin->check.job->task.rules.faults);
    if (faults && *match == MATCH_ALWAYS)
        return misuse("%s", "--match cannot be combined with --fault");
    if (c->strategy_given || faults)
        *match = MATCH_NEVER;
    if (lin->given && (lin->before || lin->after || lin->samples))
        return misuse("%s", "--client says everything: --before, --after and --sample cannot be combined with it");
    if (lin->repair.with_lock && lin->repair.seconds <= 0)
        return misuse("%s", "--suggest-lock needs time for a repair: --repair 0 cannot be combined with it");
    if (lin->given && lin->grow_given && lin->grow_seconds > 0)
        return misuse("%s", "--client is the only client: --grow cannot be combined with it");
    if (!lin->grow_given && !c->bounds_given)
        lin->grow_seconds = GROW_SECONDS;
    lin->sample_threads = b->threads;
    lin->sample_calls = b->calls + 1;
    lin->sample_executions = SAMPLE_EXECUTIONS;
    if (lin->samples && lin->sample_threads * lin->sample_calls > CLIENT_CALLS - 1)
        return misuse("%s", "--sample would take clients of more than 15 calls; lower --threads or --calls");
    return 0;
}

static int find_program(struct check *check, int files, char **file)
{
    if (!files)
        return misuse("%s", "name a C file or a program");
    for (int i = 0; i < files; i++)
        if (access(file[i], R_OK))
            return misuse("%s cannot be read: no such file, or no permission", file[i]);
    check->name = file[0];
    if (!is_source(file[0])) {
        bool plain = false;
        const char *trouble = subject_trouble(file[0], &plain);
        if (!trouble && plain)
            trouble = "was not built by heddle; build it with `heddle cc`";
        if (files > 1)
            return misuse("%s is one program too many", file[1]);
        if (trouble)
            return misuse_file_is("lin", file[0], trouble);
        check->subject.program = check->origin.program = file[0];
        return 0;
    }
    for (int i = 0; i < files; i++) {
        if (i + 1 == SCHEDULE_WORDS)
            return misuse("%s: too many sources", file[i]);
        check->origin.sources[i] = file[i];
    }
    // So that a block of lines belongs to one function; so that remains of earlier computations do not tell states apart.
    if (!option_flags("--few-inlined --clear-dead", &check->origin))
        return misuse("%s: too many flags", "--cflags");
    return source_build((const char *const *)check->origin.sources, (const char *const *)check->origin.flags,
                        "object declared with heddle_lin (see heddle-lin(1))", &check->subject.program);
}

static int write_json(const struct lin *lin, const char *path, int status)
{
    struct whole_file file;
    bool good = whole_file_or_output(&file, path) && !whole_file_close(&file, !lin_report_json(file.out, lin, status));
    return good ? status : misuse_of_file("lin", path, strerror(errno));
}

static int write_patch(const struct lin *lin, const char *path, int status)
{
    struct whole_file file;
    bool good = whole_file_open(&file, path) && !whole_file_close(&file, fputs(lin->repair.lock.patch, file.out) >= 0);
    return good ? status : misuse_of_file("lin", path, strerror(errno));
}

static bool wants_colour(void)
{
    const char *no = getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) && !(no && *no);
}

static int run(struct command *c, int files, char **file)
{
    int status = find_program(&c->lin.check, files, file);
    if (!status && c->lin.check.origin.sources[0])
        c->lin.repair.source = lock_source_open(&c->lin.check.origin);
    else if (!status && c->lock_path)
        status = misuse("%s", "--suggest-lock needs the sources: name them instead of the program");
    if (!status)
        status = lin_run(&c->lin);
    if (status != 2 && c->lin.repair.lock.patch)
        status = write_patch(&c->lin, c->lock_path, status);
    if (status != 2 && !(c->json_path && !strcmp(c->json_path, "-")))
        lin_report_text(stdout, &c->lin, status, wants_colour());
    if (status != 2 && c->json_path)
        status = write_json(&c->lin, c->json_path, status);
    lin_free(&c->lin);
    lock_source_close();
    source_clean();
    return status;
}

int cli_lin(int argc, char **argv)
{
    static const struct option_reader reader = {"lin", usage, known_options, take_option, "j:"};
    struct command c = {.lin = {.check = {.job = job_new(), .explain_seconds = 10},
                                .bounds = {.threads = 3, .calls = 2, .total = 4},
                                .shrink_seconds = 10,
                                .repair = {.seconds = 10},
                                .seed = 1,
                                .progress = isatty(STDERR_FILENO)}};
    c.lin.check.job->task.rules.races = RACES_EXPLORE;
    c.lin.check.job->client.mode = CLIENT_RUN;
    int status = options_read(&reader, &c, argc, argv);
    if (!status)
        status = settle(&c);
    if (!status)
        status = run(&c, argc - optind, argv + optind);
    job_free(c.lin.check.job);
    for (size_t i = 0; c.lin.check.origin.flags[i]; i++)
        free(c.lin.check.origin.flags[i]);
    return status < 0 ? 0 : status;
}
