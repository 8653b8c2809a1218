// Checks the real engine (fibers, hooks, going back) on random C programs against plain enumeration.
//
//     fuzz_real [count [first seed]]
//
// First family (real_sync.h): the outcomes, deadlocks and failing assertions that each strategy finds with each way of
// going back are those of the enumeration, and `optimal` needs one execution per trace. Second family (real_plain.h):
// heddle reports exactly the bytes that race; with --races=explore it finds all outcomes of the races as well.
//
// Programs are compiled fifty at a time. The C file of a program that fails is kept, and its place printed.
#include <cjson/cJSON.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"
#include "fuzz/oracle.h"
#include "fuzz/real_plain.h"
#include "fuzz/real_run.h"
#include "fuzz/real_sync.h"

enum { BATCH = 50, MOST_STATES = 200000, MOST_TRACES = 20000, MOST_DFS = 2000, COMMAND_EVERY = 25 };

enum family { SYNC, PLAIN_REPORT, PLAIN_EXPLORE };

static const struct kind {
    const char *name;
    enum family family;
    uint32_t language; // of its family
    bool exact;        // one execution per trace
} kinds[] = {
    {"atomics", SYNC, 0, true},
    {"mutexes", SYNC, WITH_MUTEX, true},
    {"report", PLAIN_REPORT, WITH_WIDE, false},
    {"trylock", SYNC, WITH_MUTEX | WITH_TRYLOCK, true},
    {"choose", SYNC, WITH_MUTEX | WITH_CHOOSE, true},
    {"explore", PLAIN_EXPLORE, WITH_VALUES, false},
    {"stop", SYNC, WITH_MUTEX | WITH_STOP, true},
    {"condvars", SYNC, WITH_MUTEX | WITH_COND, false},
    {"mixed", PLAIN_REPORT, WITH_WIDE | WITH_MIXED, false},
    {"exit", SYNC, WITH_MUTEX | WITH_EXIT, false},
    {"everything", SYNC, WITH_MUTEX | WITH_TRYLOCK | WITH_COND | WITH_CHOOSE | WITH_STOP | WITH_EXIT, false},
    {"mixplore", PLAIN_EXPLORE, WITH_VALUES | WITH_MIXED, false},
    {"unchanged", PLAIN_REPORT, WITH_WIDE | WITH_UNCHANGED, false},
    {"wide", PLAIN_EXPLORE, WITH_VALUES | WITH_UNCHANGED | WITH_WIDE, false},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

struct batch {
    const struct kind *kind;
    uint64_t seed; // of the first program
    uint32_t count;
    struct real_place place;
    struct real_sync sync[BATCH];
    struct real_plain plain[BATCH];
};

struct tally {
    uint64_t passed, failed, skipped;
};

static char *wrong_text;

static bool wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));
static bool wrong(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!wrong_text)
        require(vasprintf(&wrong_text, format, arguments) >= 0);
    va_end(arguments);
    return false;
}

static const char *task_name(struct real_task task)
{
    static char text[64];
    static const char *const restarts[] = {"auto", "undo", "replay", "verify"};
    snprintf(text, sizeof text, "%s, %s", task.strategy, restarts[task.restart]);
    return text;
}

// Whether the sets agree; `part`: not everything was explored.
static bool check_outcomes(struct real_task task, const struct set *found, const struct set *truth, bool part)
{
    uint32_t missing = 0, invented = 0;
    for (uint32_t i = 0; i < truth->limit; i++)
        missing += truth->slot[i] && !set_has(found, truth->slot[i]);
    for (uint32_t i = 0; i < found->limit; i++)
        invented += found->slot[i] && !set_has(truth, found->slot[i]);
    if (invented)
        return wrong("%s: %u outcomes of %u cannot be", task_name(task), invented, found->count);
    if (missing && !part)
        return wrong("%s: %u outcomes of %u are missing", task_name(task), missing, truth->count);
    return true;
}

static bool check_sync_bugs(struct real_task task, const struct job *job, const struct real_truth *truth, bool part)
{
    uint64_t failing[MAX_THREADS] = {0};
    bool deadlock = false;
    for (uint32_t i = 0; i < job->bugs; i++) {
        const struct bug *bug = &job->bug[i].bug;
        const char *name = strstr(bug->text, "\"a");
        unsigned t, at;
        if (bug->kind == BUG_ASSERTION && name && sscanf(name, "\"a%u.%u", &t, &at) == 2)
            failing[t] |= 1ull << at;
        else if (bug->kind == BUG_DEADLOCK)
            deadlock = true;
        else
            return wrong("%s: %s: %s", task_name(task), bug_names[bug->kind], bug->text);
    }
    if (deadlock ? !truth->deadlock : truth->deadlock && !part)
        return wrong("%s: %s", task_name(task), deadlock ? "a deadlock that cannot be" : "the deadlock is missing");
    for (uint32_t t = 0; t < MAX_THREADS; t++)
        if (part ? failing[t] & ~truth->failing[t] : failing[t] != truth->failing[t])
            return wrong("%s: other assertions fail", task_name(task));
    return true;
}

