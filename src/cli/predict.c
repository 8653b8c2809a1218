// heddle predict: what a recorded run almost did.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/whole_file.h"
#include "cli/commands.h"
#include "cli/misuse.h"
#include "cli/options.h"
#include "cli/predict_import.h"
#include "predict/confirm.h"
#include "predict/native_confirm.h"
#include "predict/predict_json.h"
#include "predict/predict_sarif.h"
#include "predict/predict_text.h"
#include "predict/prediction_choice.h"
#include "predict/promela.h"
#include "trace/recording_read.h"
#include "trace/recording_text.h"

static const char usage[] =
    "usage: heddle predict [options] TRACE…\n"
    "       heddle predict --import LOG [options]\n"
    "\n"
    "  TRACE is a recorded run. Predictions are made from the first; all count for correlations.\n"
    "  LOG has requests to a server: HAR, an access log, or CSV with a line of names.\n"
    "\n"
    "  --kinds KINDS         what to look for, of: atomicity,atomicity-of-two,race,deadlock,lost-wake-up,\n"
    "                        try-lock,use-after-free,use-before-initialisation (default: all)\n"
    "  --regions REGIONS     what is to be atomic, of: sections,declared,rounds,calls (default: all)\n"
    "  --support N           the fewest times that two variables have to come in pairs (default 2)\n"
    "  --merge-pairs         take two variables that belong together for one as well (accuses more)\n"
    "  --correlations        print which variables belong together, and nothing else\n"
    "  --no-confirm          do not run the program to see what comes of a prediction\n"
    "  --native              run it with its own threads, which are held back at the places of a prediction\n"
    "  --load COMMAND        the same, while the shell runs COMMAND, the load of a server; after it the program gets "
    "SIGTERM\n"
    "  --hold MS             how long a thread is held back at most (default 200)\n"
    "  --only N              try only the prediction with this number (reports say it), and show it\n"
    "  --time SECONDS        run it for at most about so long (60, 60s, 5m; default 60)\n"
    "  --all                 show all predictions, also those that were not confirmed, with the reason\n"
    "  --emit-promela STEM   write a model of each prediction for Spin, as STEM-1.pml and so on\n"
    "  --json FILE           write the report as JSON ('-': standard output, and no text)\n"
    "  --sarif FILE          write what is shown as SARIF 2.1.0, for code scanning\n"
    "\n"
    "  with --import:\n"
    "  --rules FILE          which requests read, write, take and release what\n"
    "  --confirm URL         send the requests in the predicted order to this server, which has to be on loopback\n"
    "  --petri STEM          draw each prediction as a Petri net, as STEM-1.dot and STEM-1.svg and so on\n";

enum {
    KINDS = OPTION_FIRST,
    REGIONS,
    SUPPORT,
    MERGE_PAIRS,
    CORRELATIONS,
    NO_CONFIRM,
    NATIVE,
    LOAD,
    HOLD,
    ONLY,
    TIME,
    ALL,
    EMIT_PROMELA,
    JSON,
    SARIF,
    IMPORT,
    RULES,
    CONFIRM,
    PETRI
};

enum { DEFAULT_SECONDS = 60, DEFAULT_HOLD_MS = 200, LONGEST_HOLD_MS = 10000 };

