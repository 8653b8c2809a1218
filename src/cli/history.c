// heddle history: reads a recorded history and judges it.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/scratch.h"
#include "base/time.h"
#include "build/cc_run.h"
#include "build/loadable.h"
#include "build/source.h"
#include "cli/commands.h"
#include "cli/history_transactions.h"
#include "cli/history_write.h"
#include "cli/misuse.h"
#include "cli/options.h"
#include "history/model_file.h"
#include "history/model_watch.h"
#include "report/history_report.h"
#include "transactions/level.h"
#include "transactions/sequential.h"

static const char usage[] =
    "usage: heddle history --model MODEL [options] FILE\n"
    "\n"
    "  FILE is a history as EDN or JSON ('-': standard input), as docs/history.md says.\n"
    "\n"
    "  --model MODEL         register, cas-register, set, queue, stack, map, counter, mutex, or FILE.c;\n"
    "                        transactions: list-append, rw-register\n"
    "  --judge WHAT          linearizable (default), sequential or quiescent; transactions: serializable (default),\n"
    "                        strict-serializable, session-serializable, snapshot-isolation,\n"
    "                        strong-snapshot-isolation, session-snapshot-isolation, read-committed\n"
    "  --may-fail CALLS      these calls (a,b,…) may fail for no reason\n"
    "  --stuck               what never returned must have had to wait\n"
    "  --initial VALUE       what a register or counter begins with (default nil, 0)\n"
    "  --keys WHICH          auto (default), yes or no: values are [key value], each key an object of its own\n"
    "  --format FORMAT       auto (default), edn or json\n"
    "  --witness             show an order if there is one\n"
    "  --explain SECONDS     time for finding what is wrong (default 10; 0: do not)\n"
    "  --memory SIZE         for the search (default 1G; suffixes K, M, G)\n"
    "  --time SECONDS        stop after this time (60, 60s, 5m; default 30 unless --memory or --max-states is given)\n"
    "  --max-states N        stop the search of a key after N combinations of what is left and state\n"
    "  --search              search also where there is a quicker way\n"
    "  --json FILE           write the report as JSON ('-': standard output, and no text)\n"
    "  --cflags FLAGS        flags for compiling a model\n";

enum { DEFAULT_SECONDS = 30, DEFAULT_MEMORY = 1 << 30, QUICK_SEARCH = 50000 /* places */ };

enum {
    MODEL = OPTION_FIRST,
    JUDGE,
    MAY_FAIL,
    STUCK,
    INITIAL,
    KEYS,
    FORMAT,
    WITNESS,
    EXPLAIN,
    MEMORY,
    TIME,
    MAX_STATES,
    SEARCH,
    JSON,
    CFLAGS
};