static bool explored(struct real_task task, const struct job *job, bool *part)
{
    *part = job->end == JOB_EXECUTIONS || job->end == JOB_TIME;
    if (job->end != JOB_DONE && !*part)
        return wrong("%s: search ended with %u: %s%s", task_name(task), job->end, job->reason,
                     job->bugs ? job->bug[job->bugs - 1].bug.text : "");
    return true;
}

static bool check_sync_task(const struct batch *b, struct real_task task, const struct real_truth *truth,
                            uint64_t traces)
{
    struct real_answer answer = real_explore(&b->place, task);
    bool part;
    bool good = explored(task, answer.job, &part) && check_outcomes(task, &answer.outcomes, &truth->outcomes, part) &&
                check_sync_bugs(task, answer.job, truth, part);
    if (good && traces && !strcmp(task.strategy, "optimal") && answer.job->executions != traces)
        good = wrong("%s: %llu executions, %llu traces", task_name(task), (unsigned long long)answer.job->executions,
                     (unsigned long long)traces);
    real_forget(&answer);
    return good;
}

// The report as JSON says the same.
static bool check_sync_command(const struct batch *b, uint32_t k, const struct real_truth *truth)
{
    struct real_task task = {.number = k, .strategy = "optimal"};
    cJSON *json = real_command(&b->place, task);
    if (!json)
        return wrong("heddle check gives no JSON");
    bool deadlock = false, expected = truth->deadlock;
    int failing = 0, number = 0;
    cJSON *bug;
    cJSON_ArrayForEach(bug, cJSON_GetObjectItem(json, "bugs"))
    {
        const char *kind = cJSON_GetStringValue(cJSON_GetObjectItem(bug, "kind"));
        deadlock |= kind && !strcmp(kind, "deadlock");
        failing += kind && !strcmp(kind, "assertion");
        if (!cJSON_GetArraySize(cJSON_GetObjectItem(bug, "events")))
            wrong("heddle check: a bug without a recorded run: %s",
                  cJSON_GetStringValue(cJSON_GetObjectItem(bug, "trace_error")));
    }
    for (uint32_t t = 0; t < MAX_THREADS; t++)
        number += __builtin_popcountll(truth->failing[t]);
    const char *verdict = cJSON_GetStringValue(cJSON_GetObjectItem(json, "verdict"));
    if (deadlock != expected || failing != number)
        wrong("heddle check: other bugs");
    if (!verdict || strcmp(verdict, number || expected ? "bug" : "verified"))
        wrong("heddle check: verdict %s", verdict ? verdict : "missing");
    cJSON_Delete(json);
    return !wrong_text;
}

static uint64_t count_traces(const struct program *p)
{
    struct set traces = {0};
    struct machine m;
    machine_init(&m, p);
    uint64_t n = oracle_traces(&m, &traces, MOST_TRACES) ? traces.count : 0;
    machine_free(&m);
    set_free(&traces);
    return n;
}

static bool check_sync(const struct batch *b, uint32_t k, bool *skipped)
{
    static const char *const strategies[] = {"optimal", "dpor", "dfs"};
    const struct program *p = &b->sync[k].program;
    struct real_truth truth = {0};
    bool good = true;
    *skipped = !real_sync_truth(p, &truth, MOST_STATES) || truth.outcomes.count > REAL_MOST_OUTCOMES;
    uint64_t traces = b->kind->exact && !*skipped ? count_traces(p) : 0;
    for (int i = 0; i < 6 && good && !*skipped; i++) {
        struct real_task task = {.number = k,
                                 .strategy = strategies[i / 2],
                                 .restart = i % 2 ? RESTART_REPLAY : RESTART_UNDO,
                                 .max_executions = i / 2 ? MOST_DFS : 0};
        good = check_sync_task(b, task, &truth, traces);
    }
    if (good && !*skipped && k % COMMAND_EVERY == 0)
        good = check_sync_command(b, k, &truth);
    set_free(&truth.outcomes);
    return good;
}

// ---- the second family ----

static uint64_t words(uint64_t racy)
{
    for (int word = 0; word < 8; word++)
        if (racy >> 8 * word & 0xff)
            racy |= 0xffull << 8 * word;
    return racy;
}