static const struct option known_options[] = {
    {"kinds", 1, NULL, KINDS},
    {"regions", 1, NULL, REGIONS},
    {"support", 1, NULL, SUPPORT},
    {"merge-pairs", 0, NULL, MERGE_PAIRS},
    {"correlations", 0, NULL, CORRELATIONS},
    {"no-confirm", 0, NULL, NO_CONFIRM},
    {"native", 0, NULL, NATIVE},
    {"load", 1, NULL, LOAD},
    {"hold", 1, NULL, HOLD},
    {"only", 1, NULL, ONLY},
    {"time", 1, NULL, TIME},
    {"all", 0, NULL, ALL},
    {"emit-promela", 1, NULL, EMIT_PROMELA},
    {"json", 1, NULL, JSON},
    {"sarif", 1, NULL, SARIF},
    {"import", 1, NULL, IMPORT},
    {"rules", 1, NULL, RULES},
    {"confirm", 1, NULL, CONFIRM},
    {"petri", 1, NULL, PETRI},
    {"help", 0, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

struct predict_request {
    struct predict_options options;
    bool correlations, no_confirm, native, all;
    const char *load;
    uint64_t hold_ms, only;
    double seconds;
    const char *json, *sarif, *promela;
    const char *command; // the words that ask for this, for trying one prediction again
    struct import_request import;
};

static int misuse(const char *format, const char *what)
{
    return misuse_of("predict", format, what);
}

static const char *kind_name(uint32_t kind)
{
    return kind < PREDICTION_KINDS ? prediction_table[kind].name : NULL;
}

static const char *bound_name(uint32_t kind)
{
    return kind < BOUND_KINDS ? bound_names[kind] : NULL;
}

// Words that commas part, as bits.
static bool read_set(const char *text, const char *(*name)(uint32_t), unsigned *bits)
{
    *bits = 0;
    while (*text) {
        size_t length = strcspn(text, ",");
        uint32_t i = 0;
        while (name(i) && (strlen(name(i)) != length || strncmp(text, name(i), length)))
            i++;
        if (!name(i))
            return false;
        *bits |= 1u << i;
        text += length + (text[length] == ',');
    }
    return *bits != 0;
}

static int take_option(void *request, int option, const char *text)
{
    struct predict_request *r = request;
    switch (option) {
    case KINDS:
        return read_set(text, kind_name, &r->options.kinds) ? 0 : misuse("--kinds takes names of kinds, not %s", text);
    case REGIONS:
        return read_set(text, bound_name, &r->options.bounds)
                   ? 0
                   : misuse("--regions takes names of regions, not %s", text);
    case SUPPORT:
        return option_number(text, 1, UINT32_MAX, &r->options.support)
                   ? 0
                   : misuse("--support takes a number from 1 on, not %s", text);
    case MERGE_PAIRS:
        r->options.merge_pairs = true;
        return 0;
    case CORRELATIONS:
        r->correlations = true;
        return 0;
    case NO_CONFIRM:
        r->no_confirm = true;
        return 0;
    case NATIVE:
        r->native = true;
        return 0;
    case LOAD:
        r->native = true;
        r->load = text;
        return 0;
    case HOLD:
        return option_number(text, 1, LONGEST_HOLD_MS, &r->hold_ms)
                   ? 0
                   : misuse("--hold takes milliseconds from 1 to 10000, not %s", text);
    case ONLY:
        return option_number(text, 1, UINT32_MAX, &r->only) ? 0
                                                            : misuse("--only takes a number from 1 on, not %s", text);
    case TIME:
        return option_seconds(text, &r->seconds) ? 0 : misuse("--time takes a time such as 60 or 5m, not %s", text);
    case EMIT_PROMELA:
        r->promela = text;
        return 0;
    case JSON:
        r->json = text;
        return 0;
    case SARIF:
        r->sarif = text;
        return 0;
    case IMPORT:
        r->import.log = text;
        return 0;
    case RULES:
        r->import.rules = text;
        return 0;
    case CONFIRM:
        r->import.server = text;
        return 0;
    case PETRI:
        r->import.petri = text;
        return 0;
    default:
        r->all = true;
        return 0;
    }
}

static struct recording *open_recording(const char *path)
{
    FILE *file = fopen(path, "r");
    char *wrong = NULL;
    if (!file) {
        misuse_of_file("predict", path, strerror(errno));
        return NULL;
    }
    char head[17] = "";
    bool text = !recording_is_one(path);
    if (text && fgets(head, sizeof head, file) && !strcmp(head, "heddle recording")) {
        misuse_of_file("predict", path, "it is cut off at its beginning, or of another version of heddle");
        fclose(file);
        return NULL;
    }
    rewind(file);
    struct recording *r = text ? recording_read_text(file, path, &wrong) : recording_read(path, false, &wrong);
    fclose(file);
    if (!r && text)
        misuse("%s", wrong);
    else if (!r)
        misuse_of_file("predict", path, wrong);
    if (r && !r->count) {
        misuse_of_file("predict", path, r->cut ? r->cut : "there is nothing in it");
        recording_free(r);
        r = NULL;
    }
    free(wrong);
    return r;
}

// How the predictions stand, once they have been tried.
struct tally {
    uint32_t harmful, races, confirmed, infeasible, unknown; // races: confirmed ones
};

static struct tally count_predictions(const struct predictions *p)
{
    struct tally t = {0};
    for (uint32_t i = 0; i < p->count; i++) {
        t.harmful += p->list[i].harmful;
        t.races += p->list[i].kind == PREDICT_RACE && p->list[i].confirmed == CONFIRMED;
        t.confirmed += p->list[i].confirmed == CONFIRMED;
        t.infeasible += p->list[i].confirmed == INFEASIBLE;
        t.unknown += p->list[i].confirmed == UNKNOWN;
    }
    return t;
}

static void print_numbers(const struct hunt *h, bool tried)
{
    struct tally t = count_predictions(&h->found);
    printf("%u prediction%s from %u records of %u threads", h->found.count, h->found.count == 1 ? "" : "s", h->r->count,
           h->r->thread_count);
    if (tried)
        printf(": %u confirmed (%u harmful), %u infeasible, %u unknown", t.confirmed, t.harmful, t.infeasible,
               t.unknown);
    puts("");
    if (h->found.undecided)
        printf("%llu more orders were asked for, and have no answer\n", (unsigned long long)h->found.undecided);
    if (h->found.left_out)
        printf("%llu candidates far apart in the recorded run were left out\n", (unsigned long long)h->found.left_out);
    if (h->r->without_hooks)
        puts("the program was not built by heddle cc: what it reads and writes itself is not in the recording");
    if (h->r->cut)
        printf("the recording does not go to the end of the run: %s\n", h->r->cut);
}

static void print_left(uint32_t count, const char *what)
{
    if (count)
        printf("  %u %s\n", count, what);
}

// What is not shown, and why.
static void print_choice(const struct prediction_choice *c, uint32_t count, bool tried)
{
    if (c->shown == count)
        return;
    printf("not shown (--all shows %s):\n", count - c->shown == 1 ? "it" : "them");
    print_left(c->alike, "like one that is shown");
    print_left(c->beyond - c->beyond_statistics - c->beyond_flags, tried ? "more that did no harm" : "more");
    print_left(c->beyond_statistics, "races on what looks like statistics: each write follows a read of the same line");
    print_left(c->beyond_flags, "races on what looks like flags: one place writes, others read");
    print_left(c->meant, "that did no harm, where a thread hands something over to the other one or waits");
    print_left(c->infeasible, "infeasible: the program went another way");
    print_left(c->untried, "not tried");
    if (c->unconfirmed)
        printf("  %u unknown%s%s\n", c->unconfirmed, c->why ? "; of one, it is not known since " : "",
               c->why ? c->why : "");
}

static void print_predictions(const struct hunt *h, const struct prediction_choice *choice, const struct style *style,
                              bool tried, bool all)
{
    uint32_t shown = 0;
    for (uint32_t i = 0; i < h->found.count; i++)
        if (h->found.list[i].shown)
            predict_text(stdout, h, &h->found.list[i], ++shown, all, style);
    print_numbers(h, tried);
    print_choice(choice, h->found.count, tried);
}

// 1: something goes wrong, or races; 3: it is not known whether something does.
static int status_of(const struct hunt *h, bool tried)
{
    struct tally t = count_predictions(&h->found);
    bool unknown = h->r->without_hooks;
    if (!tried)
        return h->found.count ? 1 : unknown ? 3 : 0;
    return t.harmful || t.races ? 1 : t.unknown || unknown ? 3 : 0;
}

// False after a sentence: it could not be written.
static bool write_json(const char *path, const struct hunt *h, const struct correlations *c)
{
    if (!path)
        return true;
    struct whole_file file;
    if (whole_file_or_output(&file, path) && !whole_file_close(&file, !predict_json(file.out, h, c)))
        return true;
    misuse_of_file("predict", path, strerror(errno));
    return false;
}

static bool write_sarif(const char *path, const struct hunt *h, bool tried)
{
    struct whole_file file;
    if (!path || (whole_file_open(&file, path) && !whole_file_close(&file, !predict_sarif(file.out, h, tried))))
        return true;
    misuse_of_file("predict", path, strerror(errno));
    return false;
}

// "run" for "traces/run.trace".
static char *stem_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    return alloc_copy_part(base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
}

static void try_natively(const struct predict_request *request, struct confirmer *c)
{
    struct native_request native = {
        .load = request->load, .hold_ms = (uint32_t)request->hold_ms, .only = (uint32_t)request->only};
    native_confirm(c, &native);
}

// What has no schedule can be tried once more by its number.
static void say_again(const struct predict_request *request, struct prediction *p)
{
    if (p->confirmed != UNCONFIRMED && !p->schedule)
        p->again = alloc_format("%s --only %u", request->command, p->number + 1);
}

// One with the same places as another need not be tried if that has done harm.
static bool is_worth_a_try(const struct hunt *h, const struct prediction *p)
{
    return !p->later_than || !h->found.list[p->later_than - 1].harmful;
}

static void try_predictions(const struct predict_request *request, struct hunt *h)
{
    struct confirmer c;
    if (!h->found.count)
        return;
    char *stem = stem_of(h->r->path);
    confirm_begin(&c, h, stem, request->seconds);
    if (request->native)
        try_natively(request, &c);
    for (uint32_t i = 0; i < h->found.count && !request->native; i++)
        if ((!request->only || request->only == i + 1) && is_worth_a_try(h, &h->found.list[i]))
            confirm_prediction(&c, &h->found.list[i]);
    for (uint32_t i = 0; i < h->found.count && !c.trouble; i++)
        say_again(request, &h->found.list[i]);
    confirm_end(&c);
    free(stem);
}

// False after a sentence: a model could not be written. Deadlocks of more than two threads have none, nor what leaves
// out some of the order.
static bool write_models(const char *stem, const struct hunt *h)
{
    bool good = true;
    for (uint32_t i = 0; stem && good && i < h->found.count; i++) {
        struct question q;
        const struct prediction *p = &h->found.list[i];
        if (p->loosened || p->forgets || !hunt_question(h, &h->found.list[i], &q))
            continue;
        char *path = alloc_format("%s-%u.pml", stem, i + 1);
        struct whole_file file;
        good = whole_file_open(&file, path);
        if (good)
            promela_write(file.out, &h->m, &q);
        good = good && !whole_file_close(&file, !ferror(file.out));
        if (!good)
            misuse_of_file("predict", path, strerror(errno));
        free(path);
    }
    return good;
}

// What was found and tried, in every form that was asked for. Returns the status.
static int tell_predictions(const struct predict_request *request, struct hunt *h, const struct correlations *c,
                            const struct recording *first, bool tried)
{
    struct style style;
    style_init(&style, stdout, isatty(STDOUT_FILENO) && !getenv("NO_COLOR"));
    predictions_drop_weak(&h->found);
    struct prediction_choice choice = predictions_choose(h, tried, request->all, (uint32_t)request->only);
    bool good =
        write_models(request->promela, h) && write_json(request->json, h, c) && write_sarif(request->sarif, h, tried);
    if (request->json && !strcmp(request->json, "-"))
        ;
    else if (request->correlations)
        correlations_text(stdout, c, first);
    else
        print_predictions(h, &choice, &style, tried, request->all);
    return fflush(stdout) || !good ? 2 : request->correlations ? 0 : status_of(h, tried);
}

static int predict(const struct predict_request *request, const struct recording *const *recordings, uint32_t count)
{
    struct hunt hunt;
    struct correlations correlations;
    struct predict_options options = request->options;
    if (request->correlations)
        options.kinds = options.merge_pairs = 0;
    bool tried = !request->no_confirm && !request->correlations;
    options.unlikely = options.again = tried && !request->native;
    predict_run(recordings, count, &options, &hunt, &correlations);
    char numbers[64];
    snprintf(numbers, sizeof numbers, "%u", hunt.found.count);
    int status = 0;
    if (request->only > hunt.found.count)
        status = misuse("--only: there is no prediction with this number, there are %s", numbers);
    else if (tried)
        try_predictions(request, &hunt);
    if (!status)
        status = tell_predictions(request, &hunt, &correlations, recordings[0], tried);
    correlate_free(&correlations);
    hunt_end(&hunt);
    return status;
}

// A word as a shell takes it.
static void add_word(struct buffer *text, const char *word)
{
    buffer_add(text, " ");
    if (*word && !word[strcspn(word, " \t\n\"'`$&|;<>()*?[]#~\\!{}")]) {
        buffer_add(text, "%s", word);
        return;
    }
    buffer_add(text, "'");
    for (; *word; word++)
        buffer_add(text, *word == '\'' ? "'\\''" : "%c", *word);
    buffer_add(text, "'");
}

// How this was asked for, without what names one prediction or files to write. Before options are read, which changes the order.
static char *words_of(int argc, char **argv)
{
    struct buffer text = {0};
    static const char *const left_out[] = {"--only", "--json", "--sarif", "--emit-promela"};
    buffer_add(&text, "heddle predict");
    for (int i = 1; i < argc; i++) {
        bool dropped = false, joined = false;
        for (size_t k = 0; k < sizeof left_out / sizeof *left_out; k++) {
            size_t length = strlen(left_out[k]);
            bool same = !strncmp(argv[i], left_out[k], length);
            dropped |= same && (!argv[i][length] || argv[i][length] == '=');
            joined |= same && argv[i][length] == '=';
        }
        if (!dropped)
            add_word(&text, argv[i]);
        else
            i += !joined;
    }
    return text.text;
}

static int predict_files(const struct predict_request *request, int argc, char **argv)
{
    int status = 0;
    uint32_t count = (uint32_t)(argc - optind);
    if (!count)
        return misuse("say which recorded run%s", "");
    // NOLINTNEXTLINE(bugprone-sizeof-expression): it is pointers that are kept
    struct recording **recordings = alloc_zeroed(count, sizeof *recordings);
    for (uint32_t i = 0; i < count && !status; i++)
        if (!(recordings[i] = open_recording(argv[optind + (int)i])))
            status = 2;
    if (!status)
        status = predict(request, (const struct recording *const *)recordings, count);
    for (uint32_t i = 0; i < count; i++)
        recording_free(recordings[i]);
    free(recordings);
    return status;
}

static int predict_asked(struct predict_request *request, int argc, char **argv)
{
    if (request->import.log && request->sarif)
        return misuse("--sarif is about sources, and --import has none%s", "");
    if (request->native && (request->import.log || request->no_confirm))
        return misuse("--native and --load try predictions of a recorded run, which %s does not",
                      request->import.log ? "--import" : "--no-confirm");
    if (request->only && (request->import.log || request->no_confirm))
        return misuse("--only tries a prediction of a recorded run, which %s does not",
                      request->import.log ? "--import" : "--no-confirm");
    if (request->import.log) {
        request->import.json = request->json;
        request->import.support = request->options.support;
        return optind == argc ? predict_import(&request->import)
                              : misuse("--import has the log with it; what is %s?", argv[optind]);
    }
    if (request->import.rules || request->import.server || request->import.petri)
        return misuse("--rules, --confirm and --petri belong to --import%s", "");
    return predict_files(request, argc, argv);
}

int cli_predict(int argc, char **argv)
{
    struct predict_request request = {
        .options = {.kinds = (1u << PREDICTION_KINDS) - 1, .bounds = BOUND_ALL, .support = 2},
        .seconds = DEFAULT_SECONDS,
        .hold_ms = DEFAULT_HOLD_MS};
    char *words = words_of(argc, argv);
    request.command = words;
    const struct option_reader reader = {
        .command = "predict", .usage = usage, .table = known_options, .take = take_option};
    int status = options_read(&reader, &request, argc, argv);
    if (status)
        status = status < 0 ? 0 : status;
    else
        status = predict_asked(&request, argc, argv);
    free(words);
    return status;
}
