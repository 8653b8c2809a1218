// heddle cluster: explores a distributed protocol.
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/scratch.h"
#include "base/whole_file.h"
#include "build/cc_run.h"
#include "build/cluster_source.h"
#include "cli/commands.h"
#include "cli/misuse.h"
#include "cli/options.h"
#include "cluster/cluster_open.h"
#include "cluster/cluster_report.h"
#include "cluster/cluster_run.h"
#include "cluster/file.h"
#include "cluster/line.h"
#include "target/nodes/draws.h"
#include "target/nodes/memory.h"

static const char usage[] =
    "usage: heddle cluster [options] FILE.c [FILE.c…] [-lLIBRARY…]\n"
    "\n"
    "  FILE.c defines heddle_protocol, as <heddle/node.h> says.\n"
    "\n"
    "  --nodes N             how many nodes (default 3, at most 9)\n"
    "  --crashes N           nodes may crash, N times in all (default 0)\n"
    "  --reboots N           and come back, N times in all\n"
    "  --drops N             messages may be lost\n"
    "  --duplicates N        messages may come twice\n"
    "  --timeouts N          timers may run out before everything else is over\n"
    "  --partitions N        nodes may be cut off, N times in all: they reach only each other\n"
    "  --disk-faults N       a crash may tear the last write that was not synced\n"
    "  --draws N             each `rand` of a node gives one of N numbers, and all are tried (at most 16; default 1: "
    "the\n"
    "                        one of --seed)\n"
    "  --order ORDER         of messages between two nodes: fifo, any, or connection (in order, until one of them\n"
    "                        crashes); default: what the protocol says, or fifo\n"
    "  --policy POLICY       auto (default), none, or some of lmi,cmi,crs,rss by the protocol's rules; samc: all "
    "four;\n"
    "                        states: each global state once, alone or with rules (states,lmi); auto,crs,rss: both\n"
    "  --mark POLICY         search by --policy none, and say how many executions POLICY would have left out\n"
    "  --next WHERE          go on at the last place where something is left to try (last), at a random one (random), "
    "or at\n"
    "                        each in turn, with samples for deep bugs in between (turns, the default); at the first\n"
    "                        (first): breadth-first, for a shortest story\n"
    "  --states HOW          how states are kept, some of: exact (not by hashes), branching (only those with several\n"
    "                        ways to go on), alike (nodes that may change places are not told apart), whole (with\n"
    "                        variables that nothing reads)\n"
    "  --strategy NAME       instead of a policy: dfs, dpor, optimal, random or random-dpor\n"
    "  --audit               run what the rules call independent or a repetition, and report a rule that is wrong\n"
    "  --propose             say which variables nothing seems to depend on, so that they could be called auxiliary\n"
    "  --patience N          events in which `quiet` has to come true (default 200)\n"
    "  --max-executions N    stop after N executions (random: how many; default 10000)\n"
    "  --max-events N        longest execution (default 1000)\n"
    "  --keep-going          after a bug, look for others\n"
    "  --heap SIZE           memory of each node for malloc (default 64M, at most 1G)\n"
    "  --memory SIZE         what heddle may take (200M, 4G; default: most of what the machine has to spare): then\n"
    "                        states go to the disk, and where that is not enough the search stops\n"
    "  -j N, --jobs N        N workers: one searches, the others draw samples; others than --next turns are shared;\n"
    "                        0: all processors (default 1)\n"
    "  --time SECONDS        stop after this time (60, 60s, 5m)\n"
    "  --seed N              for random, random-dpor, --next random and turns\n"
    "  --json FILE           write the report as JSON ('-': standard output, and no text)\n"
    "  --svg FILE            draw the failing execution\n"
    "  --cflags FLAGS        flags for compiling\n";