static bool check_races(struct real_task task, const struct real_answer *answer, uint64_t racy)
{
    uint64_t covered = 0;
    bool by_word = task.races == RACES_EXPLORE;
    for (uint32_t i = 0; i < answer->job->bugs; i++) {
        const struct bug *bug = &answer->job->bug[i].bug;
        if (bug->kind == BUG_DEADLOCK)
            continue;
        uint64_t at = bug->address - answer->memory;
        if (bug->kind != BUG_RACE || at + bug->size > PLAIN_BYTES || !bug->size)
            return wrong("%s: %s on 0x%llx: %s", task_name(task), bug_names[bug->kind], (unsigned long long)bug->address,
                         bug->text);
        uint64_t bytes = ((1ull << bug->size) - 1) << at;
        if (!(bytes & racy))
            return wrong("%s: no race on %s, %u bytes at %u", task_name(task), plain_name((uint32_t)at), bug->size,
                         (unsigned)at);
        covered |= by_word ? words(bytes) : bytes;
    }
    if (racy & ~covered)
        return wrong("%s: the race on %s, byte %d, is missing", task_name(task),
                     plain_name((uint32_t)__builtin_ctzll(racy & ~covered)), __builtin_ctzll(racy & ~covered));
    return true;
}

static bool check_deadlock(struct real_task task, const struct job *job, bool expected)
{
    bool found = false;
    for (uint32_t i = 0; i < job->bugs; i++)
        found |= job->bug[i].bug.kind == BUG_DEADLOCK;
    return found == expected || wrong("%s: deadlock %d, expected %d", task_name(task), found, expected);
}

static bool check_plain_task(const struct batch *b, struct real_task task, const struct plain_truth *truth)
{
    struct real_answer answer = real_explore(&b->place, task);
    bool part;
    bool good = explored(task, answer.job, &part) && (part || check_races(task, &answer, truth->racy));
    if (good && task.races == RACES_EXPLORE)
        good = check_outcomes(task, &answer.outcomes, &truth->outcomes, part) &&
               (part || truth->racy || check_deadlock(task, answer.job, truth->deadlock));
    real_forget(&answer);
    return good;
}

// The report as JSON names the variables.
static bool check_plain_command(const struct batch *b, uint32_t k, const struct plain_truth *truth)
{
    struct real_task task = {.number = k, .strategy = "optimal"};
    cJSON *json = real_command(&b->place, task);
    if (!json)
        return wrong("heddle check gives no JSON");
    uint64_t named = 0;
    cJSON *bug;
    cJSON_ArrayForEach(bug, cJSON_GetObjectItem(json, "bugs"))
    {
        const char *kind = cJSON_GetStringValue(cJSON_GetObjectItem(bug, "kind"));
        const char *object = cJSON_GetStringValue(cJSON_GetObjectItem(bug, "object"));
        if (kind && !strcmp(kind, "deadlock"))
            continue;
        uint64_t meant = 0;
        for (uint32_t byte = 0; byte < PLAIN_BYTES && object; byte++)
            if (!strncmp(object, plain_name(byte), strlen(plain_name(byte))))
                meant |= 1ull << byte;
        if (object && !meant)
            meant = UINT64_MAX; // several of them, or a gap
        if (!(meant & truth->racy))
            wrong("heddle check: there is no race on %s", object ? object : "an unnamed object");
        if (cJSON_GetArraySize(cJSON_GetObjectItem(bug, "accesses")) != 2)
            wrong("heddle check: a race on %s without two accesses", object ? object : "nothing");
        named |= meant;
    }
    if (truth->racy & ~named)
        wrong("heddle check: a race on %s is missing", plain_name((uint32_t)__builtin_ctzll(truth->racy & ~named)));
    cJSON_Delete(json);
    return !wrong_text;
}

static bool check_plain(const struct batch *b, uint32_t k, bool *skipped)
{
    static const char *const strategies[] = {"optimal", "dpor", "dfs"};
    bool explores = b->kind->family == PLAIN_EXPLORE, good = true;
    struct plain_truth truth = {0};
    *skipped = !real_plain_truth(&b->plain[k], explores, &truth, MOST_STATES) ||
               truth.outcomes.count > REAL_MOST_OUTCOMES;
    for (int i = 0; i < 6 && good && !*skipped; i++) {
        struct real_task task = {.number = k,
                                 .strategy = strategies[i / 2],
                                 .restart = i % 2 ? RESTART_REPLAY : RESTART_UNDO,
                                 .races = explores ? RACES_EXPLORE : RACES_REPORT,
                                 .max_executions = i / 2 ? MOST_DFS : 0};
        good = check_plain_task(b, task, &truth);
    }
    if (good && !*skipped && !explores && k % COMMAND_EVERY == 0)
        good = check_plain_command(b, k, &truth);
    set_free(&truth.outcomes);
    return good;
}