static const struct option known_options[] = {
    {"model", 1, NULL, MODEL},
    {"judge", 1, NULL, JUDGE},
    {"may-fail", 1, NULL, MAY_FAIL},
    {"stuck", 0, NULL, STUCK},
    {"initial", 1, NULL, INITIAL},
    {"keys", 1, NULL, KEYS},
    {"format", 1, NULL, FORMAT},
    {"witness", 0, NULL, WITNESS},
    {"explain", 1, NULL, EXPLAIN},
    {"memory", 1, NULL, MEMORY},
    {"time", 1, NULL, TIME},
    {"max-states", 1, NULL, MAX_STATES},
    {"search", 0, NULL, SEARCH},
    {"json", 1, NULL, JSON},
    {"cflags", 1, NULL, CFLAGS},
    {"help", 0, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

struct history_request {
    const char *model, *may_fail, *initial, *json, *cflags, *file;
    const char *judged, *not_for_transactions; // words of --judge; an option that has no meaning there
    struct judge_options judge;
    unsigned keys, format;
    bool witness;
    double explain, time;
    uint64_t memory; // 0: not said
};

static int misuse(const char *format, const char *what)
{
    return misuse_of("history", format, what);
}

static bool read_size(const char *text, uint64_t *bytes)
{
    double value;
    if (!option_scaled(text, "KMG", (const double[]){1024, 1048576, 1073741824}, &value) || value < 1 << 20)
        return false;
    *bytes = (uint64_t)value;
    return true;
}

// What only histories of calls have a use for.
static const struct {
    int option;
    const char *name;
} only_calls[] = {{MAY_FAIL, "--may-fail"}, {STUCK, "--stuck"},   {INITIAL, "--initial"}, {KEYS, "--keys"},
                  {MEMORY, "--memory"},     {SEARCH, "--search"}, {CFLAGS, "--cflags"}};

static int take_option(void *request, int option, const char *text)
{
    struct history_request *r = request;
    static const char *const keys[] = {"auto", "yes", "no", NULL}, *const formats[] = {"auto", "edn", "json", NULL};
    double number;
    for (size_t i = 0; i < sizeof only_calls / sizeof *only_calls; i++)
        if (only_calls[i].option == option)
            r->not_for_transactions = only_calls[i].name;
    switch (option) {
    case MODEL:
        r->model = text;
        return 0;
    case JUDGE:
        r->judged = text;
        return 0;
    case MAY_FAIL:
        r->may_fail = text;
        return 0;
    case STUCK:
        r->judge.stuck = true;
        return 0;
    case INITIAL:
        r->initial = text;
        return 0;
    case KEYS:
        return option_word(text, keys, &r->keys) ? 0 : misuse("--keys takes auto, yes or no, not %s", text);
    case FORMAT:
        return option_word(text, formats, &r->format) ? 0 : misuse("--format takes auto, edn or json, not %s", text);
    case WITNESS:
        r->witness = true;
        return 0;
    case EXPLAIN:
        return option_seconds(text, &r->explain) ? 0 : misuse("%s is not a time", text);
    case MEMORY:
        return read_size(text, &r->memory) ? 0 : misuse("%s is not a size of at least 1M", text);
    case TIME:
        return option_seconds(text, &r->time) && r->time > 0 ? 0 : misuse("%s is not a time", text);
    case MAX_STATES:
        if (!option_scaled(text, "", NULL, &number) || number < 1)
            return misuse("%s is not a number of states", text);
        r->judge.max_visited = (uint64_t)number;
        return 0;
    case SEARCH:
        r->judge.search_only = true;
        return 0;
    case JSON:
        r->json = text;
        return 0;
    case CFLAGS:
        r->cflags = text;
        return 0;
    default:
        return 2;
    }
}

// -1: help was given.
static int read_options(struct history_request *r, int argc, char **argv)
{
    static const struct option_reader reader = {"history", usage, known_options, take_option, NULL};
    int status = options_read(&reader, r, argc, argv);
    if (status)
        return status;
    if (!r->model)
        return misuse("%s", "say what the history is about: --model register, queue, …");
    if (optind == argc)
        return misuse("%s", "name a file");
    if (optind + 1 < argc)
        return misuse("%s is one file too many", argv[optind + 1]);
    r->file = argv[optind];
    // What is not decided by then seldom is later.
    if (!(r->time > 0) && !r->memory && !r->judge.max_visited)
        r->time = DEFAULT_SECONDS;
    r->memory = r->memory ? r->memory : DEFAULT_MEMORY;
    return 0;
}

static char *read_file(const char *path, size_t *length)
{
    FILE *file = strcmp(path, "-") ? fopen(path, "r") : stdin;
    struct buffer text = {0};
    bool good = file && buffer_add_file(&text, file);
    if (!good)
        fprintf(stderr, "heddle history: %s cannot be read: %s\n", path, strerror(errno));
    if (file && file != stdin)
        fclose(file);
    if (!good)
        buffer_free(&text);
    *length = text.length;
    return text.text;
}

static int set_initial(struct history_request *r, struct spec *spec, struct input *input)
{
    if (!r->initial)
        return 0;
    if (strcmp(spec->name, "register") && strcmp(spec->name, "counter"))
        return misuse("--initial is for registers and counters, not for the model %s", spec->name);
    spec->initial = value_of_word(&input->values, r->initial);
    return spec->integers && !value_is_integer(spec->initial) ? misuse("%s is not an integer", r->initial) : 0;
}

static int set_may_fail(struct history_request *r, const struct spec *spec)
{
    char name[64];
    for (const char *at = r->may_fail; at && *at;) {
        size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        int call = spec_call_find(spec, name);
        if (call < 0 || call >= 64)
            return misuse("--may-fail: the model has no call %s", name);
        if (spec->calls[call].failure == VALUE_TEXTS)
            return misuse("--may-fail: %s has no result that says it failed", name);
        r->judge.may_fail |= (uint64_t)1 << call;
        at += length + (at[length] == ',');
    }
    return 0;
}

// A process that does two things at a time has no order of its own.
static int refuse_overlaps(const struct history_request *r, const struct input *input)
{
    uint32_t line = input_overlap(input);
    if (line)
        fprintf(stderr,
                "heddle history: %s:%u: this process is at two operations at a time; give each client a number of its "
                "own\n",
                r->file, line);
    return line ? 2 : 0;
}

static void write_text(FILE *out, const void *report, bool colour)
{
    report_history_text(out, report, colour);
}

static int write_json(FILE *out, const void *report)
{
    return report_history_json(out, report);
}

static int judge(struct history_request *r, const struct spec *spec, const struct input *input)
{
    static const int statuses[] = {[VERDICT_NO] = 1, [VERDICT_YES] = 0, [VERDICT_UNKNOWN] = 3};
    struct linearizer z;
    struct judged judged;
    struct reason reason = {0};
    double start = time_now();
    scratch_watch();
    linearizer_init(&z, r->memory);
    r->judge.deadline = r->time > 0 ? start + r->time : 0;
    judge_begin(&judged, spec, input->ops, input->count, &r->judge);
    judge_all(&judged, &z, r->witness);
    struct history_report report = {r->file,
                                    input,
                                    &judged,
                                    r->explain > 0 ? judge_shortest_wrong(&judged) : NULL,
                                    &reason,
                                    r->witness,
                                    time_now() - start,
                                    z.space.most};
    if (report.wrong)
        reason_find(&reason, &z, &judged, report.wrong, &input->values, time_now() + r->explain);
    int status = history_write(&(struct history_writer){&report, write_text, write_json}, r->json);
    status = status ? status : statuses[judged.verdict];
    reason_free(&reason);
    judge_free(&judged);
    linearizer_free(&z);
    return status;
}

// Where a short search does not decide sequential consistency, transactions of one access each may. -1: they do not either.
static int judge_sequentially(const struct history_request *r, const struct spec *spec, struct input *input)
{
    struct judge_options quick = r->judge;
    struct linearizer z;
    struct judged judged;
    struct transactions all;
    int status = -1;
    quick.max_visited = quick.max_visited && quick.max_visited < QUICK_SEARCH ? quick.max_visited : QUICK_SEARCH;
    linearizer_init(&z, r->memory);
    judge_begin(&judged, spec, input->ops, input->count, &quick);
    judge_all(&judged, &z, false);
    bool known = judged.verdict != VERDICT_UNKNOWN;
    judge_free(&judged);
    linearizer_free(&z);
    if (!known && sequential_as_transactions(&all, spec, input)) {
        struct transactions_request request = {.level = sequential_level(),
                                               .file = r->file,
                                               .json = r->json,
                                               .witness = r->witness,
                                               .explain = r->explain > 0,
                                               .time = r->time / 2,
                                               .said_model = spec->name};
        status = transactions_decide(&request, &all, true);
    }
    if (!known)
        sequential_free(&all);
    return status;
}

static bool is_plainly_sequential(const struct history_request *r)
{
    return r->judge.judgement == JUDGE_SEQUENTIAL && !r->judge.stuck && !r->judge.may_fail && !r->judge.search_only;
}

static int run(struct history_request *r, struct spec *spec, struct model_file *model)
{
    struct input input = {0};
    size_t length;
    char *text = read_file(r->file, &length);
    if (!text)
        return 2;
    int status = set_may_fail(r, spec);
    if (!status && !input_read(&input, spec, text, length, (enum input_format)r->format, (enum input_keys)r->keys)) {
        fprintf(stderr, "heddle history: %s:%u: %s\n", r->file, input.line, input.error);
        status = 2;
    }
    if (!status && !input.count) {
        fprintf(stderr, "heddle history: %s: there is no operation in it\n", r->file);
        status = 2;
    }
    if (!status)
        status = set_initial(r, spec, &input);
    if (!status)
        status = refuse_overlaps(r, &input);
    model->processes = input.processes;
    if (!status && is_plainly_sequential(r) && !spec->own)
        status = judge_sequentially(r, spec, &input);
    else
        status = status ? status : -1;
    if (status < 0)
        status = judge(r, spec, &input);
    input_free(&input);
    free(text);
    return status;
}

static int set_judgement(struct history_request *r)
{
    static const char *const judges[] = {"linearizable", "sequential", "quiescent", NULL};
    unsigned word = 0;
    if (r->judged && !option_word(r->judged, judges, &word))
        return misuse(level_find(r->judged) ? "--judge %s is for transactions, --model list-append or rw-register"
                                            : "--judge takes linearizable, sequential or quiescent, not %s",
                      r->judged);
    r->judge.judgement = (enum judgement)word;
    return 0;
}

static int run_transactions(const struct history_request *r, enum transaction_model model)
{
    const struct level *level = r->judged ? level_find(r->judged) : level_default();
    struct transactions_request request = {.model = model,
                                           .level = level,
                                           .file = r->file,
                                           .json = r->json,
                                           .format = (enum input_format)r->format,
                                           .witness = r->witness,
                                           .explain = r->explain > 0,
                                           .time = r->time,
                                           .most_tried = r->judge.max_visited};
    size_t length;
    if (!level) {
        fprintf(stderr, "heddle history: for transactions --judge takes %s\n", transactions_levels());
        return 2;
    }
    if (r->not_for_transactions)
        return misuse("%s has no meaning for transactions", r->not_for_transactions);
    char *text = read_file(r->file, &length);
    int status = text ? transactions_judge(&request, text, length) : 2;
    free(text);
    return status;
}

// Nothing is left behind. 0, or the status to exit with after one sentence.
static int load_model(struct model_file *model, const char *path, const char *flags)
{
    struct loadable loadable = {0};
    int status = loadable_build(&loadable, path, NULL, flags);
    const char *wrong = status ? NULL : model_file_load(model, loadable.object);
    if (run_was_interrupted(status))
        fprintf(stderr, "heddle history: interrupted while the model %s was being compiled\n", path);
    else if (status > 0)
        fprintf(stderr, "heddle history: the model %s does not compile\n", path);
    if (wrong)
        fprintf(stderr, "heddle history: the model %s: %s\n", path, wrong);
    loadable_remove(&loadable);
    return run_was_interrupted(status) ? status : status || wrong ? 2 : 0;
}

int cli_history(int argc, char **argv)
{
    struct history_request r = {.explain = 10};
    struct model_file model = {0};
    struct spec spec;
    int status = read_options(&r, argc, argv);
    if (status)
        return status < 0 ? 0 : status;
    enum transaction_model transactions;
    if (transactions_model(r.model, &transactions))
        return run_transactions(&r, transactions);
    status = set_judgement(&r);
    if (status)
        return status;
    const struct spec *known = spec_find(r.model);
    if (known) {
        spec = *known;
    } else if (is_source(r.model)) {
        if (access(r.model, R_OK))
            return misuse("the model %s cannot be read", r.model);
        status = load_model(&model, r.model, r.cflags);
        model_watch(r.model, r.time > 0 ? r.time + r.explain : 0);
        spec = model.spec;
    } else {
        return misuse(
            "there is no model %s: register, cas-register, set, queue, stack, map, counter, mutex, list-append, "
            "rw-register, or FILE.c",
            r.model);
    }
    if (!status)
        status = run(&r, &spec, &model);
    model_file_free(&model);
    return status;
}