enum {
    JOBS = 'j',
    NODES = OPTION_FIRST,
    DRAWS,
    ORDER,
    POLICY,
    MARK,
    NEXT,
    STATES,
    STRATEGY,
    AUDIT,
    PROPOSE,
    PATIENCE,
    MAX_EXECUTIONS,
    MAX_EVENTS,
    KEEP_GOING,
    HEAP,
    MEMORY,
    TIME,
    SEED,
    JSON,
    SVG,
    CFLAGS,
    FAULT
};

static const struct option known_options[] = {
    {"nodes", 1, NULL, NODES},
    {"crashes", 1, NULL, FAULT + FAULT_CRASH},
    {"reboots", 1, NULL, FAULT + FAULT_REBOOT},
    {"drops", 1, NULL, FAULT + FAULT_DROP},
    {"duplicates", 1, NULL, FAULT + FAULT_DUPLICATE},
    {"timeouts", 1, NULL, FAULT + FAULT_TIMEOUT},
    {"partitions", 1, NULL, FAULT + FAULT_PARTITION},
    {"disk-faults", 1, NULL, FAULT + FAULT_DISK},
    {"draws", 1, NULL, DRAWS},
    {"order", 1, NULL, ORDER},
    {"policy", 1, NULL, POLICY},
    {"mark", 1, NULL, MARK},
    {"next", 1, NULL, NEXT},
    {"states", 1, NULL, STATES},
    {"strategy", 1, NULL, STRATEGY},
    {"audit", 0, NULL, AUDIT},
    {"propose", 0, NULL, PROPOSE},
    {"patience", 1, NULL, PATIENCE},
    {"max-executions", 1, NULL, MAX_EXECUTIONS},
    {"max-events", 1, NULL, MAX_EVENTS},
    {"keep-going", 0, NULL, KEEP_GOING},
    {"heap", 1, NULL, HEAP},
    {"memory", 1, NULL, MEMORY},
    {"time", 1, NULL, TIME},
    {"seed", 1, NULL, SEED},
    {"json", 1, NULL, JSON},
    {"jobs", 1, NULL, JOBS},
    {"svg", 1, NULL, SVG},
    {"cflags", 1, NULL, CFLAGS},
    {"help", 0, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

struct cluster_request {
    struct cluster_options options;
    const char *json, *svg, *cflags, *file;
    char *own_flags; // what `cflags` is, if it is not the user's
    bool has_policy, has_next, has_strategy, has_keeping;
    bool random_dpor;
};

static int misuse(const char *format, const char *what)
{
    return misuse_of("cluster", format, what);
}

// Whole policies, and those that can be listed.
static const struct {
    const char *name;
    struct policy policy;
} policies[] = {
    {"none", {.automatic = false}},
    {"auto", {.automatic = true}},
    {"samc", {.lmi = true, .cmi = true, .crs = true, .rss = true}},
};

static const struct {
    const char *name;
    size_t member;
} rules[] = {
    {"lmi", offsetof(struct policy, lmi)},        {"cmi", offsetof(struct policy, cmi)},
    {"crs", offsetof(struct policy, crs)},        {"rss", offsetof(struct policy, rss)},
    {"auto", offsetof(struct policy, automatic)}, {"states", offsetof(struct policy, states)},
};

static const struct {
    const char *name;
    size_t member;
} keepings[] = {
    {"exact", offsetof(struct state_keeping, exact)},
    {"branching", offsetof(struct state_keeping, branching)},
    {"alike", offsetof(struct state_keeping, alike)},
    {"whole", offsetof(struct state_keeping, whole)},
};

// The rule that the first `length` characters name; null if there is none.
static bool *rule_named(const char *text, size_t length, struct policy *p)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strlen(rules[i].name) == length && !strncmp(text, rules[i].name, length))
            return (bool *)((char *)p + rules[i].member);
    return NULL;
}