// ---- batches ----

static void make(struct batch *b, FILE *out)
{
    bool sync = b->kind->family == SYNC, tls = b->seed / BATCH % 3 == 0;
    real_print_head(out);
    if (!sync)
        real_plain_print_memory(out);
    fprintf(out, "#define MEMORY %s\n", sync ? "0" : "&memory");
    for (uint32_t k = 0; k < b->count; k++) {
        fprintf(out, "// %s, seed %llu\n", b->kind->name, (unsigned long long)(b->seed + k));
        if (sync) {
            real_sync_random(&b->sync[k], b->kind->language, b->seed + k, tls);
            real_sync_print(&b->sync[k], k, out);
        } else {
            real_plain_random(&b->plain[k], b->kind->language, b->seed + k);
            real_plain_print(&b->plain[k], k, out);
        }
    }
    real_print_main(out, b->count);
}

// Programs seed … seed + count - 1 of one kind.
static void run_batch(struct batch *b, const char *folder, struct tally *tally)
{
    static const char *const levels[] = {"-O1", "-O2", "-O0", "-O3"};
    char name[64];
    snprintf(name, sizeof name, "%s-%llu", b->kind->name, (unsigned long long)b->seed);
    real_begin(&b->place, folder, name);
    FILE *out = fopen(b->place.source, "w");
    require(out);
    make(b, out);
    require(!fclose(out));
    uint64_t failed = 0;
    if (!real_compile(&b->place, levels[b->seed / BATCH % 4])) {
        printf("FAILED: %s does not compile\n", b->place.source);
        failed = b->count;
    }
    for (uint32_t k = 0; k < b->count && failed < b->count; k++) {
        bool skipped = false;
        bool good = b->kind->family == SYNC ? check_sync(b, k, &skipped) : check_plain(b, k, &skipped);
        tally->skipped += skipped;
        tally->passed += good && !skipped;
        if (good)
            continue;
        failed++;
        printf("FAILED: %s, seed %llu: %s; program %u of %s (%s)\n", b->kind->name, (unsigned long long)(b->seed + k),
               wrong_text, k, b->place.source, levels[b->seed / BATCH % 4]);
        fflush(stdout);
        free(wrong_text);
        wrong_text = NULL;
    }
    tally->failed += failed;
    real_end(&b->place, failed > 0);
}

static pid_t start_batch(uint64_t seed, uint32_t count, const char *folder, struct tally *tally)
{
    static struct batch b;
    b = (struct batch){.kind = &kinds[seed / BATCH % KINDS], .seed = seed, .count = count};
    const char *only = getenv("REAL_KIND");
    for (uint32_t i = 0; only && i < KINDS; i++)
        if (!strcmp(only, kinds[i].name))
            b.kind = &kinds[i];
    fflush(stdout);
    pid_t child = fork();
    require(child >= 0);
    if (child)
        return child;
    run_batch(&b, folder, tally);
    fflush(stdout);
    _exit(0);
}

int main(int argc, char **argv)
{
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 600, first = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    char folder[] = "/tmp/fuzz_real.XXXXXX";
    require(mkdtemp(folder));
    long processors = sysconf(_SC_NPROCESSORS_ONLN), running = 0;
    uint64_t batches = count / BATCH + 2, number = 0;
    struct tally *tallies =
        mmap(NULL, batches * sizeof *tallies, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    require(tallies != MAP_FAILED);
    uint64_t died = 0;
    for (uint64_t at = first; at < first + count || running;) {
        if (at < first + count && running <= processors) {
            uint64_t end = (at / BATCH + 1) * BATCH; // a seed is the same program whatever the first seed is
            end = end < first + count ? end : first + count;
            start_batch(at, (uint32_t)(end - at), folder, &tallies[number++]);
            running++;
            at = end;
            continue;
        }
        int status;
        if (wait(&status) < 0)
            break;
        running--;
        died += status != 0;
    }
    struct tally all = {0};
    for (uint64_t i = 0; i < number; i++) {
        all.passed += tallies[i].passed;
        all.failed += tallies[i].failed;
        all.skipped += tallies[i].skipped;
    }
    rmdir(folder);
    if (all.skipped)
        printf("%llu were too large for the enumeration\n", (unsigned long long)all.skipped);
    printf("%llu passed, %llu failed\n", (unsigned long long)all.passed, (unsigned long long)(all.failed + died));
    return all.failed || died;
}