// none, auto, samc, or a list.
static bool read_policy(const char *text, struct policy *p)
{
    bool audit = p->audit;
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        if (strcmp(text, policies[i].name))
            continue;
        *p = policies[i].policy;
        p->audit = audit;
        return true;
    }
    *p = (struct policy){.audit = audit};
    while (*text) {
        size_t length = strcspn(text, ",");
        bool *rule = rule_named(text, length, p);
        if (!rule)
            return false;
        *rule = true;
        text += length;
        text += *text == ',';
    }
    return policy_has_rules(p) || policy_has_states(p);
}

// How states are kept: several words.
static bool read_keeping(const char *text, struct state_keeping *k)
{
    *k = (struct state_keeping){.exact = false};
    while (*text) {
        size_t length = strcspn(text, ",");
        bool *word = NULL;
        for (size_t i = 0; i < sizeof keepings / sizeof *keepings && !word; i++)
            if (strlen(keepings[i].name) == length && !strncmp(text, keepings[i].name, length))
                word = (bool *)((char *)k + keepings[i].member);
        if (!word)
            return false;
        *word = true;
        text += length;
        text += *text == ',';
    }
    return true;
}

// A strategy of explore/, or random-dpor, which is a search by policy that goes on at random places.
static bool read_strategy(const char *text, struct cluster_request *r)
{
    enum strategy_kind kind = strategy_by_name(text, STRATEGY_FOR_CLUSTERS);
    r->has_strategy = true;
    r->random_dpor = !strcmp(text, "random-dpor");
    r->options.strategy = kind < STRATEGIES ? &strategy_table[kind] : NULL;
    return r->options.strategy || r->random_dpor;
}

// A number of bytes: 200M, 4G.
static bool read_size(const char *text, size_t least, size_t most, size_t *size)
{
    double value;
    if (!option_scaled(text, "kKmMgG", (const double[]){1 << 10, 1 << 10, 1 << 20, 1 << 20, 1 << 30, 1 << 30},
                       &value) ||
        value < (double)least || value > (double)most)
        return false;
    *size = (size_t)value;
    return true;
}

// Bounds, and where reports go.
static int take_bound(struct cluster_request *r, int option, const char *text)
{
    struct cluster_options *o = &r->options;
    switch (option) {
    case PATIENCE:
        return option_small(text, 1, 1000000, &o->patience) ? 0 : misuse("%s is not a number of events", text);
    case MAX_EXECUTIONS:
        return option_number(text, 1, UINT64_MAX, &o->max_executions)
                   ? 0
                   : misuse("%s is not a number of executions", text);
    case MAX_EVENTS:
        return option_small(text, 1, 100000, &o->world.max_events)
                   ? 0
                   : misuse("%s is not a number of events from 1 to 100000", text);
    case KEEP_GOING:
        o->keep_going = true;
        return 0;
    case HEAP:
        return read_size(text, 1 << 20, HEAP_MOST, &o->world.heap)
                   ? 0
                   : misuse("--heap takes a size from 1M to 1G, not %s", text);
    case MEMORY:
        return read_size(text, 1 << 20, SIZE_MAX, &o->memory) ? 0
                                                              : misuse("--memory takes a size from 1M, not %s", text);
    case TIME:
        return option_seconds(text, &o->seconds) && o->seconds > 0 ? 0 : misuse("%s is not a time", text);
    case JOBS:
        return option_workers(text, &o->workers) ? 0 : misuse("%s is not a number of workers from 0 to 64", text);
    case SEED:
        return option_number(text, 0, UINT64_MAX, &o->seed) ? 0 : misuse("%s is not a seed", text);
    case JSON:
        r->json = text;
        return 0;
    case SVG:
        r->svg = text;
        return 0;
    case CFLAGS:
        r->cflags = text;
        return 0;
    default:
        return option_small(text, 0, 1000, &o->world.budget[option - FAULT])
                   ? 0
                   : misuse("%s is not a number of faults", text);
    }
}

static int take_option(void *request, int option, const char *text)
{
    static const char *const places[] = {"last", "random", "turns", "first", NULL}; // enum policy_next
    struct cluster_request *r = request;
    struct cluster_options *o = &r->options;
    uint32_t number = 0;
    switch (option) {
    case NODES:
        if (!option_small(text, 1, MAX_NODES, &number))
            return misuse("--nodes takes a number from 1 to 9, not %s", text);
        o->world.nodes = (int)number;
        return 0;
    case DRAWS:
        return option_small(text, 1, MOST_RAND, &o->world.draws)
                   ? 0
                   : misuse("--draws takes a number from 1 to 16, not %s", text);
    case ORDER:
        return order_by_name(text, &o->world.order) ? 0 : misuse("--order takes fifo, any or connection, not %s", text);
    case POLICY:
        r->has_policy = true;
        return read_policy(text, &o->policy)
                   ? 0
                   : misuse("--policy takes auto, none, samc, or some of states,lmi,cmi,crs,rss, not %s", text);
    case MARK:
        o->has_mark = true;
        return read_policy(text, &o->mark) ? 0
                                           : misuse("--mark takes auto, none, samc, or lmi,cmi,crs,rss, not %s", text);
    case NEXT:
        r->has_next = true;
        if (!option_word(text, places, &number))
            return misuse("--next takes last, random, turns or first, not %s", text);
        o->next = (enum policy_next)number;
        return 0;
    case STATES:
        r->has_keeping = true;
        return read_keeping(text, &o->keeping)
                   ? 0
                   : misuse("--states takes some of exact, branching, alike and whole, with commas, not %s", text);
    case STRATEGY:
        return read_strategy(text, r)
                   ? 0
                   : misuse("--strategy takes dfs, dpor, optimal, random or random-dpor, not %s", text);
    case AUDIT:
        o->policy.audit = true;
        return 0;
    case PROPOSE:
        o->proposes = true;
        return 0;
    default:
        return take_bound(r, option, text);
    }
}

// Other sources and libraries are flags, as far as the compiler and the file that replays a bug are concerned.
static int add_to_flags(struct cluster_request *r, char **words)
{
    for (; *words; words++) {
        if (strpbrk(*words, " \t"))
            return misuse("%s: heddle cluster takes no names with blanks beside the first", *words);
        if ((*words)[0] != '-' && access(*words, R_OK))
            return misuse_file_is("cluster", *words, "cannot be read");
        char *flags = alloc_format("%s%s%s", r->cflags ? r->cflags : "", r->cflags ? " " : "", *words);
        free(r->own_flags);
        r->cflags = r->own_flags = flags;
    }
    return 0;
}

// Brings -lLIBRARY and -LDIRECTORY, which are no options of heddle, behind everything else. Says how many there are.
static int move_libraries(int argc, char **argv)
{
    int moved = 0;
    for (int i = 1; i < argc - moved;) {
        char *word = argv[i];
        if (word[0] != '-' || (word[1] != 'l' && word[1] != 'L')) {
            i++;
            continue;
        }
        memmove(argv + i, argv + i + 1, (size_t)(argc - i - 1) * sizeof *argv);
        argv[argc - 1] = word;
        moved++;
    }
    return moved;
}

// -1: help was given.
static int read_options(struct cluster_request *r, int argc, char **argv)
{
    static const struct option_reader reader = {"cluster", usage, known_options, take_option, "j:"};
    int libraries = move_libraries(argc, argv);
    int status = options_read(&reader, r, argc - libraries, argv);
    if (status)
        return status;
    if (optind == argc - libraries)
        return misuse("%s", "name a protocol: a C file");
    r->file = argv[optind];
    return add_to_flags(r, argv + optind + 1);
}

// What makes no sense together.
static int look_over(const struct cluster_request *r)
{
    const struct cluster_options *o = &r->options;
    if (o->world.budget[FAULT_REBOOT] && !o->world.budget[FAULT_CRASH])
        return misuse("%s", "--reboots needs --crashes: only what crashed can come back");
    if (o->world.budget[FAULT_DISK] && !o->world.budget[FAULT_CRASH])
        return misuse("%s", "--disk-faults needs --crashes: a crash tears what was not synced");
    if (o->has_mark && (r->has_strategy || (r->has_policy && (o->policy.automatic || policy_has_rules(&o->policy)))))
        return misuse("%s", "--mark looks on at --policy none; leave out the other --policy or --strategy");
    if (r->has_next && r->has_strategy)
        return misuse("%s", "--next is for searches by --policy; leave out one of --next and --strategy");
    if (r->has_strategy && policy_has_rules(&o->policy))
        return misuse("%s", "--strategy searches without rules; leave out one of --strategy and --policy");
    if (o->proposes && (r->has_strategy || o->has_mark || !policy_has_states(&o->policy)))
        return misuse("%s", "--propose is for searches that keep states: by --policy auto or states");
    if (o->policy.automatic && (o->policy.lmi || o->policy.cmi))
        return misuse("%s", "auto finds by itself what lmi and cmi say; with states it is states,lmi,cmi");
    if (r->has_keeping && (r->has_strategy || o->has_mark || !policy_has_states(&o->policy)))
        return misuse("%s", "--states is for searches that keep states: by --policy auto or states");
    if (o->policy.audit &&
        ((!policy_has_rules(&o->policy) && !policy_has_states(&o->policy)) || r->has_strategy || o->has_mark))
        return misuse("%s", "--audit looks into rules; say which by --policy");
    return 0;
}

// What stands for a search by policy.
static void settle_on_search(struct cluster_request *r)
{
    struct cluster_options *o = &r->options;
    if (o->has_mark && !r->has_next) // what is counted are the executions of depth-first search
        o->next = NEXT_LAST;
    if (r->random_dpor || o->has_mark)
        o->policy = (struct policy){.automatic = false};
    if (r->random_dpor)
        o->next = NEXT_RANDOM;
    if (o->strategy && o->strategy->samples)
        o->runs = o->max_executions == UINT64_MAX ? 10000 : o->max_executions;
}

static int write_to(const char *path, struct cluster_report *report, int (*write)(struct cluster_report *, FILE *))
{
    struct whole_file file; // standard output is flushed at the end: a reader may have enough of its first lines
    bool good = whole_file_or_output(&file, path) && !whole_file_close(&file, !write(report, file.out));
    return good ? 0 : misuse_of_file("cluster", path, strerror(errno));
}

// One bug, or what there is to say if there is none. A file that cannot be written costs the file: what was found stays found.
static int tell_one(const struct cluster_request *r, struct cluster_result *result, uint32_t number)
{
    struct cluster_report report = {
        .options = &r->options, .result = result, .program = r->file, .is_other = number > 0};
    bool silent = r->json && !strcmp(r->json, "-");
    char *name = result->end == CLUSTER_BUG ? cluster_file_name(r->file, result->failure, number) : NULL;
    if (name && cluster_file_keep(name, r->file, r->cflags, &r->options, result))
        misuse_of_file("cluster", name, strerror(errno));
    else
        report.schedule = name;
    cluster_report_open(&report);
    int status = silent ? 0 : write_to("-", &report, cluster_report_text);
    if (!number && r->json && write_to(r->json, &report, cluster_report_json) && silent)
        status = 2;
    if (!number && r->svg && result->end == CLUSTER_BUG)
        write_to(r->svg, &report, cluster_report_svg);
    cluster_report_close(&report);
    free(name);
    return status ? status : cluster_report_status(&report);
}

static int tell(const struct cluster_request *r, struct cluster_result *result)
{
    struct cluster_report report = {.options = &r->options, .result = result, .program = r->file};
    int status = tell_one(r, result, 0);
    for (uint32_t i = 0; i < result->other_count && result->end == CLUSTER_BUG && status != 2; i++)
        if (tell_one(r, &result->others[i], i + 1) == 2)
            status = 2;
    if (status != 2 && !(r->json && !strcmp(r->json, "-")) && write_to("-", &report, cluster_report_counts))
        status = 2;
    if (status != 2 && fflush(stdout))
        status = misuse_of_file("cluster", "standard output", strerror(errno));
    return status;
}

// What nodes print would stand in the report.
static int silence(void)
{
    int kept = dup(STDOUT_FILENO), nothing = open("/dev/null", O_WRONLY);
    fflush(stdout);
    if (nothing >= 0) {
        dup2(nothing, STDOUT_FILENO);
        close(nothing);
    }
    return kept;
}

static void unsilence(int kept)
{
    fflush(stdout);
    if (kept >= 0) {
        dup2(kept, STDOUT_FILENO);
        close(kept);
    }
}

// Opens the world with the protocol. Nothing is left behind. 0, or the status to exit with after one sentence.
static int open_protocol(const char *command, const char *path, const char *flags,
                         const struct cluster_options *options)
{
    struct loadable protocol = {0};
    if (access(path, R_OK))
        return misuse_file_is(command, path, "cannot be read");
    int status = cluster_source_build(&protocol, path, flags);
    const char *wrong = status ? NULL : cluster_open(protocol.object, options);
    loadable_remove(&protocol);
    if (run_was_interrupted(status))
        return misuse_file_is(command, path, "was being compiled when heddle was interrupted"), status;
    if (status > 0)
        return misuse_file_is(command, path, "does not compile");
    return wrong ? misuse_of_file(command, path, wrong) : status ? 2 : 0;
}

int cli_cluster(int argc, char **argv)
{
    struct cluster_request r = {.options = {.world = {.nodes = 3, .max_events = 1000, .order = ORDER_OF_PROTOCOL},
                                            .policy = {.automatic = true},
                                            .next = NEXT_TURNS,
                                            .max_executions = UINT64_MAX,
                                            .runs = UINT64_MAX,
                                            .seed = 1,
                                            .patience = 200}};
    int status = read_options(&r, argc, argv);
    if (status)
        return status < 0 ? 0 : status;
    if ((status = look_over(&r)))
        return status;
    settle_on_search(&r);
    r.options.world.seed = r.options.seed;
    if ((status = open_protocol("cluster", r.file, r.cflags, &r.options)))
        return status;
    struct cluster_result result;
    r.options.shows = isatty(STDERR_FILENO);
    if (!r.options.memory)
        r.options.memory = line_spare_memory();
    int kept = silence();
    scratch_watch();
    cluster_run(&r.options, &result);
    unsilence(kept);
    status = tell(&r, &result);
    cluster_result_free(&result);
    cluster_close();
    free(r.own_flags);
    return status;
}

static int replay(const char *path, const struct cluster_file *file)
{
    struct cluster_options options = {.world = file->world, .patience = file->patience};
    struct cluster_result result;
    struct cluster_report report = {.options = &options, .result = &result, .program = file->source, .schedule = path};
    options.world.max_events = file->step_count + 1;
    int status = open_protocol("replay", file->source, file->flags, &options);
    if (status)
        return status;
    uint32_t left_out = cluster_file_follow(file, &result);
    if (result.failure == FAILURE_NONE || strcmp(failure_names[result.failure], file->failure) != 0) {
        printf("%s: the run no longer fails with %s\n", path, file->failure);
        status = left_out ? 3 : 0;
    } else {
        cluster_report_open(&report);
        status = cluster_report_text(&report, stdout) || cluster_report_counts(&report, stdout) ? 2 : 1;
        cluster_report_close(&report);
    }
    cluster_result_free(&result);
    cluster_close();
    return status;
}

int cli_cluster_replay(const char *path)
{
    struct cluster_file file;
    FILE *in = fopen(path, "r");
    if (!in)
        return misuse_of_file("replay", path, strerror(errno));
    const char *wrong = cluster_file_read(in, &file);
    fclose(in);
    int status = wrong ? misuse_of_file("replay", path, wrong) : replay(path, &file);
    cluster_file_free(&file);
    return status;
}
